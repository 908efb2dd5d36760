import assert from 'node:assert/strict';
import { Centre, type CentreAction } from '../../src/sites/centre';
import { type JobCommand, type ResultMessage, readTopic, topicOf } from '../../src/sites/wire';
import { MemoryJournal } from '../kernel/memory-journal';
import { Instance, prefix, site } from './instance';
import { type Request, RequestModel } from './request-model';
import { alert, isIdempotent, type Lit, outputs, SiteDevices } from './site-devices';
import { TaskClock } from './task-clock';
import { Link, ToyBroker } from './toy-broker';

const [hour, day] = [3_600_000, 86_400_000];

/** A centre, a broker, and a site with one or two instances whose clocks differ; people press buttons everywhere. */
export class RequestWorld {
  readonly #clockwork = new TaskClock();
  readonly #broker: ToyBroker;
  readonly #lit: Lit = new Map();
  readonly #instances: readonly Instance[];
  readonly #devices = new Map<number, SiteDevices>();
  readonly #model: RequestModel;
  readonly #asked = new Map<string, Request>();
  readonly #centre = new Centre({ now: () => 'now' });
  readonly #slowestMs: number;
  #link: Link | undefined;
  #isCentreCutOff = false;
  readonly #cutSince = new Map<number, number>();

  constructor(
    private readonly dice: () => number,
    private readonly log: (line: string) => void,
  ) {
    this.#slowestMs = dice() < 0.5 ? 20 : 300;
    this.#broker = new ToyBroker(this.#clockwork, dice);
    const count = dice() < 0.5 ? 1 : 2;
    this.#model = new RequestModel(count, this.#slowestMs);
    this.#instances = Array.from({ length: count }, (_, index) => this.#instance(index));
    this.#connectCentre();
    for (const instance of this.#instances) instance.start();
    this.#pass(3_000);
    this.#tickCentre();
  }

  /** @param dice what happens; how long everything takes is drawn elsewhere */
  step(dice: () => number): void {
    const index = Math.floor(dice() * this.#instances.length);
    const instance = this.#instances[index];
    const what = dice();
    if (what < 0.45) this.#ask(dice);
    else if (what < 0.6) this.#press(index, dice);
    else if (what < 0.67) this.#cut(index);
    else if (what < 0.76) {
      const ms = dice() * 20_000;
      const from = this.#clockwork.now;
      this.#model.stalls.push({ from, until: from + ms + 2 * this.#slowestMs });
      this.#run(`stall ${index} ${ms.toFixed(0)}`, () => instance?.stall(ms));
    } else if (what < 0.82) {
      this.#model.hasDied = true;
      this.#run(`kill ${index}`, () => instance?.kill());
    } else if (what < 0.88) this.#run(`start ${index}`, () => instance?.start());
    else if (what < 0.91) {
      this.#run('cut centre', () => {
        this.#isCentreCutOff = true;
        this.#link?.break();
      });
    } else this.#mend();
    this.#pass(dice() < 0.5 ? dice() * 200 : dice() < 0.98 ? dice() * 6_000 : dice() * 2 * hour);
  }

