import { eventSeconds, toneSeconds } from '../choices';
import type { Core } from '../core';
import { play } from '../state/playing';
import type { StoredEvent } from './database';

/** Does what an event says, as far as it is seen from outside; `api_call` sends nothing from here. */
export function carryOut({ evid, fields }: StoredEvent, device: Core): void {
  const { keeper, clock } = device;
  const { event_type, name = '', audio = '', extension } = fields;
  keeper.set('lastEvent', { evid, name, at: new Date(clock.now()).toISOString() });
  if (event_type === 'play_tone') play(keeper, { path: audio, loop: false }, device.audioOf(audio));
  if (event_type === 'sip_call') {
    keeper.set('call', { extension: String(extension), tone: audio });
    keeper.plan('end of call', toneSeconds, () => keeper.set('call', null), 'call ended by itself');
  }
  if (event_type === 'stream_audio') {
    keeper.set('streaming', name);
    keeper.plan('end of streaming', eventSeconds, () => keeper.set('streaming', null), `${name} ended`);
  }
}
