import type { SiteAction } from '../../src/sites/actions';
import type { Outputs } from '../../src/sites/order';
import type { Signing } from '../../src/sites/signing';
import { Site } from '../../src/sites/site';
import { type JobCommand, type ResultMessage, readTopic, topicOf } from '../../src/sites/wire';
import { type Doer, JobPlayer, type Surroundings } from './job-player';
import { type Arrived, Link, type ToyBroker } from './toy-broker';

export const prefix = 'algo/v2';
export const site = 'north';

/** What jobs are about, and who does them in one life of an instance. */
export interface Trade {
  isIdempotent(command: JobCommand): boolean;
  outputs(command: JobCommand): Outputs;
  doer(life: number, surroundings: Surroundings): Doer;
}

/** What a job names as its output. */
function outputsIn(command: JobCommand): Outputs {
  const { output, ends } = 'operation' in command ? command.parameters : {};
  return { names: typeof output === 'string' ? [output] : [], isStop: ends === true };
}

/** What all instances of the site write to devices. */
export interface Devices {
  /** @param isOver the instance has read that the job was taken off the broker, and no answer to it before */
  written(id: string, device: string, instance: string, isOver: boolean): void;
  begun(seq: number, output: string, life: string): void;
}

/** A site's instance in a process that can be killed, frozen and cut off. */
export class Instance {
  #site: Site | undefined;
  #link: Link | undefined;
  #life = 0;
  #frozenUntil = 0;
  #backlog: (() => void)[] = [];
  /** What survives the process. */
  readonly #journal = new Map<string, ResultMessage | null>();
  #given: Doer | undefined;
  #signing: Signing | undefined;
  /** What it has read since it lives: jobs that were answered, and those that were taken off before. */
  #answered = new Set<string>();
  #over = new Set<string>();
  isCutOff = false;

  constructor(
    private readonly broker: ToyBroker,
    private readonly name: string,
    private readonly rank: number,
    private readonly slowestMs: number,
    private readonly devices: Devices,
    /** A new one for each life. */
    private readonly makeSigning: () => Signing | undefined = () => undefined,
    private readonly trade: Trade = {
      isIdempotent: (command) =>
        'operation' in command ? command.operation === 'x/safe' : command.action === 'clear',
      outputs: outputsIn,
      doer: (_life, surroundings) => new JobPlayer(name, surroundings),
    },
  ) {}

  get isReady(): boolean {
    return this.#site?.isReady === true && !this.isFrozen;
  }

  get isFrozen(): boolean {
    return this.broker.clockwork.now < this.#frozenUntil;
  }

  /** It counts what it then reads as older than it may be, and can end it before its time. */
  hasStoodStillSince(moment: number): boolean {
    return this.#frozenUntil > moment;
  }

  get isAlive(): boolean {
    return this.#site !== undefined;
  }

  start(): void {
    if (this.#site) return;
    this.#life += 1;
    this.#given = this.#givenOf(this.#life);
    this.#signing = this.makeSigning();
    this.#site = new Site({
      site,
      instance: `${this.name}${this.#life}`,
      nodeId: this.name,
      rank: this.rank,
      startedAt: this.#now,
      isIdempotent: this.trade.isIdempotent,
      now: () => '2026-11-22T00:00:00.000Z',
      outputs: ({ command }) => this.trade.outputs(command),
      remembered: [...this.#journal],
    });
    this.#tick(this.#life);
    this.connect();
  }

  kill(): void {
    this.#given?.die?.();
    this.#given = undefined;
    this.#site = undefined;
    this.#answered = new Set();
    this.#over = new Set();
    this.#backlog = [];
    this.#frozenUntil = 0;
    this.#link?.break();
    this.#link = undefined;
  }

