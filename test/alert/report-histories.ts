import { shorten } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { neverRetried } from './report-model';

export type Outcome =
  | 'accepted'
  | 'confirmed'
  | 'dry-run'
  | 'failed'
  | 'unknown'
  | 'expired'
  | 'superseded'
  | 'skipped';

/** The receipt of a start or of a later try of it. `heldBy`: `skipped`, because another alert owns the output. */
export interface Receipt {
  readonly type: 'receipt';
  readonly start: number;
  readonly device: string;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly heldBy?: string;
  /** Another alert gave the output back, so this is the start of its new owner and no later try. */
  readonly isReturn?: true;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Start {
  readonly type: 'start';
  readonly id: number;
  readonly by?: unknown;
  readonly drill: boolean;
  readonly priority: number;
  readonly targets: readonly { device: string; actions: readonly { operation: string }[] }[];
  /** Whether nothing of it can be sent. */
  readonly isRefused?: boolean;
  /** The devices that are pending from now on, if the history says so. */
  readonly pending?: readonly string[];
}

/**
 * An event, at its millisecond. `ended`: a stop was accepted, or nothing of the alert is left to stop there.
 * `restart`: Node-RED is up again, after `downMs`. `tick`: time passes.
 */
export type Event = { readonly at: number } & (
  | Start
  | Receipt
  | { readonly type: 'ended'; readonly device: string; readonly operation: string }
  | { readonly type: 'clear'; readonly by?: unknown; readonly drill?: boolean }
  | { readonly type: 'acknowledge'; readonly by?: unknown; readonly answer?: unknown }
  | { readonly type: 'restart'; readonly downMs: number; readonly pending?: readonly string[] }
  | { readonly type: 'tick' }
  /** The engine says which devices are pending from now on. */
  | { readonly type: 'pending'; readonly pending: readonly string[] }
  /** The engine says that nothing is pending any more. */
  | { readonly type: 'over' }
);

/** Something that may happen at a device, at its time, if it still can. */
interface Due {
  at: number;
  readonly event: () => Event | undefined;
}

const devices = ['Hall', 'Wall', 'Door', 'Yard'];
const operations = ['strobe/start', 'screen/text-start', 'tone/start', 'relay/enable'];
const safeToRepeat = ['strobe/start', 'screen/text-start'];
const people = ['Ada', 'Ben', 'Cem', 'Dea', undefined, ''];
const taken: readonly Outcome[] = ['accepted', 'confirmed', 'dry-run'];

/** A random history of one alert, and the time within which it is to be acknowledged. */
export interface History {
  readonly acknowledgeWithinMs: number | undefined;
  readonly events: readonly Event[];
}

/**
 * Draws a history that can happen: receipts of one output in the order of its starts, tries only of what was not
 * started (of an alert with `retryAlert` `all`), stops only of what may be on, nothing while Node-RED is down.
 */
export function drawHistory(seed: number): History {
  return new Author(chance(seed)).draw();
}

/**
 * Drops events as long as the history still is wrong. A receipt goes with its start.
 * @param isWrong whether these events fail
 */
export function shrink(
  events: readonly Event[],
  isWrong: (events: readonly Event[]) => Promise<boolean> | boolean,
): Promise<readonly Event[]> {
  return shorten(events, async (fewer) => isWrong(withoutOrphans(fewer))).then(withoutOrphans);
}

function withoutOrphans(events: readonly Event[]): readonly Event[] {
  const ids = new Set(events.map((event) => event.type === 'start' && event.id));
  return events.filter((event) => event.type !== 'receipt' || ids.has(event.start));
}

class Author {
  readonly #events: Event[] = [];
  readonly #acknowledgeWithinMs: number | undefined;
  readonly #operations: readonly string[];
  /** Devices with `dryRun`. */
  readonly #dry: readonly string[];
  /** Outputs that a device does not have. */
  readonly #unsupported: readonly string[];
  #due: Due[] = [];
  #now = 0;
  #ids = 0;
  #state: 'idle' | 'active' | 'clearing' = 'idle';
  #isDrill = false;
  /** The moments of timers: nothing else happens then, so that no order is left to chance. */
  readonly #timers = new Set<number>();
  /** By output: the start that wanted it last, its last outcome, the answers to come, and whether it may be on. */
  readonly #outputs = new Map<
    string,
    { start: number; outcome?: Outcome; waiting: number; freeAt: number; isOn: boolean; isWanted: boolean }
  >();

  constructor(private readonly random: () => number) {
    this.#acknowledgeWithinMs = this.#oneOf([undefined, 700, 5_000, 30_000]);
    this.#operations = operations.slice(this.#below(operations.length)).slice(0, 1 + this.#below(3));
    this.#dry = devices.filter(() => this.#is(0.1));
    const outputs = devices.flatMap((device) => operations.map((operation) => `${device} ${operation}`));
    this.#unsupported = outputs.filter(() => this.#is(0.1));
  }

