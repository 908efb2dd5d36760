import { type Check, naturalNumber, object, oneOf, optional, required, seconds } from '../checks/checks';
import { only } from '../product/models';
import type { StateKeeper } from '../state/state';
import { done } from '../wire/answer';
import { json, nothing } from './readers';
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

export const strobeRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/strobe/start',
    section: '4.10',
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
    effect({ device: { keeper, model }, body }) {
      turnOff(keeper);
      if (model.classes.includes('display') && body.pattern === offOnDisplays) return done;
      keeper.set('strobe', body);
      if (body.duration !== undefined)
        keeper.plan('end of strobe', body.duration, () => turnOff(keeper), 'strobe switched off by itself');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/strobe/stop',
    section: '4.10',
    does: 'stop the strobe',
    firmware: '3.3',
    products: strobeProducts,
    content: nothing,
    effect({ device }) {
      turnOff(device.keeper);
      return done;
    },
  }),
];

function turnOff(keeper: StateKeeper): void {
  keeper.cancel('end of strobe');
  keeper.set('strobe', null);
}
