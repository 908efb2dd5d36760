import type { OverviewLease, OverviewNews } from '../../../runtime/answers';
import { ask, Refusal } from '../tools/ask';

const topic = 'algo/overview';
/** Between two words that somebody still looks, in milliseconds; the runtime waits three times as long. */
const renewMs = 10_000;

/** What is told of the line to Node-RED. */
interface Listener {
  news(news: OverviewNews): void;
  /** Why nothing comes; empty when it does. */
  trouble(sentence: string): void;
}

/**
 * The line to Node-RED, for as long as the sidebar can be seen. The editor does not tell when a tab is hidden, so it
 * goes by what is on the screen.
 */
export class Live {
  #lease: string | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isOnScreen = false;
  #isRenewing = false;

  constructor(
    element: HTMLElement,
    private readonly listener: Listener,
  ) {
    RED.comms.subscribe(topic, (_topic, news) => {
      if (this.#timer !== undefined) listener.news(news as OverviewNews);
    });
    // Another line to Node-RED: what was said on the one before is forgotten there.
    RED.comms.on('connect', () => {
      if (this.#timer !== undefined) void this.#renew();
    });
    new IntersectionObserver((entries) => {
      this.#isOnScreen = entries.at(-1)?.isIntersecting === true;
      this.#follow();
    }).observe(element);
    document.addEventListener('visibilitychange', () => this.#follow());
  }

  get #isSeen(): boolean {
    return this.#isOnScreen && document.visibilityState === 'visible';
  }

  #follow(): void {
    if (this.#isSeen === (this.#timer !== undefined)) return;
    if (this.#isSeen) {
      this.#timer = setInterval(() => void this.#renew(), renewMs);
      void this.#renew();
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
      if (this.#lease !== undefined) RED.comms.send(topic, { lease: this.#lease, over: true });
      this.#lease = undefined;
    }
  }

  /** Never rejects. One at a time: each of two would come back with a lease of its own. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      const { lease } = await ask<OverviewLease>('algo/overview/watch', { lease: this.#lease });
      if (this.#timer === undefined) return RED.comms.send(topic, { lease, over: true });
      this.#lease = lease;
      // Said each time: a line that broke meanwhile did not carry it.
      RED.comms.send(topic, { lease });
      this.listener.trouble('');
    } catch (error) {
      if (this.#timer === undefined) return;
      this.listener.trouble(error instanceof Refusal ? error.message : String(error));
    } finally {
      this.#isRenewing = false;
    }
  }
}
