import { testSeconds } from '../choices';
import { only } from '../product/models';
import type { StateKeeper } from '../state/state';
import { done } from '../wire/answer';
import { nothing } from './readers';
import { type Route, route } from './route';

const startProducts = [
  ...['8190', '8190S', '8300', '8039', '8028', '8186', '8373', '8375', '8188', '8189'],
  ...['8196', '8197', '8198', '8199', '8180', '8301', '8305', '8201', '8203'],
  ...['8128', '8138', '8410', '8420'],
];
/**
 * The models of `test/loop`: those of `test/start`, and 8516 and 8507 (section 4.5). The interface document
 * does not list 8516 and 8507 for `test/stop`, but here they can also stop the loop.
 */
const loopProducts = [...startProducts, '8516', '8507'];

export const testRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/test/start',
    section: '4.5',
    does: 'play the test once',
    firmware: '5.4',
    products: only(...startProducts),
    content: nothing,
    effect({ device: { keeper } }) {
      keeper.set('test', 'playing');
      keeper.plan('end of test', testSeconds, () => end(keeper), 'test ended');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/test/loop',
    section: '4.5',
    does: 'loop the test',
    firmware: '5.4',
    products: only(...loopProducts),
    content: nothing,
    effect({ device: { keeper } }) {
      keeper.cancel('end of test');
      keeper.set('test', 'looping');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/test/stop',
    section: '4.5',
    does: 'stop the test',
    firmware: '5.4',
    products: only(...loopProducts),
    content: nothing,
    effect({ device }) {
      end(device.keeper);
      return done;
    },
  }),
];

function end(keeper: StateKeeper): void {
  keeper.cancel('end of test');
  keeper.set('test', 'stopped');
}