  draw(): History {
    const count = 2 + this.#below(14);
    for (let number = 0; number < count; number += 1) {
      this.#pass(this.#now + this.#oneOf([1, 20, 300, 900, 1_500, 8_000, 40_000]) + this.#below(50));
      this.#command();
    }
    if (this.#is(0.8)) this.#clear(false);
    this.#pass(this.#now + 120_000);
    this.#add({ at: this.#now, type: 'tick' });
    return { acknowledgeWithinMs: this.#acknowledgeWithinMs, events: this.#events };
  }

  #command(): void {
    const what = this.#oneOf(['start', 'start', 'clear', 'clear', 'acknowledge', 'acknowledge', 'restart']);
    if (what === 'start' || (this.#state === 'idle' && this.#is(0.7))) this.#start();
    else if (what === 'clear') this.#clear(this.#is(0.2));
    else if (what === 'restart') this.#restart();
    else this.#acknowledge();
  }

  #start(): void {
    const drill = this.#is(this.#isDrill ? 0.6 : 0.25);
    const isIgnored = this.#state === 'active' && drill && !this.#isDrill;
    const isRefused = this.#is(0.12);
    const chosen = devices.filter(() => this.#is(0.6));
    const actions = this.#operations.map((operation) => ({ operation }));
    const targets = (chosen.length > 0 ? chosen : ['Hall']).map((device) => ({ device, actions }));
    this.#ids += 1;
    const id = this.#ids;
    const by = this.#oneOf(people);
    const about = { by, drill, priority: this.#below(11), targets };
    const event = { type: 'start', id, ...about, ...(isRefused && { isRefused }) } as const;
    this.#add({ at: this.#now, ...event }, [1_000, this.#acknowledgeWithinMs ?? 1_000]);
    const refused = (receipt: Pick<Receipt, 'device' | 'operation'>) => {
      const code = this.#oneOf(neverRetried);
      return {
        type: 'receipt',
        start: id,
        ...receipt,
        outcome: 'failed',
        code,
        reason: code,
        message: `${code}.`,
      } as const;
    };
    for (const { device } of targets) {
      for (const { operation } of actions) {
        if (isIgnored) {
          const receipt = { type: 'receipt', start: id, device, operation, outcome: 'skipped' } as const;
          this.#later(1, () => ({ at: 0, ...receipt }));
        } else if (isRefused) {
          // Node-RED refuses such an action before its turn at the device.
          if (this.#state === 'active')
            this.#ask(id, device, operation, () => refused({ device, operation }));
          else this.#later(1, () => ({ at: 0, ...refused({ device, operation }) }));
        } else this.#ask(id, device, operation, () => this.#answer(id, device, operation));
      }
    }
    if (isIgnored || (isRefused && this.#state !== 'active')) return;
    if (this.#state !== 'active') {
      for (const [key, output] of this.#outputs) {
        output.isWanted = targets.some(({ device }) => device === key.split(' ')[0]);
      }
    }
    this.#state = 'active';
    this.#isDrill = drill;
  }

  /** An action is sent to its device, in its turn at the output. */
  #ask(start: number, device: string, operation: string, answer: () => Receipt): void {
    const key = `${device} ${operation}`;
    const output = this.#outputs.get(key) ?? { start, waiting: 0, freeAt: 0, isOn: false, isWanted: true };
    this.#outputs.set(key, Object.assign(output, { start, isWanted: true, waiting: output.waiting + 1 }));
    const takesMs = this.#oneOf([5, 40, 300, 900, 2_500]) + this.#below(40);
    output.freeAt = Math.max(output.freeAt, this.#now) + takesMs;
    this.#later(output.freeAt - this.#now, () => {
      output.waiting -= 1;
      const isTooLate = this.#state !== 'active' && this.#is(0.3);
      const receipt = isTooLate ? this.#superseded(start, device, operation) : answer();
      this.#came(receipt);
      return { at: 0, ...receipt };
    });
  }

  #superseded(start: number, device: string, operation: string): Receipt {
    return {
      type: 'receipt',
      start,
      device,
      operation,
      outcome: 'superseded',
      code: 'SUPERSEDED',
      reason: 'Too',
      message: 'Too late.',
    };
  }

  #answer(start: number, device: string, operation: string): Receipt {
    const receipt = { type: 'receipt', start, device, operation } as const;
    const key = `${device} ${operation}`;
    if (this.#unsupported.includes(key)) return { ...receipt, outcome: 'skipped' };
    // An output that is on already belongs to the alert.
    if (!this.#outputs.get(key)?.isOn && this.#is(0.12))
      return { ...receipt, outcome: 'skipped', heldBy: 'Fire' };
    if (this.#dry.includes(device)) return { ...receipt, outcome: 'dry-run' };
    // A start that only some outputs refuse: others have accepted it already.
    const isOn = this.#events.some(
      (event) => event.type === 'receipt' && event.start === start && taken.includes(event.outcome),
    );
    const [outcome, code] = this.#oneOf([
      ...Array<[Outcome]>(6).fill(['accepted']),
      ['confirmed'],
      ['failed', 'UNREACHABLE'],
      ['failed', 'UNREACHABLE'],
      ['failed', 'REFUSED'],
      ...(isOn ? [['failed', 'NOT_SUPPORTED']] : []),
      ['unknown', 'TIMEOUT'],
      ['expired', 'EXPIRED'],
    ] as [Outcome, string?][]);
    return { ...receipt, outcome, ...(code && { code, reason: code, message: `${code} at ${device}.` }) };
  }

  /** Follows a receipt: a device that comes back is tried again, and a clear that was first ends what is on. */
  #came(receipt: Receipt): void {
    const { start, device, operation, outcome, heldBy, code = '' } = receipt;
    const key = `${device} ${operation}`;
    const output = this.#outputs.get(key);
    if (!output) return;
    output.outcome = outcome;
    if (taken.includes(outcome) || outcome === 'unknown') output.isOn = true;
    if (this.#state === 'clearing' || !output.isWanted) this.#stop(key);
    else if (output.isOn && this.#is(0.08)) this.#end(key, this.#below(20_000));
    const isRetried = outcome === 'failed' || outcome === 'expired' || heldBy !== undefined;
    if (
      neverRetried.includes(code) ||
      !(isRetried || (outcome === 'unknown' && safeToRepeat.includes(operation)))
    )
      return;
    this.#later(this.#oneOf([1_000, 4_000, 30_000]) + this.#below(500), () => {
      const isMeant = output.isWanted && output.start === start && output.waiting === 0;
      if (this.#state !== 'active' || !isMeant || output.outcome !== outcome) return undefined;
      const tried = { type: 'receipt', start, device, operation } as const;
      const again: Receipt = this.#is(0.7)
        ? { ...tried, outcome: this.#dry.includes(device) ? 'dry-run' : 'accepted' }
        : {
            ...tried,
            outcome: 'failed',
            code: 'UNREACHABLE',
            reason: 'offline',
            message: `offline: ${device}`,
          };
      this.#came(again);
      return { at: 0, ...again };
    });
  }

  #clear(drill: boolean): void {
    this.#add({ at: this.#now, type: 'clear', by: this.#oneOf(people), drill }, [1_000]);
    if (this.#state !== 'active' || (drill && !this.#isDrill)) return;
    this.#state = 'clearing';
    for (const [key, output] of this.#outputs) {
      output.isWanted = false;
      this.#stop(key);
    }
    this.#isIdle();
  }

  /** The stop of an action, unless a start that is under way is answered first. */
  #stop(key: string): void {
    const isLost = this.#is(0.15);
    this.#end(
      key,
      isLost ? 5_000 + this.#below(60_000) : this.#oneOf([5, 300, 900, 2_000]) + this.#below(50),
    );
  }

  /** A stop was accepted, or an action of an alert that is on ended by its own length. */
  #end(key: string, afterMs: number): void {
    const output = this.#outputs.get(key);
    const [wanted, [device = '', operation = '']] = [output?.isWanted, key.split(' ')];
    this.#later(afterMs, () => {
      if (!output?.isOn || output.isWanted !== wanted || output.waiting > 0) return undefined;
      output.isOn = false;
      return { at: 0, type: 'ended', device, operation };
    });
  }

