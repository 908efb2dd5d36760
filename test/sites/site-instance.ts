import type { RequestAge, SiteAction, SiteOptions } from '../../src/sites/actions';
import { Site } from '../../src/sites/site';
import type { Kind, ResultMessage } from '../../src/sites/wire';

/** The receipt of a device that did a job. */
export const receipt = {
  device: 'A',
  address: '',
  operation: 'strobe/start',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 1,
  at: 'now',
};

/** One instance, told what comes over the broker; remembers what it wants done. */
export class SiteInstance {
  now = 0;
  readonly #done: string[] = [];
  #beat = 0;
  /** The result that it has said last. */
  result: object | undefined;
  /** Ids of jobs, in the order in which they were begun. */
  readonly begun: string[] = [];
  /** Of the results that it has said. */
  readonly outcomes: string[] = [];
  readonly cleared: RequestAge[] = [];
  /** An alert is on here, and no drill. */
  isEarnest = false;
  readonly site: Site;

  constructor(
    rank = 0,
    remembered: readonly (readonly [string, ResultMessage | null])[] = [],
    outputs?: SiteOptions['outputs'],
  ) {
    this.site = new Site({
      site: 'north',
      instance: 'a',
      startedAt: 0,
      nodeId: 'a',
      rank,
      isIdempotent: (command) =>
        'operation' in command ? command.operation === 'x/safe' : command.action === 'clear',
      now: () => 'now',
      remembered,
      isEarnest: () => this.isEarnest,
      ...(outputs && { outputs }),
    });
  }

  /** What was wanted since the last time: `publish claim`, `begin`, … */
  get done(): string[] {
    return this.#done.splice(0);
  }

  /** How many signs of life it has given. */
  get beats(): number {
    return this.#beat;
  }

  do(actions: readonly SiteAction[]): void {
    for (const action of actions) {
      if (action.do === 'begin') this.begun.push(action.id);
      if (action.do === 'clear') this.cleared.push(action.order);
      if (action.do !== 'publish') this.#done.push(action.do);
      else if (action.kind === 'state') this.#beat = (action.message as { seq: number }).seq;
      else {
        if (action.kind === 'result') {
          this.result = action.message;
          const { receipts = [] } = (action.message ?? {}) as Partial<ResultMessage>;
          this.outcomes.push(...receipts.map(({ outcome }) => outcome));
        }
        this.#done.push(`${action.message ? 'publish' : 'empty'} ${action.kind}`);
      }
    }
  }

  connect(): void {
    this.site.subscribing(this.now);
    this.do(this.site.connected(this.now));
  }

  lose(): void {
    this.do(this.site.disconnected(this.now));
  }

  /** Its own sign of life comes back. */
  echo(): void {
    this.receive('state', 'a', { instance: 'a', nodeId: 'a', rank: 0, seq: this.#beat, ready: false });
  }

  receive(kind: Kind, id: string, message?: object, expiry?: number): void {
    const payload = message ? JSON.stringify({ v: 2, ...message }) : '';
    this.do(this.site.message(this.now, { kind, id, payload, expiry }));
  }

  peer(instance: string, rank: number, ready: boolean, more = {}): void {
    this.receive('state', instance, { instance, nodeId: instance, rank, seq: 1, ready, ...more });
  }

  job(operation = 'unsafe', more = {}): void {
    const command = { operation: `x/${operation}`, parameters: {} };
    this.receive('job', 'j', { id: 'j', site: 'north', at: 'now', command, devices: [], ...more }, 30);
  }

  claim(instance: string, seq = 1, id = 'j'): void {
    this.receive('claim', id, { instance, nodeId: instance, seq });
  }

  turn(): void {
    this.do(this.site.turn(this.now, 'j'));
  }

  /** Lets time go by in beats. */
  pass(ms: number): void {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += 500;
      this.do(this.site.tick(this.now));
    }
  }
}

/** A site that is connected and has heard itself. */
export function listening(...given: ConstructorParameters<typeof SiteInstance>): SiteInstance {
  const created = new SiteInstance(...given);
  created.connect();
  created.echo();
  return created;
}

/** One that has a job, and whose claim is on its way. */
export function claiming(): SiteInstance {
  const created = listening();
  created.job();
  created.turn();
  return created;
}
