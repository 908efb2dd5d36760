/** A broker that gave back no sign of life for so long lets this site write and not read, in milliseconds. */
const deafAfterMs = 5_000;

/** So many connections in a row that were lost before it heard itself are no accident. */
const mostLost = 3;

/** Whether a site hears itself over its broker, which lets it read, write, both or neither. */
export class Hearing {
  /** Since when it is connected and hears nothing of itself. */
  #since: number | undefined;
  /** Connections in a row that ended before: so some brokers answer what may not be said. */
  #lost = 0;
  #isRefused = false;

  /** The connection has begun or ended. */
  connection(is: boolean, wasConnected: boolean, hasHeard: boolean): void {
    this.#isRefused = false;
    if (wasConnected && !is && !hasHeard) this.#lost += 1;
  }

  /** The broker has refused to let it read. */
  refused(): void {
    this.#isRefused = true;
  }

  isDeaf(isConnected: boolean, hears: boolean, now: number): boolean {
    if (hears) this.#lost = 0;
    if (!isConnected || hears) this.#since = undefined;
    else this.#since ??= now;
    const isLong = this.#since !== undefined && now - this.#since >= deafAfterMs;
    return isLong || this.#isRefused || this.#lost >= mostLost;
  }
}
