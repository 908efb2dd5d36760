interface Sounds {
  readonly audio: string;
  readonly chime: string;
  readonly repeat: string;
}

export function playsWords(translate: Translate, { audio, chime, repeat }: Sounds): string {
  const times = Number(repeat) > 1 ? `${Number(repeat)} × ` : '';
  return translate(chime === '' ? 'preview.plays' : 'preview.chimed', { audio: `${times}${audio}`, chime });
}
