import type { Outcome } from '../message/receipt';
import type { Acknowledgement, Alert, Named } from './alert';

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

export interface ActionResult {
  readonly operation: string;
  readonly index: number;
  readonly deviceOutput?: string | undefined;
  /** The number of starts under way, which have no receipt yet. */
  readonly sent?: number | undefined;
  readonly last?: LastReceipt | undefined;
}

export interface LastReceipt {
  readonly device: string;
  readonly outcome: Outcome;
  readonly isHeld?: boolean | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export interface TargetResults {
  readonly target: Named;
  readonly actions: readonly ActionResult[];
  /**
   * The times from the message of the run's first start to the first and the last accepted receipt, in
   * milliseconds.
   */
  readonly acceptedMs?: readonly [first: number, last: number] | undefined;
}

const accepted: readonly Outcome[] = ['accepted', 'confirmed'];
const missed: readonly Outcome[] = ['failed', 'unknown', 'expired'];

export function isAccepted({ outcome }: Pick<LastReceipt, 'outcome'>): boolean {
  return accepted.includes(outcome);
}

function isMissed({ outcome }: LastReceipt): boolean {
  return missed.includes(outcome);
}

export function reportOf(
  alert: Alert,
  results: Iterable<TargetResults>,
  { clearedAt, clearMs }: Pick<AlertReport, 'clearedAt' | 'clearMs'>,
): AlertReport {
  const rank = new Map(alert.targets.map((id, index) => [id, index]));
  const rankOf = ({ target: { id } }: TargetResults) => rank.get(id) ?? rank.size;
  const targets = [...results].sort((one, other) => rankOf(one) - rankOf(other));
  const times = targets.flatMap(({ acceptedMs = [] }) => acceptedMs);
  const { name, drill, priority, since, by = null, clearedBy = null, updates = 0, acknowledged = [] } = alert;
  return {
    ...{ name, drill, priority, startedAt: since, startedBy: by, clearedAt, clearedBy },
    targets: alert.targets.length,
    reached: targets.filter(isReached).length,
    held: targets.filter(isHeldBack).length,
    dryRun: targets.filter(isDryRun).length,
    missed: targets.flatMap(missedAt),
    firstMs: times.length > 0 ? Math.min(...times) : null,
    lastMs: times.length > 0 ? Math.max(...times) : null,
    ...{ clearMs, updates, acknowledged: acknowledged.map((one) => ({ ...one })) },
  };
}

function isReached({ actions }: TargetResults): boolean {
  const receipts = actions.flatMap(({ last }) => last ?? []);
  return receipts.some(isAccepted) && !receipts.some(isMissed);
}

function isDryRun({ actions }: TargetResults): boolean {
  return actions.some(({ last }) => last?.outcome === 'dry-run');
}

/** Whether another alert has held back all actions that the target supports. */
function isHeldBack({ actions }: TargetResults): boolean {
  return actions.some(({ last }) => last?.isHeld) && actions.every(({ last }) => last?.outcome === 'skipped');
}

function missedAt({ actions }: TargetResults): MissedAction[] {
  return [...actions]
    .sort((one, other) => one.index - other.index)
    .flatMap(({ operation, last }) => {
      if (!last || !isMissed(last)) return [];
      const { device, outcome, code = null, reason = null, message = null } = last;
      return [{ device, operation, outcome, code, reason, message }];
    });
}
