interface Sounds {
  readonly audio: string;
  readonly chime: string;
  readonly repeat: string;
}

/** Returns a sentence, without its period, that names the sounds of an announcement. */
export function playsWords(translate: Translate, { audio, chime, repeat }: Sounds): string {
  const times = Number(repeat) > 1 ? `${Number(repeat)} × ` : '';
  return translate(chime === '' ? 'preview.plays' : 'preview.chimed', { audio: `${times}${audio}`, chime });
}
