import { once } from 'node:events';
import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../src/catalogue/operation';
import type { DeviceClient, Turn } from '../../src/client/client';
import { DeviceError } from '../../src/client/errors';
import { Failure } from '../../src/client/failure';
import { Abort, type QueueEntry } from '../../src/client/queue/entry';
import { about, type ClientFixture, lock, munlock, type Seen, unlock } from '../fixtures/client-fixture';
import type { History, Step } from '../fixtures/history';
import { type End, type Entry, OrderModel } from './order-model';

/** Factor by which time passes faster: the 2 s of the order take 20 ms, and its minute 0.6 s. */
const haste = 100;

let thisTurn: number | undefined;

/** For `Environment`. Stands still for a turn of the event loop, so that all who look judge by the same time. */
const clock = {
  /** Milliseconds. */
  monotonic: (): number => {
    if (thisTurn === undefined) {
      thisTurn = performance.now() * haste;
      setImmediate(() => {
        thisTurn = undefined;
      });
    }
    return thisTurn;
  },
  after: (ms: number, task: () => void): (() => void) => {
    const timer = setTimeout(task, ms / haste);
    return () => clearTimeout(timer);
  },
};

/** Lets so many milliseconds of this clock pass. */
const pass = (ms: number): Promise<void> => sleep(ms / haste);

/** No request takes longer, in milliseconds of the history. */
const longestMs = 5_000;

const operations: Record<Step['message']['kind'], Operation> = {
  start: unlock,
  stop: lock,
  other: munlock,
  reading: { ...about, route: 'GET /api/reading?number={number}' },
};

/** One history with a real client and a real server, which has the faults of the steps. */
export class Performance {
  readonly #model = new OrderModel();
  readonly #steps = new Map<number, Step>();
  /** What is on at the device. */
  readonly #on = new Map<string, boolean>();
  /** How many requests of a message have come. */
  readonly #come = new Map<number, number>();
  /** Something was given up on the wire: who knows when the device does that. */
  readonly #vague = new Set<string | undefined>();
  #client!: DeviceClient;
  #underWay = 0;
  #isClosed = false;
  #wrong: string | undefined;

  /** @param log hears what happens */
  constructor(
    private readonly history: History,
    private readonly log: (line: string) => void,
  ) {}

  /** Returns the first thing that was wrong. */
  async run(fixture: ClientFixture): Promise<string | undefined> {
    const address = await fixture.http((seen, response) => void this.#respond(seen, response));
    this.#client = fixture.client(address, { timeoutMs: 20_000 }, clock);
    const { steps, closeAt } = this.history;
    const calls: Promise<void>[] = [];
    for (const at of closeAt?.values() ?? []) calls.push(this.#close(at));
    let at = 0;
    for (const step of steps) {
      if (step.at > at) await pass(step.at - at);
      at = step.at;
      calls.push(this.#arrive(step));
    }
    await Promise.all(calls);
    // What is sent once more begins when the start ends, and nobody else is there any more.
    while (this.#underWay > 0) await pass(100);
    return this.#wrong ?? this.#atTheEnd();
  }

  #atTheEnd(): string | undefined {
    for (const deviceOutput of this.#vague) this.#on.delete(deviceOutput ?? '');
    if (this.#isClosed) {
      this.#on.clear();
      this.#model.pending.clear();
    }
    return this.#model.atTheEnd(this.#on);
  }

  async #close(at: number): Promise<void> {
    await pass(at);
    this.#isClosed = true;
    this.log('closes');
    await this.#client.close();
    if (this.#underWay > 0) this.#wrong ??= 'closed, but something is still under way';
  }

  async #arrive(step: Step): Promise<void> {
    const { message, parametersMs, abortMs } = step;
    const now = clock.monotonic();
    const entry = this.#model.arrives(message, now);
    this.#steps.set(entry.number, step);
    this.#report(entry, 'arrives');
    const rank = message.kind === 'reading' ? 'reading' : message.urgent ? 'urgent' : 'ordinary';
    const expiresAt = message.kind === 'start' ? now + 60_000 : Number.POSITIVE_INFINITY;
    const abort = this.#watched(entry);
    const place = this.#client.queue.take({ rank, isStop: message.kind === 'stop', expiresAt }, abort);
    this.#watchTurn(entry, place);
    if (abortMs !== undefined) void this.#giveUp(entry, abort, abortMs);
    if (parametersMs !== undefined) {
      if (message.family) this.#client.queue.announce(place, message.family);
      await pass(Number.isFinite(parametersMs) ? Math.min(parametersMs, longestMs) : 1_000);
      if (parametersMs === Number.POSITIVE_INFINITY) {
        if (!entry.end) this.#ends(entry, 'aborted');
        this.#client.queue.withdraw(place);
        return;
      }
    }
    await this.#enter(entry, place);
  }

  async #enter(entry: Entry, place: QueueEntry): Promise<void> {
    const { deviceOutput: name, family = '' } = entry;
    if (entry.givenUp) this.#ends(entry, 'aborted');
    else if (!this.#isClosed) {
      this.#report(entry, 'enters');
      this.#model.enters(entry, clock.monotonic());
    }
    const deviceOutput = name === undefined ? undefined : { name, family };
    let hadTurn = false;
    try {
      await this.#client.during(place, deviceOutput, 'test', (turn) => {
        hadTurn = true;
        return this.#work(entry, turn);
      });
    } catch (error) {
      if (!hadTurn && !entry.end) this.#ends(entry, endOf(error));
    }
  }

