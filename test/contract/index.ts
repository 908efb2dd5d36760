import { transcripts as audio } from './audio';
import { transcripts as call } from './call';
import { transcripts as consoles } from './console';
import { transcripts as door } from './door';
import { transcripts as emergency } from './emergency';
import { transcripts as files } from './files';
import { transcripts as info } from './info';
import { transcripts as inputs } from './inputs';
import { transcripts as relay } from './relay';
import { transcripts as request } from './request';
import { transcripts as restore } from './restore';
import { transcripts as scheduler } from './scheduler';
import { transcripts as screen } from './screen';
import { transcripts as settings } from './settings';
import { transcripts as signing } from './signing';
import { transcripts as strobe } from './strobe';
import { transcripts as system } from './system';
import { transcripts as text } from './text';
import { transcripts as tone } from './tone';
import type { Transcript } from './transcript';
import { transcripts as upload } from './upload';

/** The transcripts, file by file. */
export const books: Readonly<Record<string, readonly Transcript[]>> = {
  door,
  tone,
  info,
  settings,
  signing,
  strobe,
  call,
  relay,
  console: consoles,
  emergency,
  audio,
  system,
  files,
  scheduler,
  screen,
  text,
  upload,
  inputs,
  restore,
  request,
};
