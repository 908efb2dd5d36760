import type { SharedJournal } from '../../kernel/journal/journal';
import { count, flag, list, number, object, oneOf, open, pair, type Shape, text } from '../../kernel/shape';
import { type JournalChange, WriteBehindMap } from '../../kernel/write-behind-map';
import type { AlertAction, DeviceAction, Named } from './alert';
import {
  type AlertClaim,
  OutputState,
  type Started,
  type StartProblem,
  type StartUnderWay,
  type WhereOf,
} from './output-state';

export interface DeviceLocation {
  readonly id: string;
  readonly where?: string | undefined;
}

interface OutputRecord extends Pick<OutputState, 'device' | 'deviceOutput' | 'dryRun'> {
  readonly starts: readonly Started[];
  readonly claims: readonly (readonly [alert: string, claim: AlertClaim])[];
  readonly othersUntil?: number | undefined;
  /** If the process ends, each of these starts might have happened. */
  readonly underWay: readonly StartUnderWay[];
}

/** The device outputs that alerts use, in memory and in the journal, with an index of the outputs of each alert. */
export class Outputs {
  readonly #outputs: WriteBehindMap<OutputState, OutputRecord>;
  readonly #ofAlert = new Map<string, Set<OutputState>>();
  /** The starts that were under way when the process before this one ended. */
  readonly interrupted: { readonly output: OutputState; readonly start: StartUnderWay }[] = [];

  /** @param onLeft called when an alert has left an output, because nothing there belongs to it any more */
  constructor(
    journal: SharedJournal,
    private readonly onLeft: (alertId: string) => void,
  ) {
    const read = (record: OutputRecord, key: string) => this.#read(record, key);
    this.#outputs = new WriteBehindMap(journal, 'alert/at/', isOutput, read);
  }

