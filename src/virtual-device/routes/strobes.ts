import { type Check, naturalNumber, object, oneOf, optional, required, seconds } from '../checks/checks';
import { only } from '../product/models';
import { json } from './readers';
import { type Route, route } from './route';

const strobeProducts = only('8128', '8138', '8190S', '8410', '8420');
const strobeColor = oneOf('red', 'blue', 'green', 'amber');

/**
 * Brightness: 1 low, 2 medium, 3 high on the 8190S; 0 low, 56 medium, 255 high on other models (section
 * 4.10).
 */
const brightness: Check<string> = (value, name, device) => {
  const scale = device.model.number === '8190S' ? oneOf('1', '2', '3') : oneOf('0', '56', '255');
  return scale(value, name, device);
};

const offOnDisplays = 15;

/** The routes of section 4.10. */
export const strobeRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/strobe/start',
    does: 'flash the strobe',
    firmware: '3.3',
    products: strobeProducts,
    content: json(
      object({
        // The interface document does not list the valid numbers.
        pattern: required(naturalNumber),
        color1: required(strobeColor),
        color2: optional(strobeColor, { products: only('8138', '8410', '8420') }),
        ledlvl: required(brightness),
        duration: optional(seconds, { since: '5.7' }),
      }),
    ),
    change({ device: { keeper, model }, body }) {
      const isOff = model.classes.includes('display') && body.pattern === offOnDisplays;
      if (isOff) keeper.set('strobe', null);
      else keeper.setFor('strobe', body, body.duration, 'strobe switched off by itself');
    },
  }),
  route({
    route: 'POST /api/controls/strobe/stop',
    does: 'stop the strobe',
    firmware: '3.3',
    products: strobeProducts,
    change: ({ device }) => device.keeper.set('strobe', null),
  }),
];
