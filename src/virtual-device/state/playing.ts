import { toneSeconds } from '../choices';
import { secondsOf } from './media';
import type { PlayingTone, StateKeeper } from './state';

/** Ends the tone, if one plays. */
export function silence(keeper: StateKeeper): void {
  keeper.cancel('end of tone');
  keeper.set('tone', null);
}

/** Lets no uploaded file play any more that is still being made ready. */
export function forgetUpload(keeper: StateKeeper): void {
  keeper.cancel('start of upload');
  if (keeper.state.upload) keeper.set('upload', null);
}

/** Makes an uploaded file ready, and plays it `seconds` later (section 4.5.2). */
export function playLater(keeper: StateKeeper, tone: PlayingTone, seconds: number, audio: Buffer): void {
  keeper.set('upload', tone);
  const begin = (): void => {
    keeper.set('upload', null);
    play(keeper, tone, audio);
  };
  if (seconds > 0) keeper.plan('start of upload', seconds, begin, `${tone.path} plays now`);
  else begin();
}

/** Plays a tone until it ends, its `duration` is over, or it is stopped; without `audio` its length is ours. */
export function play(keeper: StateKeeper, tone: PlayingTone, audio?: Buffer): void {
  keeper.cancel('end of tone');
  keeper.set('tone', tone);
  const length = tone.duration ?? (tone.loop ? undefined : roundSeconds(audio));
  if (length !== undefined) keeper.plan('end of tone', length, () => silence(keeper), `${tone.path} ended`);
}

/** A moment is shown for as long as a person needs to see it. */
function roundSeconds(audio?: Buffer): number {
  return Math.max(toneSeconds, (audio && secondsOf(audio)) ?? 0);
}
