import fs, { type FileHandle } from 'node:fs/promises';

/** How a disk behaves that hangs: before or after it has done what it was asked, and what it says in the end. */
export interface Hang {
  readonly when: 'before' | 'after';
  readonly fails?: boolean;
}

type Handle = Pick<FileHandle, 'appendFile' | 'close' | 'datasync' | 'sync'>;

/** The file system, on a disk that hangs from one of its calls on, when it is told to, until it is let go. */
export class HangingDisk {
  /** How many calls came. */
  calls = 0;
  #hang: (Hang & { inCalls: number }) | undefined;
  #letGo: (() => void) | undefined;
  #returned = 0;
  /** How often it was let go: a call that has begun before does not hang any more. */
  #times = 0;

  /** The call after so many others does not return. */
  hang(how: Hang = { when: 'before' }, inCalls = 0): void {
    this.#hang ??= { ...how, inCalls };
  }

  /** Some call has not returned. */
  get isBusy(): boolean {
    return this.#returned < this.calls;
  }

  get hangs(): boolean {
    return this.#letGo !== undefined;
  }

  /** What hangs returns, and nothing hangs any more. */
  letGo(): void {
    this.#hang = undefined;
    this.#times += 1;
    this.#letGo?.();
    this.#letGo = undefined;
  }

  readonly files = {
    mkdir: this.#around(fs.mkdir),
    readFile: this.#around(fs.readFile),
    rename: this.#around(fs.rename),
    rm: this.#around(fs.rm),
    writeFile: this.#around(fs.writeFile),
    open: this.#around(
      async (...given: Parameters<typeof fs.open>) => {
        const handle = await fs.open(...given);
        const wrapped: Handle = {
          appendFile: this.#around(handle.appendFile.bind(handle)),
          close: this.#around(handle.close.bind(handle)),
          datasync: this.#around(handle.datasync.bind(handle)),
          sync: this.#around(handle.sync.bind(handle)),
        };
        return wrapped as FileHandle;
      },
      (handle) => handle.close(),
    ),
  };

  #around<Given extends unknown[], T>(
    call: (...given: Given) => Promise<T>,
    undo?: (done: T) => Promise<unknown>,
  ) {
    return (async (...given: Given) => {
      const hang = this.#turn();
      const times = this.#times;
      try {
        if (hang?.when === 'before') await this.#hanging();
        // What fails may have been done all the same.
        const done = await call(...given);
        if (hang?.when === 'after' && times === this.#times) await this.#hanging();
        if (hang?.fails) {
          await undo?.(done);
          throw new Error('EIO: i/o error');
        }
        return done;
      } finally {
        this.#returned += 1;
      }
    }) as (...given: Given) => Promise<T>;
  }

  #turn(): Hang | undefined {
    this.calls += 1;
    if (!this.#hang || this.#hang.inCalls-- > 0) return undefined;
    const hang = this.#hang;
    this.#hang = undefined;
    return hang;
  }

  #hanging(): Promise<void> {
    return new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }
}
