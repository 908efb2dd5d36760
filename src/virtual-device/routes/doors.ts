import { object, oneOf, required, secondsText } from '../checks/checks';
import { only } from '../product/models';
import type { DoorId, DoorState, StateKeeper } from '../state/state';
import { json } from './readers';
import { type Route, route } from './route';

const doorProducts = only('8039', '8028', '8201', '8063');
const doorid = required(oneOf('netdc1', 'local'));

/** The routes of section 4.4. */
export const doorRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/door/lock',
    does: 'lock the door',
    firmware: '3.3',
    products: doorProducts,
    content: json(object({ doorid })),
    change: ({ device, body }) => turn(device.keeper, body.doorid, 'locked'),
  }),
  route({
    route: 'POST /api/controls/door/unlock',
    does: 'unlock and hold the door',
    firmware: '3.3',
    products: doorProducts,
    content: json(object({ doorid })),
    change: ({ device, body }) => turn(device.keeper, body.doorid, 'unlocked'),
  }),
  route({
    route: 'POST /api/controls/door/munlock',
    does: 'unlock the door momentarily',
    firmware: '5.5',
    products: doorProducts,
    content: json(object({ doorid, duration: required(secondsText) })),
    change({ device: { keeper }, body }) {
      turn(keeper, body.doorid, 'unlocked');
      const relock = (): void => turn(keeper, body.doorid, 'locked');
      keeper.plan(`relock ${body.doorid}`, Number(body.duration), relock, `${body.doorid} door locked again`);
    },
  }),
];

function turn(keeper: StateKeeper, door: DoorId, state: DoorState): void {
  keeper.cancel(`relock ${door}`);
  keeper.set('doors', { ...keeper.state.doors, [door]: state });
}
