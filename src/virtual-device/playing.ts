import { TONE_SECONDS } from './choices';
import type { PlayingTone, StateKeeper } from './state';

/** Ends the tone, if one plays. */
export function silence(keeper: StateKeeper): void {
  keeper.cancel('end of tone');
  keeper.set('tone', null);
}

/** Plays a tone until it ends, its `duration` is over, or it is stopped. */
export function play(keeper: StateKeeper, tone: PlayingTone): void {
  keeper.cancel('end of tone');
  keeper.set('tone', tone);
  const length = tone.duration ?? (tone.loop ? undefined : TONE_SECONDS);
  if (length !== undefined) keeper.plan('end of tone', length, () => silence(keeper));
}