  /** Everything works again, and whatever may still come has come: what is on is what was asked for. */
  finish(): void {
    this.#mend();
    for (const instance of this.#instances) instance.start();
    this.#pass(200_000);
    this.#mend();
    this.#pass(60_000);
    for (const output of ['door', 'tone', 'strobe']) {
      const may = this.#model.states(output);
      const is = this.#lit.get(output) === true;
      assert.ok(may.has(is), `${output} is ${is ? 'on' : 'off'}`);
    }
    const may = this.#model.states('strobe', false);
    const isOn = [...this.#devices.values()].some(({ isAlertOn }) => isAlertOn);
    assert.ok(may.has(isOn), `the alert is ${isOn ? 'on' : 'off'}`);
  }

  #instance(index: number): Instance {
    const journal = new MemoryJournal();
    const name = 'ab'[index] ?? '';
    const clockMs = [-hour, 0, hour, day][Math.floor(this.dice() * 4)] ?? 0;
    const written = (id: string, device: string, by: string) =>
      this.log(`${this.#time} ${by} writes ${id} to ${device}`);
    const begun = (seq: number, output: string, life: string) =>
      this.log(`${this.#time} ${life} begins ${seq} at ${output}`);
    return new Instance(this.#broker, name, index, this.#slowestMs, { written, begun }, undefined, {
      isIdempotent,
      outputs,
      doer: (_life, surroundings) => {
        const devices = new SiteDevices(surroundings, this.#lit, this.#model.sent, journal, clockMs);
        this.#devices.set(index, devices);
        return devices;
      },
    });
  }

  /** Somebody at the centre. */
  #ask(dice: () => number): void {
    const output = ['door', 'tone', 'strobe', 'strobe'][Math.floor(dice() * 4)] ?? '';
    const on = dice() < 0.5;
    const command: JobCommand =
      output === 'strobe'
        ? { alert, action: on ? 'start' : 'clear' }
        : {
            operation: `${output}/${output === 'door' ? (on ? 'unlock' : 'lock') : on ? 'start' : 'stop'}`,
            parameters: {},
          };
    const id = `job${this.#asked.size}`;
    const seq = this.#asked.size + 1;
    const devices = output === 'strobe' ? [] : ['D'];
    const job = { v: 2, id, site, at: 'now', command, devices, centre: 'c', seq } as const;
    const ttl = [5, 20, 60][Math.floor(dice() * 3)] ?? 5;
    const { now } = this.#clockwork;
    const until = now + ttl * 1_000;
    const request: Request = {
      at: now,
      output,
      on,
      by: 'centre',
      until,
      isIdempotent: isIdempotent(command),
    };
    this.#asked.set(id, request);
    this.#model.requests.push(request);
    const isKnown = output === 'strobe' && on ? undefined : isIdempotent(command);
    this.#run(`ask ${id}: ${output} ${on ? 'on' : 'off'}, ${ttl} s`, () =>
      this.#do(this.#centre.ask(this.#clockwork.now, { job, ttlMs: ttl * 1_000, isIdempotent: isKnown })),
    );
  }

  /** Somebody at the site, where its Node-RED runs. */
  #press(index: number, dice: () => number): void {
    const instance = this.#instances[index];
    const devices = this.#devices.get(index);
    if (!instance?.isAlive || !devices) return;
    const on = dice() < 0.6;
    const { now } = this.#clockwork;
    this.#model.requests.push({ at: now, output: 'strobe', on, by: 'site', until: now, isIdempotent: true });
    this.#run(`press ${index}: strobe ${on ? 'on' : 'off'}`, () => devices.press(on));
  }

  #cut(index: number): void {
    this.#cutSince.set(index, this.#cutSince.get(index) ?? this.#clockwork.now);
    this.#run(`cut ${index}`, () => this.#instances[index]?.cut());
  }

  #mend(): void {
    for (const from of this.#cutSince.values()) this.#model.cuts.push({ from, until: this.#clockwork.now });
    this.#cutSince.clear();
    this.#run('mend', () => {
      this.#isCentreCutOff = false;
      for (const instance of this.#instances) {
        instance.isCutOff = false;
        instance.connect();
      }
      this.#connectCentre();
    });
  }

  get #time(): string {
    return this.#clockwork.now.toFixed(0);
  }

  #run(what: string, task: () => void): void {
    this.log(`${this.#time} ${what}`);
    task();
  }

  #pass(ms: number): void {
    this.#clockwork.runUntil(this.#clockwork.now + ms);
  }

  #connectCentre(): void {
    if (this.#link || this.#isCentreCutOff) return;
    const link: Link = new Link(
      this.#broker,
      this.#slowestMs,
      ({ topic, payload }) => {
        const read = readTopic(prefix, topic);
        if (read && link === this.#link) this.#do(this.#centre.message(this.#clockwork.now, read, payload));
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
    this.#clockwork.after(100, () => this.#tickCentre());
  }

  #do(actions: readonly CentreAction[]): void {
    for (const action of actions) {
      const { id } = action;
      if (action.do === 'publish') {
        const { kind, message, expiry } = action;
        const topic = topicOf(prefix, { site, kind, id });
        this.#link?.publish(topic, message ? JSON.stringify(message) : '', true, expiry);
      } else this.#told(id, action.result);
    }
  }

  #told(id: string, { receipts }: Pick<ResultMessage, 'receipts'>): void {
    this.log(`${this.#time} told ${id}: ${receipts.map(({ outcome }) => outcome)}`);
    const request = this.#asked.get(id);
    if (request) request.receipts = [...(request.receipts ?? []), ...receipts];
  }
}
