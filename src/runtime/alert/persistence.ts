import { count, flag, list, number, object, oneOf, open, pair, type Shape, text } from '../../kernel/shape';
import type { Alert, AlertAction } from './alert';
import { type AlertClaim, OutputState, type Started, type StartProblem, type Ticket } from './output-state';
import { isAcknowledgement, named } from './reports';

interface PersistedOutput extends Pick<OutputState, 'device' | 'deviceOutput' | 'dryRun' | 'starts'> {
  readonly claims: readonly (readonly [alert: string, claim: AlertClaim])[];
  readonly othersUntil?: number;
  /** Starts under way. If the process dies, each of these starts might have happened. */
  readonly underWay: readonly Started[];
}

export function toPersisted({
  device,
  deviceOutput,
  dryRun,
  claims,
  starts,
  othersUntil,
  underWay,
}: OutputState): PersistedOutput {
  const sent: Ticket[] = [];
  for (const ticket of underWay) {
    if (ticket.kind === 'end') continue;
    const before = sent.at(-1);
    // If the same start follows itself, the last one says what might be on.
    if (before && isSameStart(before, ticket)) sent.pop();
    sent.push(ticket);
  }
  return {
    device,
    deviceOutput,
    dryRun,
    claims: [...claims],
    starts,
    ...(othersUntil !== undefined && { othersUntil }),
    underWay: sent.map(({ number, alert, action, device: by }) => ({ number, alert, action, device: by })),
  };
}

function isSameStart(one: Ticket, other: Ticket): boolean {
  return one.alert === other.alert && (one.action.end === undefined) === (other.action.end === undefined);
}

/** Returns undefined for an entry that this version does not write. */
export function parseOutputState(key: string, value: unknown): OutputState | undefined {
  if (!isOutput(value)) return undefined;
  const { device, deviceOutput, dryRun, claims, starts, othersUntil, underWay } = value as PersistedOutput;
  const output = new OutputState(key, device, deviceOutput, dryRun);
  for (const [alert, claim] of claims) output.claims.set(alert, { ...claim });
  output.starts = starts;
  output.othersUntil = othersUntil;
  for (const start of underWay) {
    output.recordStart(start, false);
    output.recordProblem(start, 'unknown');
  }
  return output;
}

/** Returns undefined for an entry that this version does not write. */
export function parseAlert(value: unknown): Alert | undefined {
  return isAlert(value) ? (value as Alert) : undefined;
}

const isProblem = oneOf(
  ...Object.keys({
    unknown: true,
    refused: true,
    missed: true,
    impossible: true,
    ended: true,
    away: true,
  } satisfies Record<StartProblem, true>),
);

const isRequest = { operation: text(), parameters: object };
const isAction = open({ ...isRequest, repeatable: flag }, {
  end: open(isRequest),
  steady: oneOf(true),
  lastsMs: number(),
  retry: oneOf('always', 'all'),
} satisfies {
  [name in keyof AlertAction]?: Shape<unknown>;
});
const isStart = open({ number: count, alert: text(), action: isAction, device: named }, { until: number() });
const isClaim = open(
  { action: isAction, device: named, order: count, isHeld: flag },
  { problem: isProblem, isLeft: flag },
);
const isOutput = open(
  {
    ...{ device: named, deviceOutput: text(), dryRun: flag },
    ...{ starts: list(isStart), underWay: list(isStart) },
    claims: list(pair(text(), isClaim)),
  },
  { othersUntil: number() },
);

const isPlanned = open({ at: number(), afterMs: number() });
const isAlert = open(
  {
    ...{ id: text(), name: text(), since: text(), run: text(), priority: number(), order: count },
    ...{ drill: flag, isOn: flag, clearsAtRestart: flag, targets: list(text()) },
    ...{ maxParallel: count, asked: open({ at: number() }, { centre: text(), seq: count }) },
  },
  {
    ...{ by: text(), clearedBy: text(), clearedAt: text(), acknowledged: list(isAcknowledgement) },
    ...{
      acknowledgeBy: isPlanned,
      ends: isPlanned,
      updates: count,
      retryAlert: oneOf(true, false, 'all'),
    },
    failures: list(open({ device: named, what: text() })),
  },
);
