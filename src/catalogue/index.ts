import { audio } from './audio';
import { bellScheduler } from './bells';
import { call } from './call';
import { console } from './console';
import { door } from './door';
import { emergency } from './emergency';
import { files } from './files';
import { info } from './info';
import type { OperationGroup } from './operation';
import { profiledSettings } from './profiles';
import { relay } from './relay';
import { request } from './request';
import { scheduler } from './scheduler';
import { screen } from './screen';
import { settings } from './settings';
import { strobe } from './strobe';
import { system } from './system';
import { tone } from './tone';

/** All operations of section 4, grouped by node, in the order of the generated documentation. */
export const catalogue = [
  door,
  tone,
  strobe,
  screen,
  call,
  relay,
  console,
  emergency,
  scheduler,
  settings,
  files,
  audio,
  system,
  info,
] as const satisfies readonly OperationGroup[];

/** The operations of all nodes except the request node. */
export const palette: readonly OperationGroup[] = catalogue.map(
  (group) => [bellScheduler, profiledSettings].find(({ resource }) => resource === group.resource) ?? group,
);

/** The operations of all nodes, including the request node, whose requests are written by hand. */
export const everyGroup: readonly OperationGroup[] = [...palette, request];
