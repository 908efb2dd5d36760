/** Known names of settings (docs/interface.md, sections 2.1 and 5; docs/field-notes.md, sections 2 and 5). */
export const knownSettings: readonly string[] = [
  'admin.timezone',
  'admin.web.api',
  'api.auth.basic',
  'api.auth.tsvar',
  'audio.input.gain',
  'audio.mic.mute',
  'audio.noise.max',
  'audio.noise.use',
  'audio.page.vol',
  'audio.ring.vol',
  'audio.vol.spk',
  'mcast.mode',
  'mcast.tx.fixed',
  'net.time1',
];

export const knownFolders: readonly string[] = ['tones', 'images'];

/** The tones that are pre-loaded on every device (docs/interface.md, section 2.2). */
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
