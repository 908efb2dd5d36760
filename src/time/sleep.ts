interface Cancellation {
  readonly reason: Error | undefined;
  setListener(listener: ((reason: Error) => void) | undefined): void;
}

/** @throws the cancellation's reason, without waiting for the end of the sleep */
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