  /** Its turn; once more, for a stop that passed a start. */
  async #work(entry: Entry, turn: Turn): Promise<void> {
    this.#underWay += 1;
    try {
      await turn.call(operations[entry.kind], { number: entry.number });
      this.#ends(entry, 'done');
    } catch (error) {
      const wasGivenUp = entry.kind === 'stop' && error instanceof DeviceError && error.code === 'ABORTED';
      const end = wasGivenUp ? 'aborted' : endOf(error);
      this.#ends(entry, end === 'expired' ? 'failed' : end);
      throw error;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Tells the model of a turn in the moment in which the queue gives it; the call goes on a little later. */
  #watchTurn(entry: Entry, place: QueueEntry): void {
    let lane: QueueEntry['connectionName'];
    let again: QueueEntry['resend'];
    Object.defineProperty(place, 'connectionName', {
      get: () => lane,
      set: (given: QueueEntry['connectionName']) => {
        lane = given;
        const wrong =
          given && (this.#isClosed ? 'all was closed' : this.#model.begins(entry, clock.monotonic()));
        if (given) this.#report(entry, 'begins', wrong);
      },
    });
    Object.defineProperty(place, 'resend', {
      get: () => again,
      set: (repeat: (once: QueueEntry) => void) => {
        again = (once) => {
          this.#watchTurn(entry, once);
          repeat(once);
        };
      },
    });
  }

  /** Tells the model when a request goes to the socket, and when it has its answer or is lost. */
  #watched(entry: Entry): Abort {
    const abort = new Abort();
    let onWire = false;
    Object.defineProperty(abort, 'onWire', {
      get: () => onWire,
      set: (now: boolean) => {
        onWire = now;
        if (now) this.#report(entry, 'is sent', this.#model.isSent(entry));
        else entry.onWire = false;
      },
    });
    return abort;
  }

  async #giveUp(entry: Entry, abort: Abort, ms: number): Promise<void> {
    await pass(ms);
    if (entry.end !== undefined) return;
    if (abort.onWire) this.#vague.add(entry.deviceOutput);
    entry.givenUp = true;
    this.#report(entry, 'is given up');
    // Its promise says so a few turns later than that of whoever is next says its own.
    if (entry.entered !== undefined && !entry.connection) this.#ends(entry, 'aborted');
    abort.abort(Failure.own('ABORTED', 'it was canceled'));
  }

  #ends(entry: Entry, end: End): void {
    this.#report(entry, `ends ${end}`, this.#model.ends(entry, end, clock.monotonic()));
  }

  #report({ number, kind, deviceOutput = '' }: Entry, what: string, wrong?: string): void {
    this.log(`${Math.round(clock.monotonic())}: ${number} (${kind} ${deviceOutput}) ${what}`);
    if (wrong) this.#wrong ??= `${number} ${what}, but ${wrong}`;
  }

  /** The device's side: takes a while, does it or not, and answers, refuses or breaks off. */
  async #respond({ url, body }: Seen, response: http.ServerResponse): Promise<void> {
    const number = Number(
      new URL(url, 'http://device').searchParams.get('number') ?? JSON.parse(String(body)).number,
    );
    const { message, requestsMs, end, done, againMs } = this.#steps.get(number) as Step;
    const { kind, deviceOutput } = message;
    const index = this.#come.get(number) ?? 0;
    this.#come.set(number, index + 1);
    const takes = () => {
      if (deviceOutput !== undefined && end !== 'failed') this.#on.set(deviceOutput, kind === 'start');
    };
    if (done === 'early') takes();
    await Promise.race([pass(Math.min(requestsMs[index] ?? againMs, longestMs)), once(response, 'close')]);
    if (response.destroyed) return;
    if (done === 'late' || (done === 'never' && end === 'done')) takes();
    if (index < requestsMs.length - 1 || end === 'unclear') {
      if (number % 2) response.socket?.resetAndDestroy();
      else response.socket?.destroy();
    } else response.writeHead(end === 'failed' ? 404 : 200).end();
  }
}

function endOf(error: unknown): End {
  const outcome = error instanceof DeviceError ? error.outcome : undefined;
  if (!(error instanceof DeviceError) || outcome === 'skipped') return 'done';
  if (outcome === 'superseded' || outcome === 'expired') return outcome;
  if (outcome === 'unknown') return 'unclear';
  return error.code === 'ABORTED' ? 'aborted' : 'failed';
}
