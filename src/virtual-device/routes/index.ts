import type { Route } from '../route';
import { DOORS } from './doors';
import { INFO } from './info';
import { SETTINGS } from './settings';
import { TESTS } from './tests';
import { TONES } from './tones';

/** Everything the device answers to, in the document's order. */
export const ROUTES: readonly Route[] = [...SETTINGS, ...INFO, ...DOORS, ...TESTS, ...TONES];
