import { TEST_SECONDS } from '../choices';
import { only } from '../models';
import { DONE, nothing, type Route, route } from '../route';
import type { StateKeeper } from '../state';

const STARTERS = [
  ...['8190', '8190S', '8300', '8039', '8028', '8186', '8373', '8375', '8188', '8189'],
  ...['8196', '8197', '8198', '8199', '8180', '8301', '8305', '8201', '8203'],
  ...['8128', '8138', '8410', '8420'],
];
/** The models with audio, and 8516 and 8507 (section 4.5); what loops can be stopped, though the list of stop is that of start. */
const LOOPERS = [...STARTERS, '8516', '8507'];

function end(keeper: StateKeeper): void {
  keeper.cancel('end of test');
  keeper.set('test', 'stopped');
}

/** Section 4.5: test tone and test strobe. */
export const TESTS: readonly Route[] = [
  route({
    route: 'POST /api/controls/test/start',
    section: '4.5',
    does: 'play the test once',
    firmware: '5.4',
    products: only(...STARTERS),
    content: nothing,
    effect({ device: { keeper } }) {
      keeper.set('test', 'playing');
      keeper.plan('end of test', TEST_SECONDS, () => end(keeper), 'test ended');
      return DONE;
    },
  }),
  route({
    route: 'POST /api/controls/test/loop',
    section: '4.5',
    does: 'loop the test',
    firmware: '5.4',
    products: only(...LOOPERS),
    content: nothing,
    effect({ device: { keeper } }) {
      keeper.cancel('end of test');
      keeper.set('test', 'looping');
      return DONE;
    },
  }),
  route({
    route: 'POST /api/controls/test/stop',
    section: '4.5',
    does: 'stop the test',
    firmware: '5.4',
    products: only(...LOOPERS),
    content: nothing,
    effect({ device }) {
      end(device.keeper);
      return DONE;
    },
  }),
];
