import assert from 'node:assert/strict';
import type {
  AlertAction,
  AlertState,
  DeviceAction,
  SendResult,
  StartRequest,
} from '../../src/runtime/alert/alert';
import { Engine } from '../../src/runtime/alert/engine';
import { AlertEvents, type AlertNews } from '../../src/runtime/alert/events';
import type { Ticket } from '../../src/runtime/alert/output-state';
import { readAcknowledgement } from '../../src/runtime/alert/properties';
import type { ActionReceipt } from '../../src/runtime/alert/reports';
import { personIn } from '../../src/runtime/message/receipt';
import { clearIn } from './engine-parts';
import {
  type Event,
  type Report as ModelReport,
  type Outcome,
  type Receipt,
  ReportModel,
} from './report-model';
import { Paper, pick } from './world-actions';

type WithoutTime<E> = E extends Event ? Omit<E, 'at'> : never;

/** A message of the second output, with its moment. */
interface Told extends Partial<Pick<AlertNews, 'device' | 'operation' | 'pending' | 'report'>> {
  readonly at: number;
  readonly event: AlertNews['event'];
}

const alert = { id: 'a', name: 'Alert', clearsAtRestart: false, maxParallel: 100, retryAlert: true } as const;
/** Another alert, which takes outputs from it, and gives them back. */
const fire = { ...alert, id: 'fire', name: 'Fire', priority: 10, drill: false } as const;
const devices = ['Hall', 'Wall', 'Door', 'Yard'];
const operations = ['strobe/start', 'screen/text-start', 'tone/start', 'relay/enable'];
const people = ['Ada', 'Ben', 'Cem', 'Dea', undefined, '', 7];
const answers = [undefined, undefined, 'safe', 'hurt', '', 'x'.repeat(200), 'x'.repeat(201), 5, null];

/** The receipts that a request can end with, and how the engine hears of them. */
const endings: readonly (readonly [Outcome, SendResult, code?: string])[] = [
  ...Array<[Outcome, SendResult]>(6).fill(['accepted', 'taken']),
  ['confirmed', 'taken'],
  ['failed', 'missed', 'UNREACHABLE'],
  ['failed', 'missed', 'AUTHENTICATION'],
  ['failed', 'refused', 'REFUSED'],
  ['failed', 'impossible', 'NOT_SUPPORTED'],
  ['unknown', 'unknown', 'TIMEOUT'],
  ['expired', 'missed', 'EXPIRED'],
  ['skipped', 'skipped', 'NOT_SUPPORTED'],
  ['superseded', 'skipped', 'SUPERSEDED'],
];

const idle: AlertState = {
  ...{ name: alert.name, state: 'idle', priority: 5, drill: false, since: null },
  ...{ active: [], unknown: [], failed: [], pending: [] },
  ...{ dryRun: 0, by: null, clearedBy: null, acknowledged: [] },
};

/** The real engine with one alert, and all that happens to its report; the same events are told to the model. */
export class ReportWorld {
  readonly #journal = new Paper();
  readonly #events: Event[] = [];
  readonly #notifications: Told[] = [];
  /** The pending devices of which the model has heard. */
  #pending: readonly string[] = [];
  #timers: { readonly at: number; readonly task: () => void }[] = [];
  /** By start: how many of its requests have no answer yet, and what is to be called after the last one. */
  readonly #waiting = new Map<number, { left: number; readonly answered: () => void }>();
  /** The starts of the runs that are over. */
  readonly #over = new Set<string>();
  readonly #refused: number[] = [];
  /** At each place what has been sent and not been answered, in order. */
  #sent: Ticket[] = [];
  /** The start that a request belongs to. */
  readonly #startOf = new Map<Ticket, number>();
  /** The last start that wanted an action. */
  readonly #lastStart = new Map<string, number>();
  /** Devices with `dryRun`. */
  readonly #dry: readonly string[];
  readonly #acknowledgeWithinMs: number | undefined;
  #starts = 0;
  #now = 1_000_000;
  #engine: Engine;
  #alertEvents: AlertEvents;

  /** @param log hears what happens */
  constructor(
    private readonly chance: () => number,
    private readonly log: (line: string) => void,
  ) {
    this.#dry = devices.filter(() => chance() < 0.1);
    this.#acknowledgeWithinMs = pick(chance, [undefined, 700, 5_000, 30_000]);
    this.#engine = this.#boot();
    this.#alertEvents = this.#listen();
  }

