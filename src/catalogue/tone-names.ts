/** The tones that every device brings (docs/interface.md, section 2.2). */
export const toneNames: readonly string[] = [
  'bell-na.wav',
  'bell-uk.wav',
  'buzzer.wav',
  'chime.wav',
  'dogs.wav',
  'gong.wav',
  'page-notif.wav',
  'speech-test.wav',
  'tone-1kHz-max.wav',
  'warble1-low.wav',
  'warble2-med.wav',
  'warble3-high.wav',
  'warble4-trill.wav',
];
