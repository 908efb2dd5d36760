import { mayComeOn } from './receipts';
import { type JobMessage, type ResultMessage, receiptsFor } from './wire';

/** Maximum number of stored alerts of each site. Above this number, the oldest alert is removed. */
const maxAlerts = 100;
/** Maximum total length of the stored device names of a site, in characters. */
const maxNames = 512 * 1024;

/** Maximum number of stored sites. Results of further sites are ignored. */
const maxSites = 10_000;

const maxNodes = 200;

/**
 * A start of an alert: its time in epoch milliseconds of the centre's clock, the id of the `algo-site` node
 * that ran the start, and the devices where the alert might be on or might still be started.
 */
interface Start {
  readonly at: number;
  readonly nodeId: string;
  readonly isDrill: boolean;
  readonly devices: readonly string[];
}

class Site {
  /** The last start of each alert by each node, separately for drills. */
  readonly starts = new Map<string, Map<string, Start>>();
  /** The time of the last clear of each alert by each node, separately for drills. */
  readonly clears = new Map<string, Map<string, number>>();

  start(alert: string, start: Start): void {
    const ofAlert = this.starts.get(alert) ?? new Map<string, Start>();
    const key = keyOf(start.nodeId, start.isDrill);
    if (!isLater(start.at, ofAlert.get(key)?.at)) return;
    keep(this.starts, alert, ofAlert, maxAlerts);
    keep(ofAlert, key, start, maxNodes);
    let names = 0;
    for (const starts of this.starts.values()) for (const one of starts.values()) names += lengthOf(one);
    for (const [oldest, starts] of this.starts) {
      for (const [node, one] of starts) {
        if (names <= maxNames || one === start) return;
        names -= lengthOf(one);
        starts.delete(node);
      }
      this.starts.delete(oldest);
    }
  }

  clear(alert: string, at: number, nodeIds: readonly string[], isDrill: boolean): void {
    const clears = this.clears.get(alert) ?? new Map<string, number>();
    keep(this.clears, alert, clears, maxAlerts);
    for (const nodeId of nodeIds) {
      const key = keyOf(nodeId, isDrill);
      if (isLater(at, clears.get(key))) keep(clears, key, at, maxNodes);
    }
  }

  isCleared(alert: string, { at, nodeId, isDrill }: Start): boolean {
    // A clear that is not a drill also ends a drill.
    const keys = isDrill ? [true, false] : [false];
    return keys.some(
      (one) => (this.clears.get(alert)?.get(keyOf(nodeId, one)) ?? Number.NEGATIVE_INFINITY) >= at,
    );
  }
}

/**
 * The alerts that were started at each site, according to the results. Only the nodes that started an alert
 * can clear the alert.
 */
export class StartedAlerts {
  readonly #sites = new Map<string, Site>();

  /** Results can come in any order, since a broker delivers retained results in any order. */
  record(name: string, { started, cleared, receipts }: ResultMessage): void {
    if (!started && !cleared) return;
    const site = this.#sites.get(name) ?? new Site();
    if (this.#sites.size >= maxSites && !this.#sites.has(name)) return;
    this.#sites.set(name, site);
    if (started) {
      const devices = [...new Set(receipts.filter(mayComeOn).map(({ device }) => device))];
      const { alert, at, nodeId, drill: isDrill = false } = started;
      if (devices.length > 0) site.start(alert, { at: Date.parse(at), nodeId, isDrill, devices });
    }
    if (!cleared) return;
    const { alert, at, nodeIds = [], drill = false } = cleared;
    site.clear(alert, Date.parse(at), nodeIds, drill);
  }

  /**
   * Adds receipts to the result of a clear if a node that started the alert has not carried out the clear:
   * one `unknown` receipt for each device where the alert might be on or might still be started. Returns other
   * results unchanged.
   */
  withRest<R extends Omit<ResultMessage, 'instance'>>({ site, command }: JobMessage, result: R): R {
    const devices = this.#leftOn(site, result);
    if (devices.length === 0) return result;
    const reason = 'the instance that started the alert is offline';
    const details = [`the site is "${site}"`, 'that instance clears the alert when it is online again'];
    const words = { reason, details };
    const rest = receiptsFor({ command, devices }, 'unknown', 'ABORTED', words, result.at);
    return { ...result, receipts: [...result.receipts, ...rest] };
  }

  /** Whether the result belongs to a clear, and a node that started the alert has not carried out the clear. */
  hasRest({ site }: JobMessage, result: ResultMessage): boolean {
    return this.#leftOn(site, result).length > 0;
  }

  /** @returns the devices; a clear of a drill leaves no device of a real alert */
  #leftOn(name: string, { cleared }: Omit<ResultMessage, 'instance'>): readonly string[] {
    const site = this.#sites.get(name);
    if (!cleared || !site) return [];
    const { alert, drill } = cleared;
    const starts = [...(site.starts.get(alert)?.values() ?? [])].filter(({ isDrill }) => isDrill || !drill);
    return [...new Set(starts.flatMap((start) => (site.isCleared(alert, start) ? [] : start.devices)))];
  }
}

const keyOf = (nodeId: string, isDrill: boolean) => `${isDrill} ${nodeId}`;

function lengthOf({ devices }: Start): number {
  return devices.reduce((sum, device) => sum + device.length, 0);
}

function keep<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

function isLater(at: number, known: number | undefined): boolean {
  return Number.isFinite(at) && (known === undefined || at >= known);
}
