import type { SharedJournal } from '../../kernel/journal/journal';
import { count, either, flag, list, number, oneOf, open, type Shape, text } from '../../kernel/shape';
import { type JournalChange, WriteBehindMap } from '../../kernel/write-behind-map';
import type { Outcome } from '../message/receipt';
import type { Acknowledgement, Alert, Named } from './alert';
import { isNamed } from './outputs';

const maxReports = 20;

export interface MissedAction {
  readonly device: string;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly reason: string | null;
  readonly message: string | null;
}

export interface AlertReport {
  readonly name: string;
  readonly drill: boolean;
  readonly priority: number;
  readonly startedAt: string;
  readonly startedBy: string | null;
  readonly clearedAt: string | null;
  readonly clearedBy: string | null;
  readonly targets: number;
  readonly reached: number;
  readonly held: number;
  readonly dryRun: number;
  readonly missed: readonly MissedAction[];
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly clearMs: number | null;
  readonly updates: number;
  readonly acknowledged: readonly Acknowledgement[];
}

/** The part of a receipt that a report needs. */
export interface ReportedReceipt {
  readonly operation: string;
  readonly device: string;
  readonly outcome: Outcome;
  readonly isHeld?: boolean | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Time from the message to its receipt, in milliseconds; undefined if a report does not count it. */
  readonly latencyMs?: number | undefined;
}

/** The last receipt of an action at a target. */
export interface ActionReceipt extends ReportedReceipt {
  readonly target: Named;
  /** Position of the action in its alert; undefined for a retry, which `deviceOutput` identifies. */
  readonly index?: number | undefined;
  readonly deviceOutput?: string | undefined;
}

interface KeptReceipt extends ActionReceipt {
  readonly alert: string;
  readonly run: string;
  readonly index: number;
  /** The time of the accepted receipt of the run's first start; a later receipt of the action keeps it. */
  readonly latencyMs?: number | undefined;
}

interface ClosedReport {
  readonly alert: string;
  readonly run: string;
  readonly isRefused?: boolean | undefined;
  readonly report: AlertReport;
}

/** An action at a target. */
type TargetAction = Pick<ActionReceipt, 'target' | 'operation' | 'index'>;

interface OpenReport {
  readonly alert: Alert;
  /** The actions whose starts are under way. */
  readonly starting: readonly TargetAction[];
}

/** @param order number of the start, by which the reports are sorted */
export function newRun(order: number, now: number): string {
  return `${order}-${now}`;
}

function orderOf({ run }: Pick<ClosedReport, 'run'>): number {
  return Number.parseInt(run, 10) || 0;
}

/** The closed reports of all alerts, and the receipts from which the reports of active alerts are derived. */
export class Reports {
  readonly #closed: WriteBehindMap<ClosedReport>;
  readonly #receipts: WriteBehindMap<KeptReceipt>;
  /** For each alert, its closed reports, newest first. */
  readonly #closedOf = new Map<string, readonly ClosedReport[]>();
  /** For each alert, the keys of its receipts. */
  readonly #receiptsOf = new Map<string, Set<string>>();

