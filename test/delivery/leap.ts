/** Lets seconds, hours or days pass at once, for whoever looks at the time; timers stay as they are. */
export class Leap {
  readonly #monotonic = performance.now;
  readonly #now = Date.now;
  #leapt = 0;

  constructor() {
    performance.now = () => this.#monotonic.call(performance) + this.#leapt;
    Date.now = () => this.#now() + this.#leapt;
  }

  seconds(count: number): void {
    this.#leapt += count * 1000;
  }

  end(): void {
    performance.now = this.#monotonic;
    Date.now = this.#now;
  }
}
