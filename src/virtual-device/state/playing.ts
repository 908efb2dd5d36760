import { toneSeconds } from '../choices';
import { secondsOf } from './media';
import type { PlayingTone, StateKeeper } from './state';

export function forgetUpload(keeper: StateKeeper): void {
  keeper.cancel('start of upload');
  if (keeper.state.upload) keeper.set('upload', null);
}

export function playLater(keeper: StateKeeper, tone: PlayingTone, seconds: number, audio: Buffer): void {
  keeper.set('upload', tone);
  const begin = (): void => {
    keeper.set('upload', null);
    play(keeper, tone, audio);
  };
  if (seconds > 0) keeper.plan('start of upload', seconds, begin, `${tone.path} plays now`);
  else begin();
}

/**
 * Plays a tone for its `duration`. Without `duration`, a loop plays until a stop, and any other tone to the
 * end of its audio, but at least for `toneSeconds`.
 */
export function play(keeper: StateKeeper, tone: PlayingTone, audio?: Buffer): void {
  const length = tone.duration ?? (tone.loop ? undefined : roundSeconds(audio));
  keeper.setFor('tone', tone, length, `${tone.path} ended`);
}

/**
 * Returns the duration of a recording in seconds, but at least `toneSeconds`, so that a user can see the
 * tone.
 */
function roundSeconds(audio?: Buffer): number {
  return Math.max(toneSeconds, (audio && secondsOf(audio)) ?? 0);
}
