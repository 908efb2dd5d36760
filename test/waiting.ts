/** Shortly before the limit of all tests (`.mocharc.json`): a test that hangs says what never came about. */
const patienceMs = 570_000;

/** Waits for what events bring about: somebody has to call `look` at each of them. */
export class Waiting {
  readonly #looks = new Set<() => void>();

  /** @param heard what has happened so far, for the error of what never comes about */
  constructor(private readonly heard: () => unknown) {}

  /** Something has happened. */
  readonly look = (): void => {
    for (const look of this.#looks) look();
  };

  /** Resolves as soon as this holds. */
  until(what: string, holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        this.#looks.delete(look);
      };
      const look = () => {
        if (!holds()) return;
        finish();
        resolve();
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`it never came about that ${what}; heard: ${this.heard()}`));
      }, patienceMs).unref();
      this.#looks.add(look);
      look();
    });
  }
}
