import { count, either, flag, list, number, oneOf, open, pair, text } from '../../kernel/shape';
import type { Alert, DeviceAction, Named } from './alert';
import {
  type ActionResult,
  type AlertReport,
  isAccepted,
  type LastReceipt,
  reportOf,
  type TargetResults,
} from './report';

const reportPrefix = 'alert/report/';
const resultPrefix = 'alert/result/';

const maxReports = 20;

export interface ActionReceipt extends LastReceipt {
  readonly target: Named;
  readonly operation: string;
  /** Position of the action in its alert; undefined for a retry, which `deviceOutput` identifies. */
  readonly index?: number | undefined;
  readonly deviceOutput?: string | undefined;
  /** Time from the arrival of the message to the receipt, in milliseconds. */
  readonly latencyMs?: number | undefined;
}

interface ClosedReport {
  readonly alert: string;
  readonly run: string;
  readonly isRefused?: boolean;
  readonly report: AlertReport;
}

interface PersistedResults extends TargetResults {
  readonly alert: string;
  readonly run: string;
  readonly number: number;
}

interface RunResults {
  readonly targets: Map<string, PersistedResults>;
  next: number;
}

export function newRun(order: number, now: number): string {
  return `${order}-${now}`;
}

function orderOf({ run }: Pick<ClosedReport, 'run'>): number {
  return Number.parseInt(run, 10) || 0;
}

export function reportEntryIn(key: string, value: unknown): ClosedReport | PersistedResults | undefined {
  if (key.startsWith(reportPrefix)) return closedIn(value);
  return key.startsWith(resultPrefix) ? resultsIn(value) : undefined;
}

export function isReportKey(key: string): boolean {
  return key.startsWith(reportPrefix) || key.startsWith(resultPrefix);
}

export class Reports {
  readonly #closed = new Map<string, ClosedReport[]>();
  readonly #open = new Map<string, RunResults>();
  readonly #changes = new Map<string, unknown>();

  constructor(entries: Iterable<readonly [key: string, value: unknown]>) {
    for (const [key, value] of entries) {
      const entry = reportEntryIn(key, value);
      if (!entry) continue;
      if ('report' in entry) this.#add(entry);
      else this.#addResults(entry);
    }
  }

