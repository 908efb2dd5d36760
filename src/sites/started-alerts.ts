import { type JobMessage, type ResultMessage, receiptsFor } from './wire';

/** Outcomes after which an output might be on. */
const mayBeOn = new Set(['accepted', 'confirmed', 'unknown']);

/** Maximum number of stored alerts of each site. Above this number, the oldest alert is removed. */
const maxAlerts = 100;
/** Maximum total length of the stored device names of a site, in characters. */
const maxNames = 512 * 1024;

/** Maximum number of stored sites. Results of further sites are ignored. */
const maxSites = 10_000;

const maxNodes = 200;

/**
 * A start of an alert: its time in epoch milliseconds of the centre's clock, the id of the `algo-site` node
 * that ran the start, and the devices where the alert might be on.
 */
interface Start {
  readonly at: number;
  readonly nodeId: string;
  readonly devices: readonly string[];
}

class Site {
  readonly starts = new Map<string, Start>();
  readonly clears = new Map<string, Map<string, number>>();

  start(alert: string, start: Start): void {
    if (!isLater(start.at, this.starts.get(alert)?.at)) return;
    keep(this.starts, alert, start, maxAlerts);
    let names = 0;
    for (const one of this.starts.values()) names += lengthOf(one);
    for (const [oldest, one] of this.starts) {
      if (names <= maxNames || oldest === alert) return;
      names -= lengthOf(one);
      this.starts.delete(oldest);
    }
  }

  clear(alert: string, at: number, nodeIds: readonly string[]): void {
    const clears = this.clears.get(alert) ?? new Map<string, number>();
    keep(this.clears, alert, clears, maxAlerts);
    for (const nodeId of nodeIds) if (isLater(at, clears.get(nodeId))) keep(clears, nodeId, at, maxNodes);
  }
}

/**
 * The alerts that were started at each site, according to the results. Only the node that started an alert
 * can clear the alert.
 */
export class StartedAlerts {
  readonly #sites = new Map<string, Site>();

  /** Results can come in any order, since a broker delivers retained results in any order. */
  record(name: string, { started, cleared, receipts }: ResultMessage): void {
    if (!started && (!cleared || cleared.drill)) return;
    const site = this.#sites.get(name) ?? new Site();
    if (this.#sites.size >= maxSites && !this.#sites.has(name)) return;
    this.#sites.set(name, site);
    if (started) {
      const on = receipts.filter(({ outcome }) => mayBeOn.has(outcome));
      const devices = [...new Set(on.map(({ device }) => device))];
      const { alert, at, nodeId } = started;
      if (devices.length > 0) site.start(alert, { at: Date.parse(at), nodeId, devices });
    }
    if (cleared && !cleared.drill) site.clear(cleared.alert, Date.parse(cleared.at), cleared.nodeIds ?? []);
  }

  /**
   * Adds receipts to the result of a clear if the node that started the alert has not carried out the clear:
   * one `unknown` receipt for each device where the alert might be on. Returns other results unchanged.
   */
  withRest<R extends Omit<ResultMessage, 'instance'>>({ site, command }: JobMessage, result: R): R {
    const start = this.#leftOn(site, result);
    if (!start) return result;
    const reason = 'the instance that started the alert is offline';
    const details = [`the site is "${site}"`, 'that instance clears the alert when it is online again'];
    const words = { reason, details };
    const { devices } = start;
    const rest = receiptsFor({ command, devices }, 'unknown', 'ABORTED', words, result.at);
    return { ...result, receipts: [...result.receipts, ...rest] };
  }

  /**
   * Whether the result belongs to a clear other than a drill, and the node of the alert's last start has not
   * carried out the clear.
   */
  hasRest({ site }: JobMessage, result: ResultMessage): boolean {
    return this.#leftOn(site, result) !== undefined;
  }

  #leftOn(name: string, { cleared }: Omit<ResultMessage, 'instance'>): Start | undefined {
    if (!cleared || cleared.drill) return undefined;
    const site = this.#sites.get(name);
    const start = site?.starts.get(cleared.alert);
    if (!start) return undefined;
    const clearedAt = site?.clears.get(cleared.alert)?.get(start.nodeId) ?? Number.NEGATIVE_INFINITY;
    return clearedAt < start.at ? start : undefined;
  }
}

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
