import { transcripts as door } from './door';
import { transcripts as info } from './info';
import { transcripts as settings } from './settings';
import { transcripts as signing } from './signing';
import { transcripts as tone } from './tone';
import type { Transcript } from './transcript';

/** Every transcript there is. */
export const transcripts: readonly Transcript[] = [...door, ...tone, ...info, ...settings, ...signing];