  all(): OutputState[] {
    return [...this.#outputs.values()];
  }

  of(alertId: string): OutputState[] {
    return [...(this.#ofAlert.get(alertId) ?? [])];
  }

  hasAny(alertId: string): boolean {
    return Boolean(this.#ofAlert.get(alertId)?.size);
  }

  find(device: DeviceLocation, deviceOutput: string): OutputState | undefined {
    return this.#outputs.get(keyOf(device, deviceOutput));
  }

  atDevice(device: DeviceLocation): OutputState[] {
    const at = locationOf(device);
    return this.all().filter((output) => locationOf(output.device) === at);
  }

  at({ device, deviceOutput, dryRun = false }: Omit<DeviceAction, 'action'>): OutputState {
    const key = keyOf(device, deviceOutput, dryRun);
    return this.#outputs.get(key) ?? new OutputState(key, device, deviceOutput, dryRun);
  }

  /**
   * Called after each change of an output: updates the index, and forgets an empty output. The journal has the
   * change after the changes are taken.
   */
  record(output: OutputState): void {
    const { alerts: before, key } = output;
    output.alerts = new Set([...output.claims.keys(), ...output.pending]);
    for (const { alert } of output.underWay) output.alerts.add(alert);
    for (const id of output.alerts) {
      if (!this.#ofAlert.get(id)?.add(output)) this.#ofAlert.set(id, new Set([output]));
    }
    if (!output.isEmpty) this.#outputs.set(key, output);
    else if (this.#outputs.get(key) === output) this.#outputs.delete(key);
    for (const id of before) {
      if (output.alerts.has(id)) continue;
      this.#ofAlert.get(id)?.delete(output);
      this.onLeft(id);
    }
  }

  /** Returns the changes since the last call, for the journal. */
  takeChanges(): JournalChange[] {
    const changes = this.#outputs.takeChanges();
    return changes.map(([key, output]) => [key, output && recordOf(output)]);
  }

  /**
   * Moves outputs to the current locations of their devices. All outputs move together, because one output
   * can take the key that another output leaves. An output with a request under way stays.
   * @returns the outputs that might have changed, which the caller records
   */
  move(whereOf: WhereOf, outputs: readonly OutputState[]): OutputState[] {
    const parts = outputs.flatMap((output) => output.splitByLocation(whereOf));
    const moving = parts.flatMap(({ output, where }) => {
      const device = where === undefined ? output.device : { ...output.device, where };
      const key = keyOf(device, output.deviceOutput, output.dryRun);
      return key === output.key ? [] : [{ output, device, key, was: output.key }];
    });
    const leaving = new Set(moving.map(({ output }) => output));
    const reached = moving.flatMap(({ output, device, key }) => {
      const there = this.#outputs.get(key);
      const other = there?.key === key && !leaving.has(there) ? there : undefined;
      leaving.delete(output);
      output.key = key;
      output.device = device;
      if (!other) {
        this.#outputs.set(key, output);
        return [output];
      }
      other.merge(output);
      return [output, other];
    });
    for (const { output, was } of moving) if (this.#outputs.get(was) === output) this.#outputs.delete(was);
    const left = parts.filter(({ isRenamed }) => isRenamed || moving.length > 0).map(({ output }) => output);
    return [...new Set([...left, ...reached])];
  }

  #read({ device, deviceOutput, dryRun, ...record }: OutputRecord, key: string): OutputState {
    const output = new OutputState(key, device, deviceOutput, dryRun);
    for (const [alert, claim] of record.claims) output.claims.set(alert, { ...claim });
    output.starts = record.starts;
    output.othersUntil = record.othersUntil;
    for (const start of record.underWay) {
      output.recordStart(start, false);
      output.recordProblem(start, 'unknown');
      this.interrupted.push({ output, start });
    }
    return output;
  }
}

function recordOf({
  device,
  deviceOutput,
  dryRun,
  claims,
  starts,
  othersUntil,
  underWay,
}: OutputState): OutputRecord {
  const sent: StartUnderWay[] = [];
  for (const ticket of underWay) {
    if (ticket.kind === 'end') continue;
    const { number, alert, action, device: by, run, index } = ticket;
    const before = sent.at(-1);
    // If the same start follows itself, the last one says what might be on.
    if (before && isSameStart(before, ticket)) sent.pop();
    sent.push({ number, alert, action, device: by, run, index });
  }
  return { device, deviceOutput, dryRun, claims: [...claims], starts, othersUntil, underWay: sent };
}

function isSameStart(one: StartUnderWay, other: StartUnderWay): boolean {
  const isSameAction = one.run === other.run && one.index === other.index;
  return isSameAction && one.alert === other.alert && Boolean(one.action.end) === Boolean(other.action.end);
}

export function keyOf(device: DeviceLocation, deviceOutput: string, dryRun = false): string {
  return `${locationOf(device)}/${deviceOutput}${dryRun ? '/dry-run' : ''}`;
}

/** Returns the same text for all names of a device. */
export function locationOf({ id, where = id }: DeviceLocation): string {
  return where;
}

/** A device under one of its names, as the journal stores it. */
export const isNamed: Shape<Named> = open(
  { id: text(), name: text() },
  { where: text(), ownPassword: oneOf(true) },
) as Shape<Named>;

const problems = {
  ...{ unknown: true, refused: true, missed: true, impossible: true },
  ...{ ended: true, away: true },
} satisfies Record<StartProblem, true>;

const request = { operation: text(), parameters: object };
const action = open({ ...request, repeatable: flag }, {
  end: open(request),
  steady: oneOf(true),
  lastsMs: number(),
  retry: oneOf('always', 'all'),
} satisfies { [name in keyof AlertAction]?: Shape<unknown> });
const start = open(
  { number: count, alert: text(), action, device: isNamed },
  { until: number(), run: text(), index: count },
);
const claim = open(
  { action, device: isNamed, order: count, isHeld: flag },
  { problem: oneOf(...(Object.keys(problems) as StartProblem[])), isLeft: flag },
);
const isOutput = open(
  {
    ...{ device: isNamed, deviceOutput: text(), dryRun: flag },
    ...{ starts: list(start), underWay: list(start), claims: list(pair(text(), claim)) },
  },
  { othersUntil: number() },
) as Shape<unknown> as Shape<OutputRecord>;
