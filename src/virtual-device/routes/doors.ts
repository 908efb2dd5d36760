import { object, oneOf, required, secondsText } from '../checks/checks';
import { only } from '../product/models';
import type { DoorId, DoorState, StateKeeper } from '../state/state';
import { done } from '../wire/answer';
import { json } from './readers';
import { type Route, route } from './route';

const doorProducts = only('8039', '8028', '8201', '8063');
const doorid = required(oneOf('netdc1', 'local'));

export const doorRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/door/lock',
    section: '4.4',
    does: 'lock the door',
    firmware: '3.3',
    products: doorProducts,
    content: json(object({ doorid })),
    effect({ device, body }) {
      turn(device.keeper, body.doorid, 'locked');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/door/unlock',
    section: '4.4',
    does: 'unlock and hold the door',
    firmware: '3.3',
    products: doorProducts,
    content: json(object({ doorid })),
    effect({ device, body }) {
      turn(device.keeper, body.doorid, 'unlocked');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/door/munlock',
    section: '4.4',
    does: 'unlock the door momentarily',
    firmware: '5.5',
    products: doorProducts,
    content: json(object({ doorid, duration: required(secondsText) })),
    effect({ device: { keeper }, body }) {
      turn(keeper, body.doorid, 'unlocked');
      const relock = (): void => turn(keeper, body.doorid, 'locked');
      keeper.plan(`relock ${body.doorid}`, Number(body.duration), relock, `${body.doorid} door locked again`);
      return done;
    },
  }),
];

function turn(keeper: StateKeeper, door: DoorId, state: DoorState): void {
  keeper.cancel(`relock ${door}`);
  keeper.set('doors', { ...keeper.state.doors, [door]: state });
}
