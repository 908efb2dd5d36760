import { type Clock, realClock } from './clock';

interface Cancellation {
  readonly reason: Error | undefined;
  setListener(listener: ((reason: Error) => void) | undefined): void;
}

/** @throws the cancellation's reason, without waiting for the end of the sleep */
export function sleep(
  ms: number,
  abort: Cancellation,
  clock: Pick<Clock, 'after'> = realClock,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (abort.reason) return reject(abort.reason);
    const cancel = clock.after(ms, () => {
      abort.setListener(undefined);
      resolve();
    });
    abort.setListener((reason) => {
      cancel();
      reject(reason);
    });
  });
}
