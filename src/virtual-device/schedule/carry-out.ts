import { play } from '../playing';
import type { StateKeeper } from '../state';
import type { StoredEvent } from './database';

/** Does what an event says, as far as it is seen from outside; `api_call` sends nothing from here. */
export function carryOut({ evid, fields }: StoredEvent, keeper: StateKeeper, now: number): void {
  const { event_type, name = '', audio = '', extension } = fields;
  keeper.set('lastEvent', { evid, name, at: new Date(now).toISOString() });
  if (event_type === 'play_tone') play(keeper, { path: audio, loop: false });
  if (event_type === 'sip_call') keeper.set('call', { extension: String(extension), tone: audio });
}
