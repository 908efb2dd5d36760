import type { OverviewLease, OverviewNews } from '../../../runtime/answers';
import { ask, Refusal } from '../tools/ask';

const topic = 'algo/overview';
/** The time between two renewals of the lease, in milliseconds. The runtime waits three times as long. */
const renewMs = 10_000;

/** The receiver of news from Node-RED. */
interface Listener {
  news(news: OverviewNews): void;
  /** Receives the reason why no news arrives; empty when news arrives again. */
  trouble(sentence: string): void;
}

/**
 * A subscription to news from Node-RED while the sidebar is visible.
 * The editor does not report when a tab is hidden, so the class observes the visibility of its element.
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
    // On a new connection Node-RED does not know the lease that the previous connection announced.
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

  /** Renews the lease; never rejects. Only one request runs at a time, since two would create two leases. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      const { lease } = await ask<OverviewLease>('algo/overview/watch', { lease: this.#lease });
      if (this.#timer === undefined) return RED.comms.send(topic, { lease, over: true });
      this.#lease = lease;
      // The lease is sent each time, because a broken connection may have lost the previous message.
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
