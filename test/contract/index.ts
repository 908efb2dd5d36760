import { transcripts as audio } from './audio';
import { transcripts as call } from './call';
import { transcripts as consoles } from './console';
import { transcripts as door } from './door';
import { transcripts as emergency } from './emergency';
import { transcripts as files } from './files';
import { transcripts as info } from './info';
import { transcripts as relay } from './relay';
import { transcripts as scheduler } from './scheduler';
import { transcripts as settings } from './settings';
import { transcripts as signing } from './signing';
import { transcripts as strobe } from './strobe';
import { transcripts as system } from './system';
import { transcripts as tone } from './tone';
import type { Transcript } from './transcript';

/** Every transcript there is. */
export const transcripts: readonly Transcript[] = [
  ...door,
  ...tone,
  ...info,
  ...settings,
  ...signing,
  ...strobe,
  ...call,
  ...relay,
  ...consoles,
  ...emergency,
  ...audio,
  ...system,
  ...files,
  ...scheduler,
];
