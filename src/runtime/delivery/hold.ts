import type { End } from './end';

/** A start of something, from when it begins to wait until it was answered. */
export interface Hold {
  /**
   * The start is about to be sent: from now on it counts as sent, also if this process dies.
   * @returns what resolves when that is written through, or cannot be; it never rejects
   */
  arm(end: End): Promise<void>;
  /**
   * The start was answered, or will not be sent. Later calls do nothing.
   * @param happened it was done, or may have been: the end it was armed with is the one to come, or none is.
   * Else what was to come before comes as if there had been no start
   * @returns when that is written through; undefined where it is
   */
  release(happened: boolean): Promise<void> | undefined;
}
