import type { SiteAction } from '../../src/sites/actions';
import { Site } from '../../src/sites/site';
import { type JobMessage, type ResultMessage, readTopic, topicOf } from '../../src/sites/wire';
import { type Arrived, Link, type ToyBroker } from './toy-broker';

export const prefix = 'algo/v1';
export const site = 'north';

/** What all instances of the site write to devices. */
export interface Device {
  written(id: string, instance: string): void;
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
  #begun = new Map<string, { job: JobMessage; until: number }>();
  isCutOff = false;

  constructor(
    private readonly broker: ToyBroker,
    private readonly name: string,
    private readonly rank: number,
    private readonly slowestMs: number,
    private readonly device: Device,
  ) {}

  get isReady(): boolean {
    return this.#site?.isReady === true && !this.isFrozen;
  }

  get isFrozen(): boolean {
    return this.broker.clockwork.now < this.#frozenUntil;
  }

  get isAlive(): boolean {
    return this.#site !== undefined;
  }

  start(): void {
    if (this.#site) return;
    this.#life += 1;
    this.#site = new Site({
      site,
      instance: `${this.name}${this.#life}`,
      place: this.name,
      rank: this.rank,
      startedAt: this.#now,
      isSafe: (work) => ('operation' in work ? work.operation === 'safe' : work.action === 'clear'),
      now: () => '2026-11-22T00:00:00.000Z',
      remembered: [...this.#journal],
    });
    this.#tick(this.#life);
    this.connect();
  }

  kill(): void {
    this.#site = undefined;
    this.#begun = new Map();
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
    link.subscribe(() =>
      this.#alive(life, () => link === this.#link && this.#do(this.#site?.connected(this.#now))),
    );
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

  #read({ topic, payload, expiry }: Arrived): void {
    const read = readTopic(prefix, topic);
    if (read?.site === site) this.#do(this.#site?.message(this.#now, { ...read, payload, expiry }));
  }

  #do(actions: readonly SiteAction[] = []): void {
    for (const action of actions) this.#doOne(action);
  }

  #doOne(action: SiteAction): void {
    const { id } = action;
    if (action.do === 'publish') {
      const { kind, message, expiry } = action;
      const topic = topicOf(prefix, { site, kind, id });
      this.#link?.publish(topic, message ? JSON.stringify(message) : '', kind !== 'state', expiry);
    } else if (action.do === 'begin') this.#begin(action.job, action.leftMs);
    else if (action.do === 'drop') this.#begun.delete(id);
    else if (action.do === 'refuse') this.#finish(id, 'expired');
    else if (action.do === 'remember') this.#journal.set(id, action.result);
    else if (action.do === 'admit') {
      if (!action.isSafe) this.#journal.set(id, null);
      this.#later(id, 5, () => this.#write(id));
    }
  }

  #begin(job: JobMessage, leftMs: number): void {
    this.#begun.set(job.id, { job, until: this.#now + leftMs });
    this.#later(job.id, this.broker.dice() < 0.2 ? 4_000 : 50, () =>
      this.#do(this.#site?.turn(this.#now, job.id)),
    );
  }

  #write(id: string): void {
    const begun = this.#begun.get(id);
    if (!begun || this.#now >= begun.until) {
      this.#finish(id, 'expired');
      return;
    }
    this.device.written(id, `${this.name}${this.#life}`);
    this.#later(id, this.broker.dice() < 0.2 ? 3_000 : 100, () => this.#finish(id, 'accepted'));
  }

  #finish(id: string, outcome: string): void {
    if (!this.#begun.delete(id)) return;
    const at = '2026-11-22T00:00:00.000Z';
    const receipt = {
      device: this.name,
      address: '',
      operation: 'x/y',
      outcome,
      attempts: 1,
      latencyMs: 1,
      at,
    };
    this.#do(this.#site?.finished(this.#now, id, [receipt]));
  }

  /** Unless it was taken back, or begun anew, meanwhile. */
  #later(id: string, slowestMs: number, task: () => void): void {
    const [life, begun] = [this.#life, this.#begun.get(id)];
    this.broker.clockwork.after(this.broker.dice() * slowestMs, () =>
      this.#alive(life, () => this.#begun.get(id) === begun && task()),
    );
  }
}
