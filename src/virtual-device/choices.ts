/**
 * The choices of the virtual device where the interface document leaves something open ("not documented"),
 * with the evidence. [D], [R], [T] are the marks of docs/field-notes.md; "our choice" means: without
 * evidence.
 */

/** HTTP statuses. The interface document shows none (section 7.5). */
export const httpStatus = {
  /** Success, often with an empty body (docs/field-notes.md section 2). */
  success: 200,
  /** PUT /api/settings (docs/field-notes.md section 2). */
  settingsWritten: 204,
  /** Wrong password, authentication method or clock, or a disabled interface: 403 with a Date header [R]. */
  forbidden: 403,
  /** A body, field, value or query that the interface document does not allow [T]. */
  badRequest: 400,
  /** An unknown path, setting or file, or an operation that this model or firmware does not support [T]. */
  notFound: 404,
  /** A known path with another method; our choice, from the HTTP standard. */
  methodNotAllowed: 405,
  /** A body above the size limit; our choice, from the HTTP standard. */
  tooLarge: 413,
  /** A defect of this device; our choice, from the HTTP standard. */
  internalError: 500,
  /** A change that could not be stored and was undone; our choice, from the HTTP standard. */
  notKept: 507,
} as const;

/**
 * The text of every rejected authentication: on hardware the causes cannot be distinguished
 * (docs/field-notes.md section 2). The log of the device has the real cause.
 */
export const forbiddenWords = 'Forbidden';

/** The published factory password [D]. */
export const factoryPassword = 'algo';

/** The only user name in the interface document (section 5). */
export const adminName = 'admin';

/**
 * Duration in seconds of a pre-loaded tone, and minimum duration of any tone that neither loops nor has a
 * `duration`. A scheduled SIP call has the same duration; our choice.
 */
export const toneSeconds = 3;

/** Duration in seconds of a scheduled event that streams audio (section 2.6a); our choice. */
export const eventSeconds = 60;

/** Temperature that every model reports (docs/field-notes.md section 3). */
export const temperature = '41C';

/** Duration of the test strobe and the test tone in seconds: "five seconds" (section 4.5). */
export const testSeconds = 5;

/**
 * Seconds until an uploaded file plays. Hardware takes 60 to 90 s (section 4.5.2), too long for a
 * demonstration.
 */
export const defaultUploadSeconds = 2;

/** Maximum size of the body of a request, in bytes; our choice. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** Maximum size of a JSON body, in bytes: nothing else runs while the device parses JSON; our choice. */
export const maxJsonBytes = 4 * 1024 * 1024;

/** Maximum size in bytes of a body that the log shows; our choice. */
export const maxPreviewBytes = 64 * 1024;

/** Capacity of the file manager, in bytes; our choice. */
export const maxStoreBytes = 256 * 1024 * 1024;

/**
 * Milliseconds of the device's clock without an answer after a reboot. Hardware takes about 90 s, too long
 * for a demonstration.
 */
export const defaultRebootMs = 5000;

/**
 * Milliseconds of the device's clock without an answer after a reload. There is no evidence of such a pause
 * on hardware.
 */
export const defaultReloadMs = 0;

/** Ambient noise level before the first request `noise/update`; our choice. */
export const noiseLevel = '-45dB';

/**
 * Noise level while ambient noise compensation is off (section 4.1), worded as in section 2.5; our choice.
 */
export const notMeasured = 'Disabled';

/** Mode of a relay input whose text does not name a mode; our choice. */
export const defaultInputMode = 'Normally Open';

/** The answer to a restore [T]. */
export const restoreWords = 'Restoring to default';

/** Maximum duration of one call, in seconds of real time, not of the device's clock; our choice. */
export const callSeconds = 5;

/** Maximum number of bytes that a call reads of the body of its answer; our choice. */
export const maxAnswerBytes = 64 * 1024;

/** Number of requests, and number of calls, that the log keeps; our choice. */
export const logLength = 500;

/** The settings of the Admin tab [T, R]; a change takes effect immediately (our choice). */
export const settingNames = {
  /** `0` disables the whole interface [R]. */
  interfaceEnabled: 'admin.web.api',
  password: 'api.admin.pwd',
  /** `0` Standard, `1` Basic, `-1` None [T]. */
  method: 'api.auth.basic',
  /**
   * The difference between the clocks of client and device must be less than this number of seconds (section
   * 5).
   */
  tolerance: 'api.auth.tsvar',
} as const;

/** The event type of every console button while no buttons are configured; our choice. */
export const buttonEvent = 'pageTone';

/**
 * Returns the answer text of a stop. The interface document requires plain text with the number of stopped
 * events; the words are from [T].
 */
export function stoppedWords(count: number): string {
  return `Stopped ${count} event(s).`;
}
