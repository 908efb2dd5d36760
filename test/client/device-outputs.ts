import assert from 'node:assert/strict';
import { catalogue } from '../../src/catalogue';
import type { Operation } from '../../src/catalogue/operation';
import type { DeviceError } from '../../src/client/errors';
import { failureOf, type Seen } from '../fixtures/client-fixture';

/** An operation of the catalogue with parameters, and how its path ends. */
export interface Call {
  readonly name: string;
  readonly path: string;
  readonly given: Readonly<Record<string, unknown>>;
}

export const callOf = (name: string, path: string, given: Call['given'] = {}): Call => ({
  name,
  path,
  given,
});
const local = { doorid: 'local' };

export const unlock = callOf('door/unlock', 'door/unlock', local);
export const lock = callOf('door/lock', 'door/lock', local);
export const munlock = callOf('door/munlock', 'door/munlock', { ...local, duration: 5 });
export const lockOther = callOf('door/lock', 'door/lock', { doorid: 'netdc1' });
export const playTone = callOf('tone/start', 'tone/start', { path: 'bell-na.wav', loop: true });
export const stopTone = callOf('tone/stop', 'tone/stop');
export const activate = callOf('console/activate', 'button/activate', { id: 'button 1' });
export const alarm = callOf('emergency/start', 'emergency-alert/start', { announcement: 1 });
export const allClear = callOf('emergency/stop', 'emergency-alert/stop');
export const status = callOf('info/status', 'info/status');

/** The operations that start a device output, and those that end it. */
export const pairs: readonly (readonly [Call, Call])[] = [
  [unlock, lock],
  [munlock, lock],
  [callOf('relay/enable', 'relay/enable'), callOf('relay/disable', 'relay/disable')],
  [callOf('relay/menable', 'relay/menable', { duration: 5 }), callOf('relay/disable', 'relay/disable')],
  [callOf('relay/24v-enable', '24v/enable'), callOf('relay/24v-disable', '24v/disable')],
  [playTone, stopTone],
  [callOf('tone/upload-play', 'tone/upload-play', { content: Buffer.from('RIFF____WAVE') }), stopTone],
  [callOf('tone/test-start', 'test/start'), callOf('tone/test-stop', 'test/stop')],
  [callOf('tone/test-loop', 'test/loop'), callOf('tone/test-stop', 'test/stop')],
  [
    callOf('strobe/start', 'strobe/start', { pattern: 1, color1: 'red', ledlvl: 255 }),
    callOf('strobe/stop', 'strobe/stop'),
  ],
  [callOf('screen/start', 'screen/start', { type: 'image' }), callOf('screen/stop', 'screen/stop')],
  [
    callOf('screen/text-start', 'screen-text/start', { textContent: 'Fire' }),
    callOf('screen/text-stop', 'screen-text/stop'),
  ],
  [callOf('call/start', 'call/start', { extension: '12', tone: 'a.wav' }), callOf('call/stop', 'call/stop')],
  [callOf('call/page', 'call/page', { extension: '12' }), callOf('call/stop', 'call/stop')],
  [callOf('audio/rx-start', 'rx/start', { port: 5004 }), callOf('audio/rx-stop', 'rx/stop')],
  [activate, callOf('console/stop', 'event/stop', { type: 'all' })],
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

/** How a call that has to fail ends. */
export async function endOf(
  sent: Promise<unknown>,
): Promise<Pick<DeviceError, 'code' | 'outcome' | 'attempts'>> {
  const { code, outcome, attempts } = await failureOf(sent);
  return { code, outcome, attempts };
}