  /**
   * Updates the results after the start of the process. A start that was sent and has no receipt gets the
   * outcome `unknown`. Removes the results of ended runs.
   */
  begin(alerts: ReadonlyMap<string, Alert>): void {
    for (const { targets } of [...this.#open.values()]) {
      for (const kept of [...targets.values()]) {
        const alert = alerts.get(kept.alert);
        if (!alert || alert.run !== kept.run) this.#delete(kept);
        else if (kept.actions.some(({ sent = 0 }) => sent > 0))
          this.#put({ ...kept, actions: kept.actions.map(withUnknown(kept)) });
      }
    }
  }

  start(
    alert: Alert,
    { device, deviceOutput, action, index = 0, isHeld }: DeviceAction & { readonly isHeld: boolean },
  ): void {
    const kept = this.#at(alert, device);
    const { operation } = action;
    const last = isHeld ? ({ device: device.name, outcome: 'skipped', isHeld } as const) : undefined;
    const actions = withAction(kept.actions, { operation, index }, (before) => ({
      ...before,
      deviceOutput,
      sent: (before.sent ?? 0) + (isHeld ? 0 : 1),
      last: last ?? before.last,
    }));
    this.#put({ ...kept, actions });
  }

  /**
   * Records the last receipt of an action.
   * @param run the run to which the receipt belongs; a receipt of an earlier run is ignored
   */
  record(alert: Alert, run: string, receipt: ActionReceipt): void {
    if (alert.run !== run) return;
    const { target, operation, index, deviceOutput, latencyMs, ...last } = receipt;
    if (index !== undefined) {
      const kept = this.#at(alert, target);
      const actions = withAction(kept.actions, { operation, index }, (before) => ({
        ...before,
        // An invalid action has no device output and was not sent, so `sent` stays unchanged.
        ...(deviceOutput !== undefined && { deviceOutput, sent: Math.max(0, (before.sent ?? 0) - 1) }),
        last,
      }));
      const isTimed = latencyMs !== undefined && isAccepted(last);
      this.#put({ ...kept, actions, ...(isTimed && { acceptedMs: widened(kept.acceptedMs, latencyMs) }) });
      return;
    }
    // The receipt of a cancelled retry, for example after a clear, says nothing about the action, so the
    // earlier receipt is kept.
    const isCancelled = last.outcome === 'superseded';
    this.#changeRetried(alert, receipt, (before) => ({
      ...before,
      sent: Math.max(0, (before.sent ?? 0) - 1),
      // Devices with one address share the receipt, and each keeps its name.
      ...(!isCancelled && { last: { ...last, device: before.last?.device ?? last.device } }),
    }));
  }

  retry(alert: Alert, retried: Pick<ActionReceipt, 'target' | 'operation' | 'deviceOutput'>): void {
    this.#changeRetried(alert, retried, (before) => ({ ...before, sent: (before.sent ?? 0) + 1 }));
  }

  #changeRetried(
    alert: Alert,
    { target, operation, deviceOutput }: Pick<ActionReceipt, 'target' | 'operation' | 'deviceOutput'>,
    change: (before: ActionResult) => ActionResult,
  ): void {
    for (const kept of this.#resultsAt(alert)) {
      const { id, where } = kept.target;
      if (id !== target.id && (where === undefined || where !== target.where)) continue;
      const isMeant = (one: ActionResult) => one.operation === operation && one.deviceOutput === deviceOutput;
      const action = kept.actions.findLast(isMeant);
      if (!action) continue;
      this.#put({ ...kept, actions: kept.actions.map((one) => (one === action ? change(one) : one)) });
    }
  }

  /**
   * @param clearMs time from the clear until nothing was pending, in milliseconds; null if unknown, or if a
   * new start came first
   * @param now current time in ISO 8601
   */
  close(alert: Alert, clearMs: number | null, now: string): void {
    const results = this.#resultsAt(alert);
    const run = alert.run;
    // After a crash, the report might already be written and some of its results deleted.
    if (!this.#closed.get(alert.id)?.some((one) => one.run === run)) {
      const report = reportOf(alert, results, { clearedAt: alert.clearedAt ?? now, clearMs });
      this.#keep({ alert: alert.id, run, report });
    }
    for (const kept of results) this.#delete(kept);
  }

  refuse(alert: Alert, receipts: readonly ActionReceipt[], now: string): void {
    const results = new Map<string, TargetResults>();
    for (const { target, operation, index = 0, deviceOutput: _, latencyMs: __, ...last } of receipts) {
      const { actions = [] } = results.get(target.id) ?? {};
      results.set(target.id, { target, actions: [...actions, { operation, index, last }] });
    }
    const report = reportOf(alert, results.values(), { clearedAt: now, clearMs: null });
    this.#keep({ alert: alert.id, run: alert.run, isRefused: true, report });
  }

  /**
   * Returns the last reports of an alert, up to `maxReports`, newest first; an open report comes first.
   * @param alert undefined if the alert is idle
   */
  of(alertId: string, alert: Alert | undefined): AlertReport[] {
    const open = alert ? [reportOf(alert, this.#resultsAt(alert), { clearedAt: null, clearMs: null })] : [];
    const closed = (this.#closed.get(alertId) ?? []).flatMap(({ run, report }) =>
      alert && run === alert.run ? [] : [report],
    );
    return structuredClone([...open, ...closed].slice(0, maxReports));
  }

  newestOf(alertId: string, alert: Alert | undefined): AlertReport | undefined {
    if (!alert) return this.#closed.get(alertId)?.[0]?.report;
    return reportOf(alert, this.#resultsAt(alert), { clearedAt: null, clearMs: null });
  }

  /** Returns the last closed report of a run in which the alert was on; undefined if there is none. */
  lastOf(alertId: string): AlertReport | undefined {
    return this.#closed.get(alertId)?.find(({ isRefused }) => !isRefused)?.report;
  }

  takeChanges(): [key: string, value: unknown][] {
    const changes = [...this.#changes];
    this.#changes.clear();
    // A closed report is written before its results are deleted, because a crash can come between the two
    // writes.
    const isDeleted = ([, value]: readonly [string, unknown]) => value === undefined;
    return [...changes.filter((change) => !isDeleted(change)), ...changes.filter(isDeleted)];
  }

  /** Highest `order` of the starts with a closed report; 0 if there is none. */
  get lastOrder(): number {
    return Math.max(0, ...[...this.#closed.values()].map(([newest]) => (newest ? orderOf(newest) : 0)));
  }

  #keep(closed: ClosedReport): void {
    this.#changes.set(closedKey(closed), closed);
    this.#add(closed);
  }

  #add(closed: ClosedReport): void {
    const others = (this.#closed.get(closed.alert) ?? []).filter(({ run }) => run !== closed.run);
    const all = [closed, ...others].sort((one, other) => orderOf(other) - orderOf(one));
    for (const old of all.slice(maxReports)) this.#changes.set(closedKey(old), undefined);
    this.#closed.set(closed.alert, all.slice(0, maxReports));
  }

  #at(alert: Alert, { id, name, where }: Named): PersistedResults {
    const run = alert.run;
    const results = this.#runResults({ alert: alert.id, run });
    const known = results.targets.get(id);
    if (known) return known;
    const target = { id, name, ...(where !== undefined && { where }) };
    const added = { alert: alert.id, run, number: results.next, target, actions: [] };
    this.#addResults(added);
    return added;
  }

  #addResults(kept: PersistedResults): void {
    const results = this.#runResults(kept);
    results.targets.set(kept.target.id, kept);
    results.next = Math.max(results.next, kept.number + 1);
  }

  #put(kept: PersistedResults): void {
    this.#addResults(kept);
    this.#changes.set(resultKey(kept), kept);
  }

  #delete(kept: PersistedResults): void {
    const key = openKey({ id: kept.alert, run: kept.run });
    const targets = this.#open.get(key)?.targets;
    targets?.delete(kept.target.id);
    if (targets?.size === 0) this.#open.delete(key);
    this.#changes.set(resultKey(kept), undefined);
  }

  #resultsAt(alert: Alert): PersistedResults[] {
    return [...(this.#open.get(openKey(alert))?.targets.values() ?? [])];
  }

  #runResults({ alert, run }: Pick<PersistedResults, 'alert' | 'run'>): RunResults {
    const key = openKey({ id: alert, run });
    const results = this.#open.get(key) ?? { targets: new Map<string, PersistedResults>(), next: 0 };
    this.#open.set(key, results);
    return results;
  }
}

