import type { Route } from '../route';
import { CALLS } from './calls';
import { CONSOLE } from './console';
import { DOORS } from './doors';
import { EMERGENCY } from './emergency';
import { FILES } from './files';
import { INFO } from './info';
import { MANAGEMENT } from './management';
import { RELAYS } from './relays';
import { SCHEDULES } from './schedules';
import { SCREENS } from './screens';
import { SETTINGS } from './settings';
import { STREAMS } from './streams';
import { STROBES } from './strobes';
import { TESTS } from './tests';
import { TONES } from './tones';
import { UPLOADS } from './uploads';

/** Everything the device answers to, in the document's order. */
export const ROUTES: readonly Route[] = [
  ...SETTINGS,
  ...INFO,
  ...MANAGEMENT,
  ...FILES,
  ...DOORS,
  ...STREAMS,
  ...TESTS,
  ...TONES,
  ...UPLOADS,
  ...CALLS,
  ...RELAYS,
  ...SCREENS,
  ...STROBES,
  ...CONSOLE,
  ...EMERGENCY,
  ...SCHEDULES,
];
