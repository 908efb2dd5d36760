/**
 * What the document leaves open ("not documented") and what this device does there, each with its evidence.
 * [D], [R], [T] are the marks of docs/field-notes.md; "ours" means nobody knows.
 */

/** HTTP statuses; the document shows none (section 7.5). */
export const httpStatus = {
  /** Success, often with an empty body (docs/field-notes.md section 2). */
  success: 200,
  /** PUT /api/settings (docs/field-notes.md section 2). */
  settingsWritten: 204,
  /** Wrong password, method or clock, and a switched-off interface: 403 with a Date header [R]. */
  forbidden: 403,
  /** A body, field, value or query that the document does not allow; of the four codes of [T] the plainest. */
  badRequest: 400,
  /** No such path, setting or file, and an operation that this model or firmware lacks [T]. */
  notFound: 404,
  /** A known path, another method; ours, after HTTP. */
  methodNotAllowed: 405,
  /** More than this device takes in; ours, after HTTP. */
  tooLarge: 413,
  /** More than this device takes in at once; ours, after HTTP. */
  busy: 503,
  /** A bug of this device; ours, after HTTP. */
  internalError: 500,
  /** A change that cannot be kept, and so is none; ours, after HTTP. */
  notKept: 507,
} as const;

/**
 * Every refusal for authentication has the same words: on hardware the causes cannot be told apart
 * (docs/field-notes.md section 2). The true cause is in the device's log.
 */
export const forbiddenWords = 'Forbidden';

/** The published factory password [D]. */
export const factoryPassword = 'algo';

/** The only username that the document shows (section 5). */
export const adminName = 'admin';

/** Seconds that a tone takes to play once, unless a recording says that it is longer; ours. */
export const toneSeconds = 3;

/** Seconds that a scheduled event streams, which the device works out by itself (section 2.6a); ours. */
export const eventSeconds = 60;

/** The temperature of every model (docs/field-notes.md section 3). */
export const temperature = '41C';

/** Seconds that the test strobe and test tone take to play once: "five seconds" (section 4.5). */
export const testSeconds = 5;

/** Seconds until an uploaded file plays; hardware takes 60 to 90 (section 4.5.2), which nobody wants to watch. */
export const defaultUploadSeconds = 2;

/** Bytes that one request may carry; ours. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** Bytes of a body that are looked at, for the log, though the request must be refused whatever they are; ours. */
export const maxPreviewBytes = 64 * 1024;

/** Bytes of bodies that are on their way at once; ours. */
export const maxBytesUnderway = 2 * maxBodyBytes;

/** Bytes that the file manager holds; ours. */
export const maxStoreBytes = 256 * 1024 * 1024;

/** Milliseconds without an answer after a reboot; hardware takes about 90 s, which nobody wants to watch. */
export const defaultRebootMs = 5000;

/** Milliseconds without an answer after a reload; nobody knows of any. */
export const defaultReloadMs = 0;

/** The ambient noise before any is set by hand; ours. */
export const noiseLevel = '-45dB';

/** The noise level while ambient noise compensation is off (section 4.1), in the word of section 2.5; ours. */
export const notMeasured = 'Disabled';

/** How a relay input is set up where its text does not say it; ours. */
export const defaultInputMode = 'Normally Open';

/** The answer to a restore [T]. */
export const restoreWords = 'Restoring to default';

/** Requests that the log keeps; ours. */
export const logLength = 500;

/** The switches behind the Admin tab [T, R]: a write to them takes effect at once (ours). */
export const settingNames = {
  /** `0` switches the whole interface off [R]. */
  interfaceEnabled: 'admin.web.api',
  password: 'api.admin.pwd',
  /** `0` Standard, `1` Basic, `-1` None [T]. */
  method: 'api.auth.basic',
  /** Seconds; the document, section 5. */
  tolerance: 'api.auth.tsvar',
} as const;

/** Console buttons whose identifiers nobody has configured start an event of this type; ours. */
export const buttonEvent = 'pageTone';

/** The document says plain text, how many events were stopped; these words are [T]. */
export function stoppedWords(count: number): string {
  return `Stopped ${count} event(s).`;
}
