import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realClock } from '../../src/kernel/time/clock';
import { Reception } from '../../src/runtime/webhook/reception';
import { itHolds } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { VirtualClock } from '../fixtures/virtual-clock';
import { Waiting } from '../fixtures/waiting';
import { Kept } from './kept';

/** Whether callers may call a node, and whether this is only known when host names are looked up. */
type Lookup = 'yes' | 'no' | 'held';

type Step =
  | { readonly do: 'request'; readonly isWhole: boolean }
  /** The rest of the body of the request of this number comes, or its connection is closed. */
  | { readonly do: 'rest' | 'hang up'; readonly request: number }
  /** A deploy closes the node, creates one (of this id), and ends. */
  | { readonly do: 'close' | 'settle' }
  | { readonly do: 'open'; readonly id: string; readonly lookup: Lookup }
  | { readonly do: 'end lookups'; readonly mayCall: boolean }
  | { readonly do: 'time'; readonly ms: number };

interface Call {
  readonly socket: Socket;
  answer: string;
  isComplete: boolean;
  hasHungUp: boolean;
}

/** One request with its answers, and the number of times that nodes were told of it. */
interface Course {
  readonly isComplete: boolean;
  readonly hasHungUp: boolean;
  readonly statuses: readonly string[];
  readonly accepted: number;
  readonly refused: number;
}

/**
 * The model: each request has one answer, and a node hears of it once. A caller that hangs up before all is sent knows
 * that nothing happens, so that nobody need hear of it.
 */
function wrongWith({ isComplete, hasHungUp, statuses, accepted, refused }: Course): string | undefined {
  const told = accepted + refused;
  if (told > 1) return `it was told ${told} times`;
  if (hasHungUp) return isComplete && told === 0 ? 'it was lost without a word' : undefined;
  if (statuses.length !== 1) return `it has ${statuses.length} answers`;
  if (told === 0) return `it was answered with ${statuses[0]}, and nobody was told`;
  return (statuses[0] === '200') === (accepted === 1) ? undefined : `${statuses[0]} is not what was told`;
}

class World {
  readonly #clock = new VirtualClock();
  readonly #waiting = new Waiting(() => JSON.stringify(this.#calls.map(({ answer }) => answer)));
  readonly #warnings: string[] = [];
  readonly #kepts: Kept[] = [];
  readonly #lookups = new Set<(mayCall: boolean) => void>();
  readonly #calls: Call[] = [];
  readonly #reception: Reception;
  readonly #server: Server;
  #seen = 0;
  #gone = 0;
  #isDeploying = false;
  #deployMs = 0;
  #current: Kept | undefined;

