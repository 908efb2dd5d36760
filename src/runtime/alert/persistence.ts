import type { Alert, AlertAction } from './alert';
import { type Check, isCount, isFlag, isListOf, isNamed, isText, isTime, isWith } from './checks';
import { type AlertClaim, OutputState, type Started, type StartProblem, type Ticket } from './output-state';
import { isAcknowledgement } from './reports';

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

function isOneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

const isProblem = isOneOf(
  ...Object.keys({
    unknown: true,
    refused: true,
    missed: true,
    impossible: true,
    ended: true,
    away: true,
  } satisfies Record<StartProblem, true>),
);

const isParameters = isWith({});
const isRequest = { operation: isText, parameters: isParameters };
const isAction = isWith({ ...isRequest, repeatable: isFlag }, {
  end: isWith(isRequest),
  steady: isOneOf(true),
  lastsMs: isTime,
  retry: isOneOf('always', 'all'),
} satisfies {
  [name in keyof AlertAction]?: Check;
});
const isStart = isWith(
  { number: isCount, alert: isText, action: isAction, device: isNamed },
  { until: isTime },
);
const isClaim = isWith(
  { action: isAction, device: isNamed, order: isCount, isHeld: isFlag },
  { problem: isProblem, isLeft: isFlag },
);
const isOutput = isWith(
  {
    ...{ device: isNamed, deviceOutput: isText, dryRun: isFlag },
    ...{ starts: isListOf(isStart), underWay: isListOf(isStart) },
    claims: isListOf((entry) => {
      const [alert, claim, ...more] = isListOf(() => true)(entry) ? (entry as unknown[]) : [];
      return isText(alert) && isClaim(claim) && more.length === 0;
    }),
  },
  { othersUntil: isTime },
);

const isPlanned = isWith({ at: isTime, afterMs: isTime });
const isAlert = isWith(
  {
    ...{ id: isText, name: isText, since: isText, run: isText, priority: isTime, order: isCount },
    ...{ drill: isFlag, isOn: isFlag, clearsAtRestart: isFlag, targets: isListOf(isText) },
    ...{ maxParallel: isCount, asked: isWith({ at: isTime }, { centre: isText, seq: isCount }) },
  },
  {
    ...{ by: isText, clearedBy: isText, clearedAt: isText, acknowledged: isListOf(isAcknowledgement) },
    ...{
      acknowledgeBy: isPlanned,
      ends: isPlanned,
      updates: isCount,
      retryAlert: isOneOf(true, false, 'all'),
    },
    failures: isListOf(isWith({ device: isNamed, what: isText })),
  },
);
