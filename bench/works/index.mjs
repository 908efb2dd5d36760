/** What is measured, in the order in which it is. */
import { withEditor } from './editor.mjs';
import { emergencies } from './emergency.mjs';
import { finding } from './find.mjs';
import { files, schedules } from './large.mjs';
import { lockdowns } from './lockdown.mjs';
import { memories } from './memory.mjs';
import { allDevices, bursts, inFlight, inTurn, oneAtATime } from './messages.mjs';
import { firstMessage, starts } from './start.mjs';
import { sustained } from './sustained.mjs';
import { watching, watchingFast } from './watch.mjs';

export const works = [
  oneAtATime,
  inFlight,
  allDevices,
  inTurn,
  ...lockdowns,
  ...bursts,
  emergencies,
  ...withEditor,
  starts,
  firstMessage,
  memories,
  sustained,
  schedules,
  files,
  finding,
  watching,
  watchingFast,
];