  #isIdle(): void {
    const isDone = [...this.#outputs.values()].every(({ isOn, waiting }) => !isOn && waiting === 0);
    if (this.#state === 'clearing' && isDone) this.#state = 'idle';
  }

  #acknowledge(): void {
    const [by, answer] = [
      this.#oneOf(people),
      this.#oneOf([undefined, 'safe', 'hurt', '', 'x'.repeat(201), 5]),
    ];
    this.#add({ at: this.#now, type: 'acknowledge', by, ...(answer !== undefined && { answer }) });
  }

  /** Not while an answer is to come: the contract does not say how such a start is counted. */
  #restart(): void {
    if (
      [...this.#outputs.values()].some(({ waiting }) => waiting > 0) ||
      this.#due.some(({ at }) => at <= this.#now + 2)
    )
      return;
    const downMs = this.#oneOf([400, 3_000, 60_000]) + this.#below(100);
    const upAt = this.#now + downMs;
    this.#now = upAt;
    for (const due of this.#due) due.at = Math.max(due.at, upAt + 1 + this.#below(2_000));
    this.#add({ at: upAt, type: 'restart', downMs });
  }

  #later(afterMs: number, event: () => Event | undefined): void {
    this.#due.push({ at: this.#now + afterMs, event });
  }

  /** Plays all that is due until then. */
  #pass(until: number): void {
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#due = this.#due.filter((due) => due !== next);
      this.#now = Math.max(this.#now, next.at);
      const event = next.event();
      if (event) this.#add({ ...event, at: this.#now });
      this.#isIdle();
    }
    this.#now = Math.max(this.#now, until);
  }

  /** @param timers after how many milliseconds the alert does something because of this event */
  #add(event: Event, timers: readonly number[] = []): void {
    let at = Math.max(event.at, (this.#events.at(-1)?.at ?? 0) + 1);
    while (this.#timers.has(at)) at += 1;
    this.#now = at;
    this.#events.push(event.type === 'restart' ? { ...event, at, downMs: event.downMs } : { ...event, at });
    for (const ms of timers) this.#timers.add(at + ms);
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  #is(probability: number): boolean {
    return this.random() < probability;
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }
}