  /** Something happens. */
  step(): void {
    this.#tick(1 + this.chance() * 20);
    const answer = () => this.#answer();
    const happenings = [
      ...[() => this.#start(), () => this.#start()],
      ...Array.from({ length: 12 }, () => answer),
      ...[() => this.#clear(), () => this.#clear(this.chance() < 0.4)],
      ...[() => this.#acknowledge(), () => this.#acknowledge()],
      ...[() => this.#tick(this.chance() * 3_000), () => this.#tick(this.chance() * 40_000)],
      () => this.#fire(),
      () => this.#person(),
      () => this.#restart(),
    ];
    pick(this.chance, happenings)();
  }

  /** Compares the reports, the alert and what was told of it with what the model says of the same events. */
  compare(): void {
    const options = { acknowledgeWithinMs: this.#acknowledgeWithinMs };
    const model = new ReportModel([...this.#events, { at: this.#now, type: 'tick' }], options);
    assert.deepEqual(this.#engine.reports(alert.id), model.reports.map(inOrder), 'the reports');
    const { state = 'idle', ...is } = this.#engine.state(alert.id) ?? {};
    assert.equal(state, model.state);
    const last = this.#engine.lastReport(alert.id);
    const of = 'by' in is ? is : last && { ...last, by: last.startedBy };
    const { by, clearedBy, acknowledged } = model.alert;
    assert.deepEqual(
      [of?.by ?? null, of?.clearedBy ?? null, of?.acknowledged ?? []],
      [by, clearedBy, acknowledged],
      'the alert',
    );
    const notifications = model.notifications.map(({ report, ...one }) => ({
      ...one,
      ...(report && { report: inOrder(report) }),
    }));
    assert.deepEqual(this.#notifications, notifications, 'what was told');
    assert.deepEqual(this.#refused, model.refused, 'refused acknowledgements');
  }

  /** The alert and the other one are cleared, and every request is answered. */
  clearAll(): void {
    this.#clear();
    this.#sendAll(clearIn(this.#engine, fire.id));
    for (let round = 0; round < 60 && this.#engine.alerts.size > 0; round += 1) {
      while (this.#sent.length > 0) this.#answer(true);
      this.#tick(31_000);
    }
    assert.equal(this.#engine.state(alert.id), undefined, 'the alert is not over');
    this.compare();
    this.#engine.store();
    const open = this.#journal.keys().filter((key) => key.startsWith('alert/receipt/'));
    assert.deepEqual(open, [], 'receipts are left in the journal');
  }

  #start(): void {
    const is = this.#engine.inEarnest(alert.id);
    const drill = this.chance() < 0.3;
    const by = pick(this.chance, people);
    const priority = Math.floor(this.chance() * 10);
    const isRefused = this.chance() < 0.1 && !(drill && is);
    const chosen = devices.filter(() => this.chance() < 0.6);
    const targets = [...(chosen.length > 0 ? chosen : ['Hall']), ...(this.chance() < 0.1 ? ['Nobody'] : [])];
    const wanted = operations.filter(() => this.chance() < 0.6);
    const actions = (wanted.length > 0 ? wanted : ['strobe/start']).map((operation) => ({ operation }));
    this.#starts += 1;
    const id = this.#starts;
    const about = { by, drill, priority, targets: targets.map((device) => ({ device, actions })) };
    const event = { type: 'start', id, ...about } as const;
    const startRequest: StartRequest = {
      ...{ ...alert, drill, priority, by: personIn({ by }), acknowledgeWithinMs: this.#acknowledgeWithinMs },
      targets: targets.map(idOf),
    };
    const all = targets.flatMap((device) => actions.map(({ operation }) => ({ device, operation })));
    const isInvalid = new Set(
      all.filter(
        ({ device }, index) => isRefused || device === 'Nobody' || (index > 0 && this.chance() < 0.05),
      ),
    );
    const invalid = [...isInvalid].map(({ device, operation }) => {
      const code = device === 'Nobody' ? 'NOT_CONFIGURED' : 'INVALID_PARAMETER';
      const index = operations.indexOf(operation);
      return { ...this.#receipt(id, device, operation, 'failed', code), index };
    });
    if (isRefused) {
      this.#note({ ...event, isRefused });
      const receipts = invalid.map((receipt) => ({ ...counted(receipt), index: receipt.index }));
      this.#engine.refuse(startRequest, receipts);
      for (const { index: _, ...receipt } of invalid) this.#note(receipt);
      return;
    }
    const valid = all.filter((one) => !isInvalid.has(one));
    const deviceActions = valid.map(({ device, operation }): DeviceAction => {
      const deviceOutput = operation.split('/')[0] ?? '';
      const named = { id: idOf(device), name: device, where: whereOf(device) };
      const dryRun = this.#dry.includes(device) && { dryRun: true };
      const action = actionOf(operation, this.#starts, this.chance() < 0.7);
      return { device: named, deviceOutput, action, index: operations.indexOf(operation), ...dryRun };
    });
    const isIgnored = drill && is !== undefined;
    const isUpdate = this.#engine.state(alert.id)?.state === 'active';
    const found = this.#engine.start(startRequest, deviceActions);
    const answered = isIgnored ? () => {} : this.#alertEvents.begin(isUpdate ? 'updated' : 'started');
    this.#pending = this.#pendingNow;
    this.#note({ ...event, pending: this.#pending });
    const left = found.filter(({ ticket }) => ticket).length;
    this.#waiting.set(id, { left, answered });
    for (const [index, { heldBy, ticket }] of found.entries()) {
      const { device = '', operation = '' } = valid[index] ?? {};
      // A drill of an alert that is on in earnest changes nothing.
      if (heldBy?.id === alert.id) continue;
      this.#lastStart.set(`${device} ${operation}`, id);
      if (heldBy) this.#note({ ...this.#receipt(id, device, operation, 'skipped'), heldBy: heldBy.name });
      else this.#send(ticket);
    }
    const run = this.#engine.alerts.get(alert.id)?.run;
    if (!isIgnored)
      for (const { index, ...receipt } of invalid) {
        this.#engine.recordFailed(alert.id, { ...counted(receipt), index }, run);
        this.#note(receipt);
      }
    if (left === 0) answered();
    this.#look();
  }

  /** The first request at some place is answered. */
  #answer(isGood = false): void {
    const first = pick(this.chance, this.#sent);
    const ticket = this.#sent.find((other) => other.output === first?.output);
    if (!ticket) return;
    this.#sent = this.#sent.filter((other) => other !== ticket);
    const [outcome, result, code] = isGood ? (['accepted', 'taken'] as const) : pick(this.chance, endings);
    this.log(
      `  ${ticket.kind} ${ticket.alert} at ${ticket.device.name} ${ticket.output.deviceOutput}: ${outcome}`,
    );
    if (ticket.kind === 'end') {
      this.#engine.answered(ticket, result === 'taken' || ticket.output.dryRun ? 'taken' : 'missed');
    } else if (ticket.output.dryRun) this.#started(ticket, 'dry-run', 'taken');
    else this.#started(ticket, outcome, result, code);
    this.#look();
  }

  #started(ticket: Ticket, outcome: Outcome, result: SendResult, code?: string): void {
    const start = this.#startOf.get(ticket);
    const { device, action } = ticket;
    if (start === undefined) {
      this.#engine.answered(ticket, result);
      return;
    }
    const receipt = {
      ...this.#receipt(start, device.name, action.operation, outcome, code),
      ...(ticket.kind === 'return' && { isReturn: true as const }),
    };
    const at = this.#events.find((event) => event.type === 'start' && event.id === start)?.at ?? 0;
    this.#engine.answered(ticket, result, {
      ...counted(receipt),
      // Reports count the time of the first starts only.
      latencyMs: this.#now - at,
    });
    this.#note(receipt);
    if (ticket.kind === 'start') this.#count(start);
    else if (ticket.kind === 'again' && result === 'taken' && this.#engine.isCurrent(ticket))
      this.#alertEvents.tell('reached', { device: device.name, operation: action.operation });
  }

  /** One more request of a start is answered. */
  #count(start: number): void {
    const waiting = this.#waiting.get(start);
    if (!waiting) return;
    waiting.left -= 1;
    if (waiting.left === 0) waiting.answered();
  }

  #clear(drill = false): void {
    const by = pick(this.chance, people);
    this.#note({ type: 'clear', by, drill });
    if (!drill || !this.#engine.inEarnest(alert.id)) this.#alertEvents.tellStart();
    const tickets = clearIn(this.#engine, alert.id, drill, personIn({ by }));
    this.#sendAll(tickets);
    this.#look();
  }

  #acknowledge(): void {
    const [by, answer] = [pick(this.chance, people), pick(this.chance, answers)];
    this.#note({ type: 'acknowledge', by, ...(answer !== undefined && { answer }) });
    if (this.#isNoted({ by, answer })) this.#alertEvents.tell('acknowledged');
    else this.#refused.push(this.#now);
  }

  #isNoted(message: { readonly by: unknown; readonly answer: unknown }): boolean {
    try {
      const noted = { ...readAcknowledgement(message), at: new Date(this.#now).toISOString() };
      return this.#engine.acknowledge(alert.id, noted) === undefined;
    } catch {
      return false;
    }
  }

  /** Time passes, with all that is due at its moment. */
  #tick(ms: number): void {
    const until = this.#now + Math.ceil(ms);
    this.log(`${Math.ceil(ms)} ms pass`);
    for (;;) {
      const next = this.#timers.toSorted((one, other) => one.at - other.at)[0];
      if (next && next.at <= until && next.at <= this.#engine.nextAt) {
        this.#now = Math.max(this.#now, next.at);
        this.#timers = this.#timers.filter((timer) => timer !== next);
        next.task();
        this.#notePending();
        continue;
      }
      if (this.#engine.nextAt > until) break;
      this.#now = Math.max(this.#now, this.#engine.nextAt);
      for (const _ of this.#engine.unacknowledged()) this.#alertEvents.tell('unacknowledged');
      const due = this.#engine.due();
      this.#sendAll(due);
      if (due.length === 0 && this.#engine.nextAt <= this.#now) break;
    }
    this.#now = until;
    this.#note({ type: 'tick' });
  }

  /** The other alert starts, or is cleared. */
  #fire(): void {
    if (this.#engine.state(fire.id)?.state === 'active') {
      this.log('fire is cleared');
      this.#sendAll(clearIn(this.#engine, fire.id));
    } else {
      const deviceActions = devices.flatMap((device) =>
        operations.flatMap((operation): DeviceAction[] => {
          if (this.chance() < 0.6) return [];
          const deviceOutput = operation.split('/')[0] ?? '';
          const named = { id: idOf(device), name: device, where: whereOf(device) };
          const dryRun = this.#dry.includes(device) && { dryRun: true };
          return [{ device: named, deviceOutput, action: actionOf(operation, 0, true), ...dryRun }];
        }),
      );
      this.log(
        `fire at ${deviceActions.map(({ device, deviceOutput }) => `${device.name} ${deviceOutput}`)}`,
      );
      const found = this.#engine.start({ ...fire, targets: devices.map(idOf) }, deviceActions);
      this.#sendAll(found.flatMap(({ ticket }) => ticket ?? []));
    }
    this.#look();
  }

  /** A person uses an output at which no request is under way. */
  #person(): void {
    const [device, deviceOutput] = [
      pick(this.chance, devices),
      pick(this.chance, operations).split('/')[0] ?? '',
    ];
    const isBusy = this.#sent.some(
      (ticket) => ticket.device.name === device && ticket.output.deviceOutput === deviceOutput,
    );
    if (isBusy) return;
    this.log(`a person uses ${device} ${deviceOutput}`);
    this.#engine.replaced({ id: idOf(device), where: whereOf(device) }, deviceOutput, true);
    this.#look();
  }

  /** Node-RED ends before the answers come, and is up again after a while. */
  #restart(): void {
    const lost = this.#sent.filter((ticket) => ticket.kind !== 'end' && ticket.alert === alert.id);
    this.#sent = [];
    const downMs = 1 + Math.floor(this.chance() * 60_000);
    this.#now += downMs;
    this.#alertEvents.close();
    this.#timers = [];
    this.#waiting.clear();
    this.#engine.store();
    this.#engine = this.#boot();
    this.#alertEvents = this.#listen();
    if (this.#engine.takeEnded().includes(alert.id)) this.#alertEvents.tellEnd();
    this.#pending = this.#pendingNow;
    // The model hears of lost starts by the restart, and of lost retries here.
    const retried = lost.filter(({ kind }) => kind !== 'start');
    this.#note({ type: 'restart', downMs, pending: this.#pending });
    for (const ticket of retried) {
      const { operation } = ticket.action;
      const reason = 'Node-RED ended before the device answered';
      const where = `${operation} at "${ticket.device.name}"`;
      const message = `${reason}: ${where}; the action might have been started`;
      const start = this.#startOf.get(ticket) ?? 0;
      this.#note({
        ...this.#receipt(start, ticket.device.name, operation, 'unknown', 'ABORTED'),
        reason,
        message,
      });
    }
    this.#look();
    this.#tick(0);
  }

  #boot(): Engine {
    const clock = { now: () => this.#now, monotonic: () => this.#now, random: () => 0.5 };
    return new Engine(clock, this.#journal);
  }

  /** The second output of the alert's node. */
  #listen(): AlertEvents {
    const hear = ({ event, device, operation, report, pending }: AlertNews) => {
      this.log(`  ${event} ${pending}`);
      const more = { ...(device !== undefined && { device, operation }), ...(report && { report }) };
      const list = event === 'pending' && { pending: pending.toSorted() };
      this.#notifications.push({ at: this.#now, event, ...more, ...list } as Told);
    };
    const after = (ms: number, task: () => void) => {
      const timer = { at: this.#now + ms, task };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((one) => one !== timer);
      };
    };
    return new AlertEvents(
      () => this.#state,
      hear,
      () => this.#engine.lastReport(alert.id),
      { after },
    );
  }

  get #state(): AlertState {
    return this.#engine.state(alert.id) ?? idle;
  }

  #sendAll(tickets: readonly Ticket[]): void {
    for (const ticket of tickets) this.#send(ticket);
  }

  #send(ticket: Ticket): void {
    this.#sent.push(ticket);
    if (ticket.kind === 'end' || ticket.alert !== alert.id) return;
    const start = this.#lastStart.get(`${ticket.device.name} ${ticket.action.operation}`);
    if (start !== undefined) this.#startOf.set(ticket, start);
  }

  /** The node looks at the alert, and the model hears whether the alert is over. */
  #look(): void {
    this.#alertEvents.look();
    this.#notePending();
    const last = this.#events.findLast(({ type }) => type === 'clear' || type === 'over' || type === 'start');
    const open = this.#engine.lastReport(alert.id);
    if (this.#state.state !== 'idle' || last?.type === 'over' || !open || this.#over.has(open.startedAt))
      return;
    this.#note({ type: 'over' });
    this.#over.add(open.startedAt);
  }

  /** The model hears of a change of the list of pending devices. */
  #notePending(): void {
    if (this.#state.state === 'idle' || this.#pendingNow.join() === this.#pending.join()) return;
    this.#pending = this.#pendingNow;
    this.#note({ type: 'pending', pending: this.#pending });
  }

  get #pendingNow(): readonly string[] {
    return this.#state.pending.toSorted();
  }

  #receipt(
    start: number,
    device: string,
    operation: string,
    outcome: Outcome,
    code?: string,
  ): { readonly type: 'receipt' } & Receipt {
    const message = `${code} at ${device}.`;
    return {
      type: 'receipt',
      start,
      device,
      operation,
      outcome,
      ...(code && { code, reason: code, message }),
    };
  }

  #note(event: WithoutTime<Event>): void {
    this.log(`${this.#now} ${JSON.stringify(event)}`);
    this.#events.push({ ...event, at: this.#now } as Event);
  }
}

/** A report whose actions are in the order of the alert's, whichever of them was wanted first. */
function inOrder(report: ModelReport): ModelReport {
  const rank = new Map<string, number>();
  for (const { device } of report.missed) if (!rank.has(device)) rank.set(device, rank.size);
  const rankOf = ({ device, operation }: { device: string; operation: string }) =>
    (rank.get(device) ?? 0) * operations.length + operations.indexOf(operation);
  return { ...report, missed: report.missed.toSorted((one, other) => rankOf(one) - rankOf(other)) };
}

function idOf(device: string): string {
  return device === 'Nobody' ? device : `${device} id`;
}

function whereOf(device: string): string {
  return `http://${device}`;
}

function actionOf(operation: string, number: number, isRetried: boolean): AlertAction {
  return {
    operation,
    parameters: { number },
    repeatable: operation !== 'tone/start',
    ...(isRetried && { retry: 'always' }),
    end: { operation: `${operation.split('/')[0]}/stop`, parameters: {} },
  };
}

/** A receipt as the engine hears of it. */
function counted({ device, operation, outcome, code, reason, message }: Receipt): ActionReceipt {
  const target = { id: idOf(device), name: device, ...(device !== 'Nobody' && { where: whereOf(device) }) };
  return {
    target,
    device,
    operation,
    outcome,
    ...(code && { code }),
    ...(reason && { reason }),
    ...(message && { message }),
  };
}
