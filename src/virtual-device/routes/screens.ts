import {
  type Check,
  flag,
  nonEmptyText,
  object,
  oneOf,
  optional,
  pictureName,
  required,
  seconds,
} from '../checks/checks';
import { only } from '../product/models';
import type { StateKeeper } from '../state/state';
import { json } from './readers';
import { type Route, route } from './route';
import { analogClockFields, commonFields, digitalClockFields, textFields } from './screen-fields';
import { templateBody } from './templates';

const screenProducts = only('8410', '8420');

const image = { ...commonFields, type: required(oneOf('image')), image1: required(pictureName) };

type Body = Readonly<Record<string, unknown>>;

const byType: ReadonlyMap<string, Check<Body>> = new Map(
  Object.entries<Check<Body>>({
    digitalClock: object(digitalClockFields),
    analogClock: object(analogClockFields),
    blitz: object({ ...image, type: required(oneOf('blitz')), image2: required(pictureName) }),
    template: templateBody,
  }),
);
const singleImage: Check<Body> = object(image);
const imageWithText: Check<Body> = object({ ...image, text1: required(nonEmptyText), ...textFields });
const byName: Check<Body> = object({ ...commonFields, screenName: required(nonEmptyText) });
const bySlides: Check<Body> = object({
  ...commonFields,
  duration: required(seconds),
  slideNames: required(nonEmptyText),
  overrideStrobe: required(flag),
});

const types = oneOf('image', 'digitalClock', 'analogClock', 'blitz', 'template');

/** The check of a screen: `type`, `text1`, `screenName` and `slideNames` select the variant (section 4.8). */
const screenBody: Check<Body> = (value, name, device) => {
  const body: Body = Object(value);
  if (body.type === 'image') return ('text1' in body ? imageWithText : singleImage)(value, name, device);
  if (typeof body.type === 'string')
    return byType.get(body.type)?.(value, name, device) ?? types(body.type, 'type', device);
  if ('type' in body) return types(body.type, 'type', device);
  if ('screenName' in body) return byName(value, name, device);
  if ('slideNames' in body) return bySlides(value, name, device);
  return ['the body needs a type, a screenName or slideNames'];
};

/** The routes of sections 4.8 and 4.9. */
export const screenRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/screen/start',
    does: 'show on the screen',
    firmware: '5.3.4',
    products: screenProducts,
    content: json(screenBody),
    change({ device: { keeper }, body }) {
      show(keeper, body);
      if (typeof body.stopAfter === 'number')
        keeper.plan('end of screen', body.stopAfter, () => show(keeper, null), 'screen back to its default');
    },
  }),
  route({
    route: 'POST /api/controls/screen/stop',
    does: 'clear the screen',
    firmware: '5.3.4',
    products: screenProducts,
    change: ({ device }) => show(device.keeper, null),
  }),
  route({
    route: 'POST /api/controls/screen-text/start',
    does: 'show a text on the screen',
    firmware: '5.7',
    products: screenProducts,
    content: json(
      object({
        textContent: required(nonEmptyText),
        duration: optional(seconds),
        persistent: optional(flag),
        ...textFields,
      }),
    ),
    change: ({ device, body }) =>
      device.keeper.setFor('overlay', body, body.duration, 'text removed from the screen'),
  }),
  route({
    route: 'POST /api/controls/screen-text/stop',
    does: 'remove the text from the screen',
    firmware: '5.7',
    products: screenProducts,
    change: ({ device }) => device.keeper.set('overlay', null),
  }),
];

/** A text overlay that is not persistent ends with the previous content. */
function show(keeper: StateKeeper, content: Body | null): void {
  keeper.set('screen', content);
  if (keeper.state.overlay && keeper.state.overlay.persistent !== true) keeper.set('overlay', null);
}
