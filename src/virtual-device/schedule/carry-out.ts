import { eventSeconds, toneSeconds } from '../choices';
import type { Clock } from '../clock/clock';
import { play } from '../state/playing';
import type { StateKeeper } from '../state/state';
import type { StoredEvent } from './database';

/** What an event acts on. */
export interface Stage {
  readonly keeper: StateKeeper;
  readonly clock: Clock;
  /** The recording of that name; nothing for the silence in place of a built-in tone. */
  audioOf(name: string): Buffer | undefined;
}

/** Does what an event says, as far as it is seen from outside; `api_call` sends nothing from here. */
export function carryOut({ evid, fields }: StoredEvent, stage: Stage): void {
  const { keeper, clock } = stage;
  const { event_type, name = '', audio = '', extension } = fields;
  keeper.set('lastEvent', { evid, name, at: new Date(clock.now()).toISOString() });
  if (event_type === 'play_tone') play(keeper, { path: audio, loop: false }, stage.audioOf(audio));
  if (event_type === 'sip_call') {
    keeper.set('call', { extension: String(extension), tone: audio });
    keeper.plan('end of call', toneSeconds, () => keeper.set('call', null), 'call ended by itself');
  }
  if (event_type === 'stream_audio') {
    keeper.set('streaming', name);
    keeper.plan('end of streaming', eventSeconds, () => keeper.set('streaming', null), `${name} ended`);
  }
}
