import type { OverviewLease, OverviewNews } from '../../../runtime/answers';
import { ask, Refusal } from '../tools/ask';

const topic = 'algo/overview';
/** Interval between two lease renewals, in milliseconds. The runtime sends rows only during a lease. */
const renewMs = 10_000;

interface Listener {
  news(news: OverviewNews): void;
  /** Called with the reason after a failed renewal of the lease; with '' after each successful renewal. */
  trouble(sentence: string): void;
}

/**
 * Receives the rows from the runtime while its element is visible. Observes the visibility itself, since the
 * editor does not report that a tab of the sidebar is hidden.
 */
export class LiveRows {
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

  /**
   * Renews the lease; does nothing while a renewal is running, since two requests would create two leases.
   * Never rejects.
   */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      const { lease } = await ask<OverviewLease>('algo/overview/watch', { lease: this.#lease });
      if (this.#timer === undefined) return RED.comms.send(topic, { lease, over: true });
      this.#lease = lease;
      // The lease is sent each time, since an earlier message might be lost with a broken connection.
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
