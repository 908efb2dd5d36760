import type { Alert, AlertAction, FailedAction, Named } from './alert';
import { OutputState, type Started, type StartProblem, type Ticket } from './output-state';
import { isAcknowledgement } from './reports';

/** Limit of the numbers in the journal, far above the number of requests that a process can send. */
const maxCount = 2 ** 52;

interface PersistedOutput {
  readonly device: OutputState['device'];
  readonly deviceOutput: string;
  readonly dryRun: boolean;
  readonly claims: readonly (readonly [
    alert: string,
    claim: {
      action: AlertAction;
      order: number;
      isHeld: boolean;
      device?: Named;
      problem?: unknown;
      isLeft?: unknown;
    },
  ])[];
  readonly on?: PersistedStart;
  readonly othersUntil?: number;
  /** Starts under way. If the process dies, each of these starts might have happened. */
  readonly underWay: readonly (PersistedStart & { readonly isReturn: boolean })[];
}

/**
 * A start as the journal stores it. Older versions stored no `device` in it, and only one alert in
 * `insteadOf`.
 */
type PersistedStart = Omit<Started, 'device' | 'insteadOf'> & {
  readonly device?: Named;
  readonly insteadOf?: string | readonly string[] | undefined;
};

export function toPersisted({
  device,
  deviceOutput,
  dryRun,
  claims,
  on,
  othersUntil,
  underWay,
}: OutputState): PersistedOutput {
  const starts: Ticket[] = [];
  for (const ticket of underWay) {
    if (ticket.kind === 'end') continue;
    const before = starts.at(-1);
    // Of the same starts one after another, the last one says what might be on.
    if (before && isSameStart(before, ticket)) starts.pop();
    starts.push(ticket);
  }
  return {
    device,
    deviceOutput,
    dryRun,
    claims: [...claims],
    ...(on && { on }),
    ...(othersUntil !== undefined && { othersUntil }),
    underWay: starts.map(({ number, alert, action, device: by, kind }) => ({
      number,
      alert,
      action,
      device: by,
      isReturn: kind === 'return',
    })),
  };
}

function isSameStart(one: Ticket, other: Ticket): boolean {
  return one.alert === other.alert && (one.action.end === undefined) === (other.action.end === undefined);
}

export function parseOutputState(key: string, value: unknown): OutputState | undefined {
  try {
    const persisted = value as PersistedOutput;
    const { device } = persisted;
    if (!isNamed(device) || typeof persisted.deviceOutput !== 'string') return undefined;
    const output = new OutputState(key, device, persisted.deviceOutput, persisted.dryRun === true);
    const by = (named: Named | undefined) => (isNamed(named) ? named : device);
    for (const [alert, { action, order, isHeld, device: named, problem, isLeft }] of persisted.claims) {
      if (!isAction(action)) continue;
      const claim = { action, device: by(named), order: rankOf(order), isHeld: isHeld === true };
      output.claims.set(alert, { ...claim, problem: problemIn(problem), isLeft: isLeft === true });
    }
    if (persisted.on && isStarted(persisted.on)) output.on = startIn(persisted.on, by);
    if (Number.isFinite(persisted.othersUntil)) output.othersUntil = persisted.othersUntil;
    for (const start of persisted.underWay) {
      if (!isStarted(start)) continue;
      output.recordStart(startIn(start, by), false);
      output.recordProblem(start, 'unknown');
    }
    return output;
  } catch {
    return undefined;
  }
}

export function parseAlert(value: unknown): Alert | undefined {
  const alert = value as Alert | null;
  if (![alert?.id, alert?.name, alert?.since].every((text) => typeof text === 'string')) return undefined;
  if (![alert?.priority, alert?.order].every(Number.isFinite) || !Array.isArray(alert?.targets))
    return undefined;
  if (!alert.targets.every((target) => typeof target === 'string')) return undefined;
  const { ends, asked, maxParallel = 0, retryAlert, failures, ...others } = alert;
  const { run, by, clearedBy, clearedAt, acknowledged, acknowledgeBy, updates, ...rest } = others;
  if (ends !== undefined && ![ends?.at, ends?.afterMs].every(Number.isFinite)) return undefined;
  const limit = rankOf(maxParallel) > 0 && { maxParallel };
  const drill = alert.drill === true;
  const known = Number.isFinite(asked?.at) && { asked };
  const retry = (retryAlert === true || retryAlert === 'all') && { retryAlert };
  const failed = Array.isArray(failures) && { failures: failures.filter(isFailedAction) };
  const texts = Object.fromEntries(
    Object.entries({ run, by, clearedBy, clearedAt }).filter(([, text]) => typeof text === 'string'),
  );
  const people = Array.isArray(acknowledged) && { acknowledged: acknowledged.filter(isAcknowledgement) };
  const isAwaited = [acknowledgeBy?.at, acknowledgeBy?.afterMs].every(Number.isFinite);
  const report = {
    ...{ ...texts, ...people },
    ...(isAwaited && { acknowledgeBy }),
    ...(rankOf(updates ?? 0) > 0 && { updates }),
  };
  const more = { ...known, ...(ends && { ends }), ...limit, ...retry, ...failed, ...report };
  return { ...rest, drill, ...more, order: rankOf(alert.order) };
}

function isFailedAction(failed: FailedAction | null): boolean {
  return typeof failed?.what === 'string' && isNamed(failed.device);
}

const problems: readonly unknown[] = Object.keys({
  unknown: true,
  refused: true,
  missed: true,
  impossible: true,
  ended: true,
  away: true,
} satisfies Record<StartProblem, true>);

function problemIn(value: unknown): StartProblem | undefined {
  return problems.includes(value) ? (value as StartProblem) : undefined;
}

/**
 * Parses a stored start. An invalid number becomes 0: the start might be on, so the start must still be
 * stopped.
 */
function startIn(start: PersistedStart, by: (named: Named | undefined) => Named): Started {
  const insteadOf = [start.insteadOf ?? []].flat().filter((id) => typeof id === 'string');
  return { ...start, number: rankOf(start.number), device: by(start.device), insteadOf };
}

/**
 * Returns a valid number unchanged, otherwise 0. Very large numbers are invalid, since adding 1 can have no
 * effect above `2 ** 53`.
 */
function rankOf(number: number): number {
  return Number.isSafeInteger(number) && number >= 0 && number < maxCount ? number : 0;
}

function isNamed(device: Named | undefined): device is Named {
  return typeof device?.id === 'string' && typeof device.name === 'string';
}

function isStarted({ number, alert, action }: PersistedStart): boolean {
  return Number.isFinite(number) && typeof alert === 'string' && isAction(action);
}

function isAction(action: AlertAction): boolean {
  const { operation, parameters, end } = action;
  if (typeof operation !== 'string' || typeof parameters !== 'object' || parameters === null) return false;
  return end === undefined || (typeof end?.operation === 'string' && typeof end.parameters === 'object');
}
