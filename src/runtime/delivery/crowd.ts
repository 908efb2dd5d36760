import type { Abort } from '../../client/abort';
import { Gate } from '../../client/gate';

/** How long a target counts that has nothing on the wire, in milliseconds. */
const patienceMs = 1_000;

/**
 * The targets of one message that are spoken to at once. One that only waits, for a connection or for its next try,
 * counts no longer than a second: what is dead delays none of the others.
 */
export class Crowd {
  readonly #gate: Gate;

  /** @param parallel so many at once */
  constructor(parallel: number) {
    this.#gate = new Gate(parallel);
  }

  /**
   * Waits until there is room for one more.
   * @returns what makes room again, however often it is called
   * @throws Failure the abort's reason
   */
  async enter(abort: Abort): Promise<() => void> {
    await this.#gate.enter(abort);
    let isIn = true;
    const leave = () => {
      clearInterval(timer);
      if (isIn) this.#gate.leave();
      isIn = false;
    };
    const timer = setInterval(() => {
      if (!abort.onWire) leave();
    }, patienceMs);
    return leave;
  }
}
