import { audio } from './audio';
import { call } from './call';
import { console } from './console';
import { door } from './door';
import { emergency } from './emergency';
import { files } from './files';
import { info } from './info';
import type { OperationGroup } from './operation';
import { relay } from './relay';
import { request } from './request';
import { screen } from './screen';
import { settings } from './settings';
import { strobe } from './strobe';
import { system } from './system';
import { tone } from './tone';

/** Every node's operations. The editor, the documents and the tests iterate it. */
export const catalogue = [
  door,
  tone,
  strobe,
  screen,
  call,
  relay,
  console,
  emergency,
  settings,
  files,
  audio,
  system,
  info,
] as const satisfies readonly OperationGroup[];

/** The groups of all nodes: the document's, and the node for requests that it does not have. */
export const everyGroup: readonly OperationGroup[] = [...catalogue, request];
