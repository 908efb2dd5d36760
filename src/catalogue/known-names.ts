/** Settings that are known by name (docs/interface.md, sections 2.1 and 5; docs/field-notes.md, sections 2 and 5). */
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

/** Folders of the file manager that are known by name (docs/interface.md, section 2.6; docs/field-notes.md, section 5). */
export const knownFolders: readonly string[] = ['tones', 'images'];
