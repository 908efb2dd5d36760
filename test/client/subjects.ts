import assert from 'node:assert/strict';
import { catalogue } from '../../src/catalogue';
import type { Operation } from '../../src/catalogue/operation';
import type { Seen } from '../fixtures/bench';

/** An operation of the catalogue with parameters, and how its path ends. */
export interface Deed {
  readonly name: string;
  readonly path: string;
  readonly given: Readonly<Record<string, unknown>>;
}

export const deed = (name: string, path: string, given: Deed['given'] = {}): Deed => ({ name, path, given });
const local = { doorid: 'local' };

export const unlock = deed('door/unlock', 'door/unlock', local);
export const lock = deed('door/lock', 'door/lock', local);
export const munlock = deed('door/munlock', 'door/munlock', { ...local, duration: 5 });
export const lockOther = deed('door/lock', 'door/lock', { doorid: 'netdc1' });
export const playTone = deed('tone/start', 'tone/start', { path: 'bell-na.wav', loop: true });
export const stopTone = deed('tone/stop', 'tone/stop');
export const activate = deed('console/activate', 'button/activate', { id: 'button 1' });
export const alarm = deed('emergency/start', 'emergency-alert/start', { announcement: 1 });
export const allClear = deed('emergency/stop', 'emergency-alert/stop');
export const status = deed('info/status', 'info/status');

/** What starts a subject, and what ends it. */
export const pairs: readonly (readonly [Deed, Deed])[] = [
  [unlock, lock],
  [munlock, lock],
  [deed('relay/enable', 'relay/enable'), deed('relay/disable', 'relay/disable')],
  [deed('relay/menable', 'relay/menable', { duration: 5 }), deed('relay/disable', 'relay/disable')],
  [deed('relay/24v-enable', '24v/enable'), deed('relay/24v-disable', '24v/disable')],
  [playTone, stopTone],
  [deed('tone/upload-play', 'tone/upload-play', { content: Buffer.from('RIFF____WAVE') }), stopTone],
  [deed('tone/test-start', 'test/start'), deed('tone/test-stop', 'test/stop')],
  [deed('tone/test-loop', 'test/loop'), deed('tone/test-stop', 'test/stop')],
  [
    deed('strobe/start', 'strobe/start', { pattern: 1, color1: 'red', ledlvl: 255 }),
    deed('strobe/stop', 'strobe/stop'),
  ],
  [deed('screen/start', 'screen/start', { type: 'image' }), deed('screen/stop', 'screen/stop')],
  [
    deed('screen/text-start', 'screen-text/start', { textContent: 'Fire' }),
    deed('screen/text-stop', 'screen-text/stop'),
  ],
  [deed('call/start', 'call/start', { extension: '12', tone: 'a.wav' }), deed('call/stop', 'call/stop')],
  [deed('call/page', 'call/page', { extension: '12' }), deed('call/stop', 'call/stop')],
  [deed('audio/rx-start', 'rx/start', { port: 5004 }), deed('audio/rx-stop', 'rx/stop')],
  [activate, deed('console/stop', 'event/stop', { type: 'all' })],
];

/** By `resource/operation`. */
export function operationOf(name: string): Operation {
  const [resource, id] = name.split('/');
  const operations: readonly Operation[] =
    catalogue.find((group) => group.resource === resource)?.operations ?? [];
  return operations.find((one) => one.id === id) ?? assert.fail(`there is no ${name}`);
}

/** The last two parts of a request's path. */
export function pathOf({ url }: Seen): string {
  return url.split('/').slice(-2).join('/');
}
