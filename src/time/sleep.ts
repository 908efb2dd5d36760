/**
 * A cancellation with at most one listener, such as the client's `Abort`. `reason` is undefined until the
 * caller cancels.
 */
interface Cancellation {
  readonly reason: Error | undefined;
  setListener(listener: ((reason: Error) => void) | undefined): void;
}

/** @throws the reason of the cancellation, as soon as the caller cancels */
export function sleep(ms: number, abort: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    if (abort.reason) return reject(abort.reason);
    const timer = setTimeout(() => {
      abort.setListener(undefined);
      resolve();
    }, ms);
    abort.setListener((reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}