  constructor(journal: SharedJournal) {
    this.#closed = new WriteBehindMap(journal, 'alert/report/', isClosedReport);
    this.#receipts = new WriteBehindMap(journal, 'alert/receipt/', isKeptReceipt);
    for (const closed of this.#closed.values()) this.#add(closed);
    for (const [key, { alert }] of this.#receipts) this.#keysOf(alert).add(key);
  }

  /** Returns the changes since the last call, for the journal. */
  takeChanges(): JournalChange[] {
    return [...this.#closed.takeChanges(), ...this.#receipts.takeChanges()];
  }

  /** Keeps the last receipt of an action. */
  record(alert: Alert, receipt: ActionReceipt): void {
    const { index } = receipt;
    if (index !== undefined) this.#put({ ...receipt, index, alert: alert.id, run: alert.run });
    // The receipt of a cancelled retry, for example after a clear, says nothing about the action, so the
    // earlier receipt is kept.
    else if (receipt.outcome !== 'superseded') this.#recordRetry(alert, receipt);
  }

  /** Devices with one address share the receipt of a retry, and each keeps its name. */
  #recordRetry(alert: Alert, { index: _, latencyMs: __, ...receipt }: ActionReceipt): void {
    const { operation, deviceOutput } = receipt;
    const { id, where } = receipt.target;
    const meant = new Map<string, KeptReceipt>();
    for (const kept of this.#receiptsIn(alert)) {
      const isThere = kept.target.id === id || (where !== undefined && kept.target.where === where);
      if (isThere && kept.operation === operation && kept.deviceOutput === deviceOutput)
        meant.set(kept.target.id, kept);
    }
    for (const { alert: of, run, target, index, device } of meant.values())
      this.#put({ ...receipt, alert: of, run, target, index, device });
  }

  /**
   * @param clearMs time from the clear until nothing was pending, in milliseconds; null if unknown, or if a
   * new start came first
   * @param now current time in ISO 8601
   */
  close({ alert, starting }: OpenReport, clearMs: number | null, now: string): void {
    const receipts = this.#receiptsIn(alert);
    const report = reportOf(alert, receipts, starting, { clearedAt: alert.clearedAt ?? now, clearMs });
    this.#keep({ alert: alert.id, run: alert.run, report });
    this.forgetReceipts(alert.id);
  }

  /** Keeps the report of a start that has not made the alert active. */
  refuse(alert: Alert, receipts: readonly ActionReceipt[], now: string): void {
    const untimed = receipts.map(({ latencyMs: _, ...receipt }) => receipt);
    const report = reportOf(alert, untimed, [], { clearedAt: now, clearMs: null });
    this.#keep({ alert: alert.id, run: alert.run, isRefused: true, report });
  }

  /**
   * Returns the last reports of an alert, up to `maxReports`, newest first; an open report comes first.
   * @param open undefined if the alert is idle
   */
  of(alertId: string, open: OpenReport | undefined): AlertReport[] {
    const closed = (this.#closedOf.get(alertId) ?? []).map(({ report }) => report);
    return structuredClone([...(open ? [this.#openOf(open)] : []), ...closed].slice(0, maxReports));
  }

  newestOf(alertId: string, open: OpenReport | undefined): AlertReport | undefined {
    return open ? this.#openOf(open) : this.#closedOf.get(alertId)?.[0]?.report;
  }

  /** Returns the last closed report of a run in which the alert was on; undefined if there is none. */
  lastOf(alertId: string): AlertReport | undefined {
    return this.#closedOf.get(alertId)?.find(({ isRefused }) => !isRefused)?.report;
  }

  /** Highest `order` of the starts with a closed report; 0 if there is none. */
  get lastOrder(): number {
    return Math.max(0, ...[...this.#closedOf.values()].map(([newest]) => (newest ? orderOf(newest) : 0)));
  }

  forgetReceipts(alertId: string): void {
    for (const key of this.#keysOf(alertId)) this.#receipts.delete(key);
    this.#receiptsOf.delete(alertId);
  }

  #openOf({ alert, starting }: OpenReport): AlertReport {
    return reportOf(alert, this.#receiptsIn(alert), starting, { clearedAt: null, clearMs: null });
  }

  #put(kept: KeptReceipt): void {
    const key = `${kept.alert}/${kept.run}/${keyOf(kept)}`;
    const before = this.#receipts.get(key);
    // An invalid action has no device output, but a start of the action from before might still be retried there.
    const { deviceOutput = before?.deviceOutput } = kept;
    const latencyMs = (isAccepted(kept) ? kept.latencyMs : undefined) ?? before?.latencyMs;
    this.#keysOf(kept.alert).add(key);
    this.#receipts.set(key, { ...kept, deviceOutput, latencyMs });
  }

  #receiptsIn({ id, run }: Alert): KeptReceipt[] {
    return [...this.#keysOf(id)].flatMap((key) => {
      const kept = this.#receipts.get(key);
      return kept?.run === run ? [kept] : [];
    });
  }

  #keysOf(alertId: string): Set<string> {
    const keys = this.#receiptsOf.get(alertId) ?? new Set();
    this.#receiptsOf.set(alertId, keys);
    return keys;
  }

  #keep(closed: ClosedReport): void {
    this.#closed.set(closedKey(closed), closed);
    for (const old of this.#add(closed)) this.#closed.delete(closedKey(old));
  }

  /** Returns the oldest reports, which are too many. */
  #add(closed: ClosedReport): readonly ClosedReport[] {
    const all = [closed, ...(this.#closedOf.get(closed.alert) ?? [])];
    all.sort((one, other) => orderOf(other) - orderOf(one));
    this.#closedOf.set(closed.alert, all.slice(0, maxReports));
    return all.slice(maxReports);
  }
}

function keyOf({ target, operation, index }: TargetAction): string {
  return `${target.id}/${index}/${operation}`;
}

function closedKey({ alert, run }: Pick<ClosedReport, 'alert' | 'run'>): string {
  return `${alert}/${run}`;
}

/** Whether a receipt says that the device has accepted the action. */
export function isAccepted({ outcome }: Pick<ActionReceipt, 'outcome'>): boolean {
  return outcome === 'accepted' || outcome === 'confirmed';
}

function isMissed({ outcome }: ActionReceipt): boolean {
  return outcome === 'failed' || outcome === 'unknown' || outcome === 'expired';
}

function isSkipped({ outcome }: ActionReceipt): boolean {
  return outcome === 'skipped';
}

function isDryRun({ outcome }: ActionReceipt): boolean {
  return outcome === 'dry-run';
}

/** Derives the report of a run from the receipts of the run. */
function reportOf(
  alert: Alert,
  receipts: readonly ActionReceipt[],
  starting: readonly TargetAction[],
  { clearedAt, clearMs }: Pick<AlertReport, 'clearedAt' | 'clearMs'>,
): AlertReport {
  const targets = new Map<string, ActionReceipt[]>(alert.targets.map((id) => [id, []]));
  for (const receipt of receipts) {
    const { id } = receipt.target;
    targets.set(id, [...(targets.get(id) ?? []), receipt]);
  }
  const all = [...targets.values()].map((at) => at.sort((one, other) => indexOf(one) - indexOf(other)));
  const answered = new Set(receipts.map(keyOf));
  const unanswered = new Set(starting.flatMap((one) => (answered.has(keyOf(one)) ? [] : one.target.id)));
  const isUnanswered = ([receipt]: readonly ActionReceipt[]) => unanswered.has(receipt?.target.id ?? '');
  const countOf = (holds: (at: readonly ActionReceipt[]) => boolean) => all.filter(holds).length;
  const times = receipts.flatMap(({ latencyMs = [] }) => latencyMs);
  const { name, drill, priority, since, by = null, clearedBy = null, updates = 0, acknowledged = [] } = alert;
  return {
    ...{ name, drill, priority, startedAt: since, startedBy: by, clearedAt, clearedBy },
    targets: alert.targets.length,
    reached: countOf((at) => at.some(isAccepted) && !at.some(isMissed)),
    // Another alert has held back all actions that the target supports.
    held: countOf((at) => at.some(({ isHeld }) => isHeld) && at.every(isSkipped) && !isUnanswered(at)),
    dryRun: countOf((at) => at.some(isDryRun)),
    missed: all.flat().filter(isMissed).map(missedOf),
    firstMs: times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : null,
    lastMs: times.length > 0 ? times.reduce((one, other) => Math.max(one, other)) : null,
    ...{ clearMs, updates, acknowledged: acknowledged.map((one) => ({ ...one })) },
  };
}

function indexOf({ index = 0 }: ActionReceipt): number {
  return index;
}

function missedOf(receipt: ActionReceipt): MissedAction {
  const { device, operation, outcome, code = null, reason = null, message = null } = receipt;
  return { device, operation, outcome, code, reason, message };
}

const textOrNull = either(text(), oneOf(null));
const numberOrNull = either(number(), oneOf(null));
const outcome = text() as Shape<string> as Shape<Outcome>;
export const isAcknowledgement = open({ by: text(), at: text() }, { answer: text() });
const isMissedAction = open({
  ...{ device: text(), operation: text(), outcome, code: textOrNull },
  ...{ reason: textOrNull, message: textOrNull },
});
const isReport = open({
  ...{ name: text(), drill: flag, priority: number(), startedAt: text(), startedBy: textOrNull },
  ...{ clearedAt: textOrNull, clearedBy: textOrNull, targets: count, reached: count, held: count },
  ...{ dryRun: count, missed: list(isMissedAction), firstMs: numberOrNull, lastMs: numberOrNull },
  ...{ clearMs: numberOrNull, updates: count, acknowledged: list(isAcknowledgement) },
});
const isClosedReport = open(
  { alert: text(), run: text(), report: isReport },
  { isRefused: flag },
) as Shape<unknown> as Shape<ClosedReport>;
const isKeptReceipt = open(
  {
    ...{ alert: text(), run: text(), target: isNamed, operation: text(), index: count },
    ...{ device: text(), outcome },
  },
  {
    ...{ deviceOutput: text(), isHeld: flag, code: text(), reason: text(), message: text() },
    latencyMs: number(),
  },
);
