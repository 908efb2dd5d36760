import assert from 'node:assert/strict';
import { Centre, type CentreAction, graceMs } from '../../src/sites/centre';
import { deadAfterMs } from '../../src/sites/peer-registry';
import type { Signing } from '../../src/sites/signing';
import { type JobCommand, type JobMessage, readTopic, topicOf, type WireReceipt } from '../../src/sites/wire';
import type { Attacker } from './attacker';
import { type Devices, Instance, prefix, site } from './instance';
import { TaskClock } from './task-clock';
import { Link, type Packet, ToyBroker } from './toy-broker';

/** A job, what was written of it, and what the centre said. */
interface Story {
  readonly isIdempotent: boolean;
  /** Every instance does it. */
  readonly isForAll: boolean;
  /** What was told of it. */
  readonly told: Set<string>;
  readonly askedAt: number;
  readonly ttlMs: number;
  /** Its devices may have their turn only when its time is over. */
  readonly isBusy: boolean;
  /** It is done in order with others, so that it may wait for them, or be taken out by them. */
  readonly isOrdered: boolean;
  readonly devices: readonly string[];
  /** The devices that it was written to, as often as it was. */
  readonly written: string[];
  /** The lives of instances that have written it. */
  readonly writers: Set<string>;
  /**
   * Neither the centre nor the broker knows of a life that has written it: it is not signed, the centre has not heard
   * that life since it has published it, and the broker has lost what it kept. Then it may be done again.
   */
  isForgotten?: true;
  publishedAt?: number;
  verdict?: { readonly receipts: readonly WireReceipt[]; readonly at: number };
}

/**
 * How late a message may be counted: the broker counts whole seconds and none less than one, and a process may have
 * stood still for a second without noticing.
 */
const countingMs = 2_500;

const longestTtlMs = 20_000;

/** What signs and reads; each instance of a site has its own clock. */
export interface Keys {
  ofCentre(clockwork: TaskClock): Signing;
  ofSite(clockwork: TaskClock, instance: number): Signing;
}

/** A centre, a broker and the instances of a site, to which things happen. */
export class World {
  readonly #clockwork = new TaskClock();
  readonly #broker: ToyBroker;
  readonly #instances: readonly Instance[];
  readonly #centre: Centre;
  #link: Link | undefined;
  #isCentreCutOff = false;
  readonly #jobs = new Map<string, Story>();
  readonly #slowestMs: number;
  /** Nothing has gone wrong so far. */
  #isCalm = true;
  #seq = 0;
  readonly #signing: Signing | undefined;
  /** By output and life of an instance: what it has begun last. */
  readonly #last = new Map<string, number>();
  /** When the centre has heard a life of an instance last. */
  readonly #heardAt = new Map<string, number>();

  /**
   * @param log hears what happens
   * @param keys what is signed; without them, nothing is
   */
  constructor(
    private readonly dice: () => number,
    private readonly log: (line: string) => void,
    private readonly keys?: Keys,
  ) {
    this.#centre = new Centre({ now: () => '2026-11-22T00:00:00.000Z', isSigned: keys !== undefined });
    this.#slowestMs = dice() < 0.5 ? 20 : 400;
    this.#broker = new ToyBroker(this.#clockwork, dice);
    const devices: Devices = {
      written: (...what) => this.#written(...what),
      begun: (...what) => this.#begun(...what),
    };
    const ranks = [[0], [0, 1], [0, 0], [0, 1, 2]][Math.floor(dice() * 4)] ?? [0];
    this.#instances = ranks.map(
      (rank, index) =>
        new Instance(this.#broker, 'abc'[index] ?? '', rank, this.#slowestMs, devices, () =>
          this.keys?.ofSite(this.#clockwork, index),
        ),
    );
    this.#signing = this.keys?.ofCentre(this.#clockwork);
    this.#connectCentre();
    for (const instance of this.#instances) if (dice() < 0.9) instance.start();
    this.#pass(dice() * 4_000);
    this.#tickCentre();
  }

  /** Somebody who may write everything says something. */
  attack(attacker: Attacker): void {
    this.#broker.tap ??= (packet) => attacker.note(packet);
    this.#happen('attack', () => {
      const packet = attacker.think(this.#clockwork.now, [...this.#jobs.keys()]);
      this.log(`attack ${JSON.stringify(packet)}`);
      this.#broker.take(packet);
    });
  }