  /** @param socketPath of a Unix socket: thousands of connections would use up the ports of this computer */
  constructor(private readonly socketPath: string) {
    const clock = {
      ...realClock,
      monotonic: () => this.#clock.monotonic(),
      after: (ms: number, task: () => void) => this.#clock.after(ms, task),
    };
    this.#reception = new Reception((line) => void this.#warnings.push(line), clock);
    this.#server = createServer((request: IncomingMessage, response) => {
      request.socket.once('close', () => {
        this.#gone += 1;
        this.#waiting.look();
      });
      this.#reception.handle(request, response, () => response.end('passed'));
      this.#seen += 1;
      this.#waiting.look();
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(this.socketPath, resolve));
    this.#settle();
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'request') await this.#request(step.isWhole);
    else if (step.do === 'rest') this.#sendRest(this.#calls[step.request]);
    else if (step.do === 'hang up') await this.#hangUp(this.#calls[step.request]);
    else if (step.do === 'close') this.#close();
    else if (step.do === 'open') this.#open(step.id, step.lookup);
    else if (step.do === 'settle') this.#settle();
    else if (step.do === 'end lookups') this.#endLookups(step.mayCall);
    else if (step.do === 'time') this.#passTime(step.ms);
    await turns();
  }

  /** Ends the deploy, the lookups and the time of the bodies. */
  async end(): Promise<readonly Course[]> {
    this.#settle();
    const isEnded = ({ answer, hasHungUp }: Call) => hasHungUp || answer.includes('\r\n\r\n');
    for (let second = 0; second <= 10; second += 1) {
      await turns();
      this.#endLookups(true);
      await turns();
      this.#clock.advance(1_000);
    }
    await this.#waiting.until('each request is answered', () => this.#calls.every(isEnded));
    assert.deepEqual(this.#warnings, []);
    return this.#calls.map(({ answer, isComplete, hasHungUp }, number) => {
      const isIt = ({ query }: { query: string }) => query === `n=${number}`;
      return {
        ...{ isComplete, hasHungUp },
        statuses: [...answer.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status = '']) => status),
        accepted: this.#kepts.flatMap(({ accepted }) => accepted).filter(isIt).length,
        refused: this.#kepts.flatMap(({ refused }) => refused).filter(isIt).length,
      };
    });
  }

  async clear(): Promise<void> {
    for (const { socket } of this.#calls) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #request(isComplete: boolean): Promise<void> {
    const socket = connect(this.socketPath);
    const call: Call = { socket, answer: '', isComplete, hasHungUp: false };
    socket.on('data', (data) => {
      call.answer += data;
      this.#waiting.look();
    });
    socket.on('error', () => {});
    const head = `POST /a?n=${this.#calls.length} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n`;
    this.#calls.push(call);
    const seen = this.#seen;
    socket.write(`${head}{${isComplete ? '}' : ''}`);
    await this.#waiting.until('the request comes', () => this.#seen > seen);
  }

  #sendRest(call: Call | undefined): void {
    if (!call || call.isComplete || call.hasHungUp) return;
    call.isComplete = true;
    call.socket.write('}');
  }

  async #hangUp(call: Call | undefined): Promise<void> {
    if (!call || call.hasHungUp || call.answer !== '') return;
    call.hasHungUp = true;
    const gone = this.#gone;
    call.socket.destroy();
    await this.#waiting.until('the caller has gone', () => this.#gone > gone);
  }

  #close(): void {
    if (!this.#current) return;
    this.#reception.close(this.#current);
    this.#current = undefined;
    if (!this.#isDeploying) this.#deployMs = 0;
    this.#isDeploying = true;
  }

  #open(id: string, lookup: Lookup): void {
    if (this.#current) return;
    const kept = new Kept(id, { path: '/a', auth: 'none' }, () => {});
    let mayCall = lookup === 'held' ? undefined : lookup === 'yes';
    kept.settled = () =>
      new Promise((resolve) => {
        if (mayCall !== undefined) return resolve();
        this.#lookups.add((found) => {
          mayCall = found;
          resolve();
        });
      });
    kept.mayCall = () => {
      assert.ok(!kept.isClosed, 'a node that is closed decides nothing');
      return mayCall ?? assert.fail('a request waits until host names are looked up');
    };
    const { accept } = kept;
    kept.accept = (request) => {
      assert.ok(!kept.isClosed && mayCall, 'a node that is closed, or that nobody may call, starts no flow');
      accept.call(kept, request);
    };
    this.#kepts.push(kept);
    this.#reception.open(kept);
    this.#current = kept;
  }

  /** A deploy always ends with a node that has the path. */
  #settle(): void {
    this.#open('a', 'yes');
    this.#reception.settle(() => 0);
    this.#isDeploying = false;
  }

  /** No deploy takes so long that the requests that wait for it are left to Node-RED. */
  #passTime(ms: number): void {
    if (this.#isDeploying && this.#deployMs + ms >= 10_000) return;
    this.#deployMs += ms;
    this.#clock.advance(ms);
  }

  #endLookups(mayCall: boolean): void {
    for (const end of [...this.#lookups]) end(mayCall);
    this.#lookups.clear();
  }
}

/** Lets the reception do what it can. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}

const lookups: readonly Lookup[] = ['yes', 'no', 'held', 'held'];

function draw(seed: number): Step[] {
  const random = chance(seed);
  const below = (count: number) => Math.floor(random() * count);
  let requests = 0;
  return Array.from({ length: 25 }, (): Step => {
    const kind = random();
    if (kind < 0.3) {
      requests += 1;
      return { do: 'request', isWhole: random() < 0.6 };
    }
    if (kind < 0.4) return { do: 'rest', request: below(requests) };
    if (kind < 0.46) return { do: 'hang up', request: below(requests) };
    if (kind < 0.6) return { do: 'close' };
    if (kind < 0.74)
      return { do: 'open', id: random() < 0.7 ? 'a' : 'b', lookup: lookups[below(lookups.length)] ?? 'yes' };
    if (kind < 0.86) return { do: 'settle' };
    if (kind < 0.92) return { do: 'end lookups', mayCall: random() < 0.5 };
    return { do: 'time', ms: [1_000, 4_000, 10_000][below(3)] ?? 0 };
  });
}

describe('webhook: requests, deploys and lookups in any order', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'algo-webhook-'));
  after(() => rmSync(folder, { recursive: true }));

  itHolds<Step>({
    file: __filename,
    defaultCount: 1_500,
    share: 0.2,
    draw,
    async play(_seed, steps, log) {
      const world = new World(path.join(folder, 'socket'));
      await world.open();
      try {
        for (const step of steps) {
          log(JSON.stringify(step));
          await world.step(step);
        }
        const courses = await world.end();
        const wrong = courses.map((course, number) => {
          const fault = wrongWith(course);
          return fault && `request ${number}: ${fault} ${JSON.stringify(course)}`;
        });
        return wrong.find((fault) => fault !== undefined);
      } finally {
        await world.clear();
      }
    },
  });
});
