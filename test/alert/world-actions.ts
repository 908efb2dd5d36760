import assert from 'node:assert/strict';
import type { AlertAction, AlertState, Named, StartRequest } from '../../src/runtime/alert/alert';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { MemoryJournal } from '../kernel/memory-journal';
import type { Model, ModelAction } from './model';

export const devices = ['hall', 'gate', 'yard'];

export const alerts = ['lockdown', 'weather', 'medical'];

/** One device output each of one device. */
export const outputs = devices.flatMap((device) =>
  ['strobe', 'tone', 'door 1'].map((deviceOutput) => `${device}/${deviceOutput}`),
);

/** What is on at a place of a device, by whom. */
export type Lit = { readonly by: string; readonly lasting: boolean } | undefined;

/** An action that is no other. */
export function actionOf(
  deviceOutput: string,
  number: number,
  lasts: boolean,
  retry: 'never' | 'all' | 'always' = 'never',
): AlertAction {
  return {
    operation: `${deviceOutput}/start`,
    parameters: { number },
    repeatable: deviceOutput === 'strobe',
    ...(deviceOutput === 'tone' && lasts && { steady: true }),
    ...(retry === 'never' ? {} : { retry }),
    ...(lasts && { end: { operation: `${deviceOutput}/stop`, parameters: {} } }),
  };
}

export function modelActionOf(
  { end, parameters, repeatable, steady, retry }: AlertAction,
  { id }: Named,
): ModelAction {
  const lasts = { lasting: end !== undefined, steady: steady === true };
  return { action: parameters.number, by: id, ...lasts, repeatable, retry: retry ?? 'never' };
}

export function placeOf({ output }: Ticket): string {
  return `${whereIs(output)}/${output.deviceOutput}`;
}

export function whereIs({ device }: Ticket['output']): string {
  return device.where ?? device.id;
}

/** A row is a name for what is at its address; the first name of each device is a node. */
export function isRow(id: string): boolean {
  return !id.endsWith(' 1');
}

export function pick<T>(chance: () => number, list: readonly T[]): T {
  return list[Math.floor(chance() * list.length)] as T;
}

/** A device does what it is asked for. */
export function carryOut(ticket: Ticket, on: Map<string, Lit>): void {
  const output = placeOf(ticket);
  if (ticket.kind === 'end') on.delete(output);
  else on.set(output, { by: ticket.alert, lasting: ticket.action.end !== undefined });
}

/** Devices take along what is on there. @param gone by place, nowhere where something else is on instead */
export function carry(on: Map<string, Lit>, gone: ReadonlyMap<string, string | undefined>): void {
  const were = [...on].filter(([output]) => gone.has(output));
  for (const [output] of were) on.delete(output);
  for (const [output, is] of were) {
    const now = gone.get(output);
    if (now !== undefined) on.set(now, is);
  }
}

/** Where nothing is on its way, what is on is what the model says. */
export function assertPromised(model: Model, output: string, is: Lit): void {
  const there = model.lasting(output);
  // What must not be done twice, or late, leaves what may be there in its stead.
  if (is?.lasting && is.by !== 'person' && (there?.steady || (there?.repeatable && there.retry !== 'never')))
    assert.ok(model.on.get(is.by)?.wants.has(output), `${is.by} is over, and still on at ${output}`);
  assert.equal(model.next(output), undefined, `has to be sent at ${output}`);
  if (!there) assert.ok(!is?.lasting || is.by === 'person', `${output} was left on`);
  else if (there.isSure) assert.equal(is?.by, there.alert, `${output} has to be on`);
}

/** What is on its way to where nobody wants anything any more is ended by the clear that left it so. */
export function assertEnded(model: Model, wanted: readonly string[], tickets: readonly Ticket[]): void {
  for (const output of wanted) {
    const isAsked = model.asked.get(output)?.some(({ lasting }) => lasting);
    if (!isAsked || [...model.on.values()].some(({ wants }) => wants.has(output))) continue;
    const ends = tickets.filter((ticket) => ticket.kind === 'end' && placeOf(ticket) === output);
    assert.equal(ends.length, 1, `${output} is ended while starts are on their way there`);
  }
}

/** Where nothing is on its way, an alert is on or not, and waits for nobody. */
export function assertState(model: Model, name: string, is: AlertState | undefined): void {
  assert.equal(is?.state ?? 'idle', model.on.has(name) ? 'active' : 'idle', JSON.stringify(is));
  assert.deepEqual(is?.pending ?? [], []);
  // A name may lead elsewhere by now, so the devices are counted.
  for (const what of ['unknown', 'failed'] as const)
    assert.equal(
      is?.[what].length ?? 0,
      model.withProblem(name, what).length,
      `${what} ${JSON.stringify(is)}`,
    );
  assert.equal(is?.active.length ?? 0, model.lit(name).length, JSON.stringify(is));
}

/** How the start of one alert begins. */
export function beginningOf(name: string, priority: number, endAfterMs: number | undefined): StartRequest {
  const about = { id: name, name, priority, drill: false, targets: [], maxParallel: 100 };
  const clearsAtRestart = name === 'medical';
  return { ...about, clearsAtRestart, ...(endAfterMs !== undefined && { endAfterMs }) };
}

/** A journal that tells of its changes, and loses them while it is to. */
export class Paper extends MemoryJournal {
  isLost = false;
  changes = 0;
  onChange: (key: string) => void = () => {};

  override put(...[key, value]: Parameters<MemoryJournal['put']>): Promise<void> {
    this.changes += 1;
    this.onChange(key);
    return this.isLost ? Promise.resolve() : super.put(key, value);
  }

  override delete(key: string): Promise<void> {
    this.changes += 1;
    this.onChange(key);
    return this.isLost ? Promise.resolve() : super.delete(key);
  }

  keys(): string[] {
    return [...this.entries('')].map(([key]) => key);
  }
}