  step(): void {
    const { dice } = this;
    const instance = this.#instances[Math.floor(dice() * this.#instances.length)];
    const what = dice();
    if (what < 0.5) this.#ask();
    else if (what < 0.58) this.#happen('kill', () => instance?.kill());
    else if (what < 0.66) this.#run('start', () => instance?.start());
    else if (what < 0.72) this.#happen('cut', () => instance?.cut());
    else if (what < 0.78) this.#mend();
    else if (what < 0.85) this.#happen('freeze', () => instance?.freeze(dice() * 15_000));
    else if (what < 0.9) {
      this.#happen('crash', () => this.#crash(dice() < 0.5));
      this.#pass(dice() * 3_000);
      this.#mend();
    } else if (what < 0.94) {
      this.#happen('cut centre', () => {
        this.#isCentreCutOff = true;
        this.#link?.break();
      });
    } else this.#happen('kill', () => this.#instances[0]?.kill());
    this.#pass(dice() < 0.5 ? dice() * 100 : dice() * 4_000);
  }

  /** Everything works again, and every job comes to its end. */
  finish(): void {
    if (this.dice() < 0.3) this.#leave();
    this.#mend();
    for (const instance of this.#instances) instance.start();
    this.#pass(45_000);
    for (const [id, story] of this.#jobs) this.#judge(id, story);
  }

  /** The centre is gone, and all else works again: the site does what waits at the broker. */
  #leave(): void {
    this.#happen('centre leaves', () => {
      this.#isCentreCutOff = true;
      this.#link?.break();
      this.#reconnect();
      for (const instance of this.#instances) instance.start();
    });
    const waiting = this.#broker.kept('job').filter((packet) => this.#isFree(packet));
    this.#pass(longestTtlMs);
    for (const { id, devices } of waiting.map(({ payload }) => JSON.parse(payload) as JobMessage)) {
      const { written = [] } = this.#jobs.get(id) ?? {};
      assert.deepEqual([...new Set(written)].toSorted(), devices, `${id} waited, and was not done`);
    }
  }

  /** Nothing keeps the site from doing it in the time that it has left. */
  #isFree({ topic, payload, expiresAt }: Packet): boolean {
    const { id, claimed, maybeClaimedBy, eligible } = JSON.parse(payload) as JobMessage;
    const story = this.#jobs.get(id);
    const isClaimed = claimed ?? maybeClaimedBy ?? (this.keys && eligible);
    if (!story || story.isForAll || story.isBusy || story.isOrdered || isClaimed) return false;
    if (this.#broker.hasTaken(topic.replace('/job/', '/claim/'))) return false;
    const since = story.askedAt - longestTtlMs;
    const isBehind = this.#instances.some((instance) => instance.hasStoodStillSince(since));
    return expiresAt > this.#clockwork.now + 12_000 && !isBehind;
  }

  #crash(losesMemory: boolean): void {
    this.#broker.crash(losesMemory);
    if (!losesMemory || this.keys) return;
    for (const story of this.#jobs.values()) {
      const { publishedAt = 0, writers } = story;
      const heardAt = (life: string) => this.#heardAt.get(life) ?? Number.NEGATIVE_INFINITY;
      if ([...writers].some((life) => heardAt(life) < publishedAt - deadAfterMs)) story.isForgotten = true;
    }
  }

  #judge(id: string, story: Story): void {
    const { verdict, askedAt, ttlMs, written, devices, isIdempotent, isForAll, isBusy, isOrdered } = story;
    assert.ok(verdict, `${id} has no verdict`);
    assert.ok(verdict.at <= askedAt + ttlMs + graceMs + 100, `${id} was judged late`);
    for (const { device, outcome } of verdict.receipts) {
      if (outcome === 'accepted') assert.notEqual(written.length, 0, `${id} was accepted by nobody`);
      else if (outcome === 'failed') assert.deepEqual(written, [], `${id} failed, and was written`);
      else if (outcome === 'expired' && !isIdempotent)
        assert.ok(!written.includes(device), `${id} expired at ${device}, and was written`);
      else if (outcome === 'superseded' && isOrdered && !isIdempotent)
        assert.ok(!written.includes(device), `${id} was taken out at ${device}, and was written`);
      else if (outcome !== 'superseded' || !isOrdered)
        assert.ok(['unknown', 'expired'].includes(outcome), `${id} ended as ${outcome}`);
    }
    if (!this.#isCalm || isForAll || isBusy || isOrdered) return;
    assert.deepEqual(written.toSorted(), devices, `${id} in a calm history`);
    for (const { outcome } of verdict.receipts) assert.equal(outcome, 'accepted', `${id} in a calm history`);
  }

  /** What the person asked first is begun first. */
  #begun(seq: number, output: string, life: string): void {
    const key = `${output} ${life}`;
    const last = this.#last.get(key) ?? 0;
    assert.ok(seq >= last, `job ${seq} was begun by ${life} after job ${last}`);
    this.#last.set(key, seq);
  }

  #written(id: string, device: string, by: string, isOver: boolean): void {
    this.log(`${this.#clockwork.now.toFixed(0)} ${by} writes ${id} to ${device}`);
    const job = this.#jobs.get(id);
    assert.ok(job);
    const isAgain = job.written.includes(device) && !job.isForgotten;
    assert.ok(job.isIdempotent || !isAgain, `${id} was done twice at ${device}`);
    job.written.push(device);
    job.writers.add(by);
    assert.ok(job.isForAll || !isOver, `${id} was begun at ${device} after its topic was emptied`);
    const latest = job.askedAt + job.ttlMs + countingMs + 4 * this.#slowestMs;
    assert.ok(this.#clockwork.now <= latest, `${id} was written too late`);
  }

  #ask(): void {
    const { dice } = this;
    const id = `job${this.#jobs.size}`;
    const isForAll = dice() < 0.2;
    const isIdempotent = isForAll || dice() < 0.3;
    const ttlMs = (this.#isCalm ? 15 : 1 + Math.floor(dice() * (longestTtlMs / 1_000))) * 1_000;
    const askedAt = this.#clockwork.now;
    const isBusy = !isForAll && dice() < 0.3;
    const devices = ['a', 'b', 'c'].slice(Math.floor(dice() * 3));
    const told = new Set<string>();
    this.#seq += 1;
    const isOrdered = !isForAll && !isBusy && dice() < 0.6;
    const output = isOrdered && { output: 'o', ends: dice() < 0.4 };
    this.#jobs.set(id, {
      isOrdered,
      isIdempotent,
      isForAll,
      isBusy,
      devices,
      told,
      askedAt,
      ttlMs,
      written: [],
      writers: new Set(),
    });
    const command: JobCommand = isForAll
      ? { alert: 'x', action: 'clear' }
      : { operation: isIdempotent ? 'x/safe' : 'x/unsafe', parameters: { isBusy, ...output } };
    const job = {
      v: 2,
      id,
      site,
      at: '2026-11-22T00:00:00.000Z',
      command,
      devices,
      centre: 'c',
      seq: this.#seq,
    } as const;
    // What an alert does is known at its site only.
    const known = !isForAll && dice() < 0.3 ? undefined : isIdempotent;
    // Without anybody there is nobody to do it.
    if (!this.#instances.some((instance) => instance.isReady) || !this.#link) this.#isCalm = false;
    this.#run(`ask ${id} ${isForAll ? 'of all' : isIdempotent} ${ttlMs}${isBusy ? ' busy' : ''}`, () =>
      this.#do(this.#centre.ask(this.#clockwork.now, { job, ttlMs, isIdempotent: known })),
    );
  }

  #mend(): void {
    this.#run('mend', () => {
      this.#isCentreCutOff = false;
      this.#reconnect();
      this.#connectCentre();
    });
  }

  /** The broker is up, and the link of each instance. */
  #reconnect(): void {
    this.#broker.isUp = true;
    for (const instance of this.#instances) {
      instance.isCutOff = false;
      instance.connect();
    }
  }

  #happen(what: string, task: () => void): void {
    this.#isCalm = false;
    this.#run(what, task);
  }

  #run(what: string, task: () => void): void {
    this.log(`${this.#clockwork.now.toFixed(0)} ${what}`);
    task();
  }

  #pass(ms: number): void {
    this.#clockwork.runUntil(this.#clockwork.now + ms);
  }

  #connectCentre(): void {
    if (this.#link || this.#isCentreCutOff || !this.#broker.isUp) return;
    const link: Link = new Link(
      this.#broker,
      this.#slowestMs,
      ({ topic, payload, signature, expiry }) => {
        const read = readTopic(prefix, topic);
        const worth = this.#signing?.judge(topic, payload, expiry, signature) ?? {};
        if (!read || 'ignoreReason' in worth || link !== this.#link) return;
        if (read.kind === 'state') this.#heardAt.set(read.id, this.#clockwork.now);
        this.#do(this.#centre.message(this.#clockwork.now, read, payload));
      },
      () => {
        this.#link = undefined;
        this.#do(this.#centre.disconnected());
      },
    );
    this.#link = link;
    link.subscribe(() => link === this.#link && this.#do(this.#centre.connected(this.#clockwork.now)));
  }

  #tickCentre(): void {
    this.#do(this.#centre.tick(this.#clockwork.now));
    this.#clockwork.after(50, () => this.#tickCentre());
  }

  #do(actions: readonly CentreAction[]): void {
    for (const action of actions) {
      const { id } = action;
      if (action.do === 'publish') {
        const { kind, message, expiry } = action;
        const topic = topicOf(prefix, { site, kind, id });
        const payload = message ? JSON.stringify(message) : '';
        const signature = message && this.#signing?.sign(topic, payload, expiry);
        const story = message && this.#jobs.get(id);
        if (story) story.publishedAt ??= this.#clockwork.now;
        this.#link?.publish(topic, payload, true, expiry, signature);
      } else {
        const { receipts } = action.result;
        const told = receipts.map((receipt) => `${receipt.device} ${receipt.outcome}`);
        this.log(`${this.#clockwork.now.toFixed(0)} ${action.do} of ${id}: ${told}`);
        const job = this.#jobs.get(id);
        assert.ok(job && Boolean(job.verdict) === (action.do === 'late'), `${id} was answered twice`);
        const isNews = told.some((one) => !job.told.has(one));
        if (job.isForAll) assert.ok(isNews, `${id} was told again`);
        for (const one of told) job.told.add(one);
        job.verdict ??= { receipts, at: this.#clockwork.now };
      }
    }
  }
}
