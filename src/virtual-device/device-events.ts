import type { LogEntry } from './log/entry';
import type { DeviceState } from './state/state';

/** What a virtual device tells whoever listens. */
export interface DeviceEvents {
  /** After each request, just before its answer leaves. */
  request: [entry: LogEntry];
  /** After each change of the state, with the part that changed. */
  change: [part: keyof DeviceState, state: DeviceState];
  /** After the device did something by itself, in words such as `local door locked again`. */
  happened: [words: string];
  /** After something went wrong that no request and no command is told, in words. */
  trouble: [words: string];
  /** After it has ended for good, or until it is started again. */
  stopped: [];
  /** After faults, time, identity or the schedule have changed. */
  control: [];
}
