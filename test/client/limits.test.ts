import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { door } from '../../src/catalogue/door';
import { files } from '../../src/catalogue/files';
import { makeCertificate } from '../fixtures/certificates';
import { ClientFixture, failureOf, munlock, unlock } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { VirtualClock } from '../fixtures/virtual-clock';

const put = files.operations.find(({ id }) => id === 'put') ?? assert.fail();
const [, doorUnlock] = door.operations;

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

  it('sends nothing whose time was over when a connection came about', async () => {
    const clock = new VirtualClock();
    const address = await fixture.https(await makeCertificate(), (_seen, response) => response.end());
    const { monotonic, after } = clock;
    const client = fixture.client(address, { certificate: 'any' }, { monotonic, after });
    const call = failureOf(client.call(doorUnlock, { doorid: 'local' }));
    await new Promise(setImmediate);
    clock.advance(60_000);
    assert.equal((await call).code, 'EXPIRED');
    assert.equal(fixture.seen.length, 0);
  });

  it('gives up a kept connection after a minute where the device is known by a name', async () => {
    let now = 0;
    const clock = { monotonic: () => now };
    const url = new URL(await fixture.http((_seen, response) => response.end()));
    const byName = fixture.client(`http://localhost:${url.port}`, {}, clock);
    const byNumber = fixture.client(url.origin, {}, clock);
    const connections: number[] = [];
    for (const client of [byName, byNumber, byName, byNumber]) {
      await client.call(unlock);
      connections.push(fixture.seen.at(-1)?.connection ?? 0);
      if (connections.length === 2) now += 60_000;
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
      assert.equal(fixture.connections, done + most);
      gate.release();
      await Promise.race(answers.slice());
      await Promise.all(answers.filter((_answer, index) => index < done));
    }
    await Promise.all(answers);
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
