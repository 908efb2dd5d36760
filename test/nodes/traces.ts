import type { VirtualDevice } from '../../src/virtual-device/device';
import type { Request } from '../contract/transcript';

type Content = Readonly<Record<string, unknown>>;

/** What is to be seen in a device's state once it was asked for something, and what that must be. */
type Trace = (
  device: VirtualDevice,
  parameters: Content,
  request: Request,
) => readonly [actual: unknown, wanted: unknown];

const door =
  (wanted: 'locked' | 'unlocked'): Trace =>
  ({ state }, { doorid }) => [doorid === 'netdc1' ? state.doors.netdc1 : state.doors.local, wanted];

const value =
  (part: 'test' | 'relay' | 'aux24v', wanted: string): Trace =>
  ({ state }) => [state[part], wanted];

/** The state holds the very body of the request. */
const body =
  (part: 'tone' | 'screen' | 'overlay' | 'call' | 'rx' | 'multicast'): Trace =>
  ({ state }, _, { json }) => [state[part], json];

const nothing =
  (part: 'tone' | 'screen' | 'overlay' | 'call' | 'rx' | 'strobe' | 'emergency'): Trace =>
  ({ state }) => [state[part], null];

/** Section 3, typed by hand: what moves, by operation. Reads move nothing. */
export const traces: Readonly<Record<string, Trace>> = {
  'door/lock': door('locked'),
  'door/unlock': door('unlocked'),
  'door/munlock': door('unlocked'),
  'tone/start': body('tone'),
  'tone/stop': nothing('tone'),
  'tone/upload-play': ({ state }) => [state.upload?.path, 'uploaded file'],
  'tone/test-start': value('test', 'playing'),
  'tone/test-loop': value('test', 'looping'),
  'tone/test-stop': value('test', 'stopped'),
  'strobe/start': ({ model, state }, _, { json }) => {
    const isOff = ['8410', '8420'].includes(model) && (json as Content).pattern === 15;
    return [state.strobe, isOff ? null : json];
  },
  'strobe/stop': nothing('strobe'),
  'screen/start': ({ state }, { stopAfter }, { json }) => {
    const mayBeOver = stopAfter === 0 && state.screen === null;
    return [mayBeOver ? json : state.screen, json];
  },
  'screen/stop': nothing('screen'),
  'screen/text-start': body('overlay'),
  'screen/text-stop': nothing('overlay'),
  'call/start': body('call'),
  'call/page': body('call'),
  'call/stop': nothing('call'),
  'relay/enable': value('relay', 'enabled'),
  'relay/menable': value('relay', 'enabled'),
  'relay/disable': value('relay', 'disabled'),
  'relay/24v-enable': value('aux24v', 'enabled'),
  'relay/24v-disable': value('aux24v', 'disabled'),
  'console/activate': ({ state }) => [state.console.length, 1],
  'console/stop': ({ state }) => [state.console, []],
  'emergency/start': ({ state }, { announcement }) => [state.emergency, Number(announcement)],
  'emergency/stop': nothing('emergency'),
  'settings/put': ({ settings }, parameters) => {
    const names = Object.keys(parameters);
    return [names.map((name) => settings[name]), names.map((name) => String(parameters[name]))];
  },
  'settings/restore': ({ settings }) => [settings['admin.web.api'], '0'],
  'audio/rx-start': body('rx'),
  'audio/rx-stop': nothing('rx'),
  'audio/noise-update': ({ state }, { level }) => [state.noiseLevel, String(level)],
  'audio/mcast-update': body('multicast'),
};