  /** The process stands still; what comes meanwhile waits in its socket. */
  freeze(ms: number): void {
    if (!this.#site || this.isFrozen) return;
    this.#frozenUntil = this.broker.clockwork.now + ms;
    const life = this.#life;
    this.broker.clockwork.after(ms, () => {
      if (life !== this.#life || !this.#site) return;
      const backlog = this.#backlog;
      this.#backlog = [];
      // Timers that are due run before anything is read.
      const [first, ...others] = backlog.sort(() => 0);
      first?.();
      for (const one of others) one();
    });
  }

  connect(): void {
    if (!this.#site || this.#link || this.isCutOff || !this.broker.isUp) return;
    const life = this.#life;
    const link: Link = new Link(
      this.broker,
      this.slowestMs,
      (arrived) => this.#alive(life, () => link === this.#link && this.#read(arrived)),
      () =>
        this.#alive(life, () => {
          if (this.#link !== link) return;
          this.#link = undefined;
          this.#do(this.#site?.disconnected(this.#now));
        }),
    );
    this.#link = link;
    this.#site.subscribing(this.#now);
    link.subscribe(() =>
      this.#alive(life, () => link === this.#link && this.#do(this.#site?.connected(this.#now))),
    );
  }

  /** Nothing comes through for a while, and neither end notices. */
  stall(ms: number): void {
    this.#link?.stall(ms);
  }

  cut(): void {
    this.isCutOff = true;
    this.#link?.break();
  }

  get #now(): number {
    return this.broker.clockwork.now;
  }

  /** Now, or when the process goes on. */
  #alive(life: number, task: () => unknown): void {
    if (life !== this.#life || !this.#site) return;
    if (this.isFrozen) this.#backlog.push(task);
    else task();
  }

  #tick(life: number): void {
    const next = Math.max(1, (this.#site?.wakeAt(this.#now) ?? 0) - this.#now);
    const run = () => {
      this.#do(this.#site?.tick(this.#now));
      this.#tick(life);
    };
    this.broker.clockwork.after(next, () => {
      if (life !== this.#life || !this.#site) return;
      if (this.isFrozen) this.#backlog.unshift(run);
      else run();
    });
  }

  #read({ topic, payload, signature, expiry: told }: Arrived): void {
    const read = readTopic(prefix, topic);
    if (read?.site !== site) return;
    const worth = this.#signing?.judge(topic, payload, told, signature) ?? { expiry: told };
    if ('ignoreReason' in worth) return;
    const { expiry } = worth;
    const { kind, id } = read;
    if (kind === 'result' && payload !== '') this.#answered.add(id);
    // An attacker can bring a job back to its topic; its time is checked then as before.
    if (kind === 'job' && payload !== '') this.#over.delete(id);
    else if (kind === 'job' && !this.#answered.has(id)) this.#over.add(id);
    this.#do(this.#site?.message(this.#now, { ...read, payload, expiry }));
  }

  #do(actions: readonly SiteAction[] = []): void {
    for (const action of actions) this.#doOne(action);
  }

  #doOne(action: SiteAction): void {
    const { id } = action;
    if (action.do === 'publish') {
      const { kind, message, expiry } = action;
      const topic = topicOf(prefix, { site, kind, id });
      const payload = message ? JSON.stringify(message) : '';
      const signature = message && this.#signing?.sign(topic, payload, expiry);
      this.#link?.publish(topic, payload, kind !== 'state', expiry, signature);
    } else if (action.do === 'begin') {
      const [output] = this.trade.outputs(action.job.command).names;
      if (output) this.devices.begun(action.job.seq ?? 0, output, `${this.name}${this.#life}`);
      this.#given?.begin(action.job, action.leftMs, action.agoMs);
    } else if (action.do === 'drop') this.#given?.drop(id);
    else if (action.do === 'refuse') this.#given?.refuse(id);
    else if (action.do === 'remember') this.#journal.set(id, action.result);
    else if (action.do === 'admit') {
      if (!action.isIdempotent) this.#journal.set(id, null);
      this.#given?.admit(id);
    } else if (action.do === 'clear') this.#given?.clear?.(action.alert, action.order);
  }

  /** What dies with the process. */
  #givenOf(life: number): Doer {
    const instance = this;
    return this.trade.doer(life, {
      get now() {
        return instance.#now;
      },
      dice: this.broker.dice,
      later: (ms, task) => this.broker.clockwork.after(ms, () => this.#alive(life, task)),
      turn: (id) => this.#do(this.#site?.turn(this.#now, id)),
      written: (id, device) => this.devices.written(id, device, `${this.name}${life}`, this.#over.has(id)),
      finished: (id, receipts) => this.#do(this.#site?.finished(this.#now, id, receipts)),
    });
  }
}
