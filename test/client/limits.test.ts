import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { door } from '../../src/catalogue/door';
import { files } from '../../src/catalogue/files';
import type { Answer, DeviceClient } from '../../src/client/client';
import { makeCertificate } from '../fixtures/certificates';
import { ClientFixture, failureOf, lock, munlock, unlock } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';

const put = files.operations.find(({ id }) => id === 'put') ?? assert.fail();
const [, doorUnlock] = door.operations;

/** A clock that a test moves. */
class Clock {
  time = 1_000;
  readonly #tasks: { readonly at: number; readonly task: () => void }[] = [];
  readonly monotonic = () => this.time;
  readonly after = (ms: number, task: () => void) => {
    const entry = { at: this.time + ms, task };
    this.#tasks.push(entry);
    return () => void this.#tasks.splice(this.#tasks.indexOf(entry), 1);
  };

  advance(ms: number): void {
    this.time += ms;
    for (const entry of this.#tasks.filter(({ at }) => at <= this.time)) {
      this.#tasks.splice(this.#tasks.indexOf(entry), 1);
      entry.task();
    }
  }
}

describe('client: limits', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  // A device on a busy machine has 7/8 of the time limit for its handshake after the loop turns again.
  it('calls no device dead because this process was held up, over http and https', async () => {
    const timeoutMs = 8_000;
    const clientOf = (address: string) => fixture.client(address, { timeoutMs, certificate: 'any' });
    const addresses = await Promise.all([elsewhere('http'), elsewhere('https')]);
    const [connecting, answering] = [addresses.map(clientOf), addresses.map(clientOf)];
    await Promise.all(answering.map((client) => client.call(munlock)));
    const calls = [...connecting, ...answering].map((client) => client.call(munlock));
    // The requests are on their way when the loop is held up: they were handed to the sockets in an earlier turn.
    await new Promise(setImmediate);
    holdUp(timeoutMs + 500);
    for (const { statusCode } of await Promise.all(calls)) assert.equal(statusCode, 200);
  });

  it('does not open what waited a minute', async () => {
    const gate = new ResponseGate();
    const clock = new Clock();
    const client = fixture.client(await fixture.http(gate.respond), {}, clock);
    const first = client.call(munlock);
    await gate.next();
    const late = failureOf(client.call(doorUnlock, { doorid: 'local' }));
    const read = client.call({ ...munlock, route: 'POST /api/other' });
    clock.advance(60_000);
    const { code, outcome, attempts } = await late;
    assert.deepEqual({ code, outcome, attempts }, { code: 'EXPIRED', outcome: 'expired', attempts: 0 });
    gate.release();
    await first;
    if (gate.held.length === 0) await gate.next();
    gate.release();
    await read;
    assert.equal(fixture.seen.length, 2);
  });

  it('sends nothing whose time was over when a connection came about', async () => {
    const clock = new Clock();
    const address = await fixture.https(await makeCertificate(), (_seen, response) => response.end());
    const environment = { ...clock, nonce: () => 'nonce', after: clock.after };
    const client = fixture.client(address, { certificate: 'any' }, environment);
    const call = failureOf(client.call(doorUnlock, { doorid: 'local' }));
    await new Promise(setImmediate);
    clock.time += 60_000;
    assert.equal((await call).code, 'EXPIRED');
    assert.equal(fixture.seen.length, 0);
  });

  it('gives up a kept connection after a minute where the device is known by a name', async () => {
    const clock = new Clock();
    const url = new URL(await fixture.http((_seen, response) => response.end()));
    const byName = fixture.client(`http://localhost:${url.port}`, {}, clock);
    const byNumber = fixture.client(url.origin, {}, clock);
    const connections: number[] = [];
    for (const client of [byName, byNumber, byName, byNumber]) {
      await client.call(unlock);
      connections.push(fixture.seen.at(-1)?.connection ?? 0);
      if (connections.length === 2) clock.time += 60_000;
    }
    assert.deepEqual(connections, [1, 2, 3, 2]);
  });

  it('sends long bodies to a few devices at a time', async () => {
    const gate = new ResponseGate();
    const body = Buffer.alloc(600_000, 'x');
    const address = await fixture.http(gate.respond);
    const clients = Array.from({ length: 9 }, () => fixture.client(address));
    const answers = clients.map((client) => client.call(put, { path: 'tones/a.wav', content: body }));
    for (let done = 0; done < clients.length; done++) {
      const most = Math.min(4, clients.length - done);
      while (gate.held.length < most) await gate.next();
      await new Promise(setImmediate);
      assert.equal(gate.held.length, most);
      gate.release();
      await Promise.race(answers.slice());
      await Promise.all(answers.filter((_answer, index) => index < done));
    }
    await Promise.all(answers);
  });

  it('opens one connection for however many locks', async () => {
    const client = fixture.client(await fixture.http((_seen, response) => response.end()));
    await Promise.all(Array.from({ length: 300 }, () => client.call(lock)));
    assert.equal(fixture.seen.length, 300);
    assert.ok(fixture.connections <= 2, `${fixture.connections} connections`);
  });

  it('warns of no listeners, however many messages wait', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const client: DeviceClient = fixture.client(await fixture.http((_seen, response) => response.end()));
    const { signal } = new AbortController();
    const calls: Promise<Answer>[] = [];
    for (let i = 0; i < 9; i++) calls.push(client.call(unlock, {}, { signal }));
    for (let i = 0; i < 50; i++) calls.push(client.call(unlock));
    await Promise.all(calls);
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    assert.deepEqual(warnings, []);
  });

  it('waits for a socket while this process has too many files open', async () => {
    const script = path.join(__dirname, 'too-many-files.js');
    const address = await elsewhere('http');
    const limited = 'ulimit -n 64 && exec "$0" "$1" "$2"';
    const child = spawn('sh', ['-c', limited, process.execPath, script, address]);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    await once(child, 'close');
    assert.equal(output, 'short of files\n200\n');
  });

  /** A device in a process of its own, which nothing here can hold up. */
  async function elsewhere(scheme: 'http' | 'https'): Promise<string> {
    const child = spawn(process.execPath, [path.join(__dirname, 'device-elsewhere.js'), scheme], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    after(() => child.kill());
    const [address] = await once(child.stdout, 'data');
    return String(address).trim();
  }
});

/** Keeps the event loop from turning, as a function node may. Leaves the processor to the devices. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
