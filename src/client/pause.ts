import type { Abort } from './abort';

/**
 * Waits, and no longer than the call lives.
 * @throws Failure the abort's reason
 */
export function pause(ms: number, abort: Abort): Promise<void> {
  return new Promise((resolve, reject) => {
    if (abort.reason) return reject(abort.reason);
    const timer = setTimeout(() => {
      abort.tell(undefined);
      resolve();
    }, ms);
    abort.tell((reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}