function openKey({ id, run }: Pick<Alert, 'id' | 'run'>): string {
  return `${id}/${run}`;
}

function closedKey({ alert, run }: Pick<ClosedReport, 'alert' | 'run'>): string {
  return `${reportPrefix}${alert}/${run}`;
}

function resultKey({ alert, run, number }: Pick<PersistedResults, 'alert' | 'run' | 'number'>): string {
  return `${resultPrefix}${alert}/${run}/${number}`;
}

function withAction(
  actions: readonly ActionResult[],
  { operation, index }: Pick<ActionResult, 'operation' | 'index'>,
  change: (before: ActionResult) => ActionResult,
): ActionResult[] {
  const isMeant = (one: ActionResult) => one.operation === operation && one.index === index;
  if (!actions.some(isMeant)) return [...actions, change({ operation, index })];
  return actions.map((one) => (isMeant(one) ? change(one) : one));
}

function withUnknown({ target }: PersistedResults): (action: ActionResult) => ActionResult {
  return (action) => {
    if (!action.sent) return action;
    const device = action.last?.device ?? target.name;
    const reason = 'Node-RED ended before the device answered';
    const message = `${reason}: ${action.operation} at "${device}"; the action might have been started`;
    return { ...action, sent: 0, last: { device, outcome: 'unknown', code: 'ABORTED', reason, message } };
  };
}

function widened(times: TargetResults['acceptedMs'], ms: number): [first: number, last: number] {
  const [first, last] = times ?? [ms, ms];
  return [Math.min(first, ms), Math.max(last, ms)];
}

/** A device under one of its names, as the journal stores it. */
export const named = open({ id: text(), name: text() }, { where: text(), ownPassword: flag });
const textOrNull = either(text(), oneOf(null));
const numberOrNull = either(number(), oneOf(null));
export const isAcknowledgement = open({ by: text(), at: text() }, { answer: text() });
const isMissedAction = open({
  ...{ device: text(), operation: text(), outcome: text(), code: textOrNull },
  ...{ reason: textOrNull, message: textOrNull },
});
const isReport = open({
  ...{ name: text(), drill: flag, priority: number(), startedAt: text(), startedBy: textOrNull },
  ...{ clearedAt: textOrNull, clearedBy: textOrNull, targets: count, reached: count, held: count },
  ...{ missed: list(isMissedAction), firstMs: numberOrNull, lastMs: numberOrNull, clearMs: numberOrNull },
  ...{ updates: count, acknowledged: list(isAcknowledgement) },
});
const isClosed = open({ alert: text(), run: text(), report: isReport }, { isRefused: flag });
const isLast = open(
  { device: text(), outcome: text() },
  { isHeld: flag, code: text(), reason: text(), message: text() },
);
const isAction = open(
  { operation: text(), index: count },
  { deviceOutput: text(), sent: count, last: isLast },
);
const isResults = open(
  {
    ...{ alert: text(), run: text(), number: count, actions: list(isAction) },
    target: named,
  },
  { acceptedMs: pair(number(), number()) },
);

function closedIn(value: unknown): ClosedReport | undefined {
  return isClosed(value) ? (value as ClosedReport) : undefined;
}

function resultsIn(value: unknown): PersistedResults | undefined {
  return isResults(value) ? (value as PersistedResults) : undefined;
}
