import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { about, Bench, failureOf, lock, munlock, type Seen, unlock } from './bench';

/** A device that holds its answers until a test lets them go. */
class Gate extends EventEmitter<{ request: [Seen] }> {
  readonly held: http.ServerResponse[] = [];
  readonly respond = (seen: Seen, response: http.ServerResponse) => {
    this.held.push(response);
    this.emit('request', seen);
  };

  async next(): Promise<Seen> {
    const [seen] = await once(this, 'request');
    return seen;
  }

  release(): void {
    const response = this.held.shift();
    assert.ok(response, 'nothing is held');
    response.end();
  }
}

describe('client: connections', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());
  const ok = (_seen: Seen, response: http.ServerResponse) => response.end();

  it('keeps its connection, and drains every body for that', async () => {
    const statuses = [200, 400, 404, 500, 503, 401, 301, 200];
    const client = bench.client(
      await bench.http((_seen, response) => {
        response.writeHead(statuses[bench.seen.length - 1] ?? 200).end('x'.repeat(300_000));
      }),
    );
    for (const status of statuses) {
      if (status === 200) assert.equal(((await client.call(unlock)).body as string).length, 300_000);
      else assert.equal((await failureOf(client.call(unlock))).statusCode, status);
    }
    assert.equal(bench.seen.length, statuses.length);
    assert.equal(bench.connections, 1);
  });

  it('opens no socket before the first request', async () => {
    let loaded = 0;
    const client = bench.client(
      await bench.http(ok),
      {},
      {
        loadUndici: () => {
          loaded += 1;
          return require('undici');
        },
      },
    );
    assert.equal(loaded, 0);
    await client.call(about);
    await client.call(lock);
    assert.equal(loaded, 1);
  });

  it('takes a new connection when the device announces the end of one', async () => {
    const client = bench.client(
      await bench.http((_seen, response) => response.setHeader('Connection', 'close').end('x')),
    );
    assert.equal((await client.call(munlock)).attempts, 1);
    assert.equal((await client.call(munlock)).attempts, 1);
    assert.equal(bench.connections, 2);
  });

  it('does not notice when the device closed an idle connection', async () => {
    const client = bench.client(await bench.http(ok));
    for (const operation of [unlock, munlock, about, munlock]) {
      assert.equal((await client.call(operation)).attempts, 1);
      await bench.cutConnections();
    }
    assert.equal(bench.seen.length, 4);
  });

  /** Answers the first request of each connection, and resets the connection at the second. */
  function closesWhenAsked() {
    return bench.http((seen, response, request) => {
      const sameConnection = bench.seen.filter(({ connection }) => connection === seen.connection);
      if (sameConnection.length === 1) response.end();
      else request.socket.resetAndDestroy();
    });
  }

  for (const operation of [unlock, about]) {
    it(`sends ${operation.route} again on a new connection when the old one was closed`, async () => {
      const client = bench.client(await closesWhenAsked());
      await client.call(operation);
      const answer = await client.call(operation);
      assert.equal(answer.attempts, 2);
      assert.deepEqual(
        bench.seen.map(({ connection }) => connection),
        [1, 1, 2],
      );
      assert.notEqual(bench.seen[1]?.headers.authorization, bench.seen[2]?.headers.authorization);
    });
  }

  it('does not send again what is not safe, on a connection just used', async () => {
    const client = bench.client(await closesWhenAsked(), {}, { monotonic: () => 0 });
    await client.call(munlock);
    const error = await failureOf(client.call(munlock));
    assert.equal(bench.seen.length, 2);
    assert.equal(bench.connections, 1);
    assert.equal(error.code, 'PROTOCOL');
    assert.equal(error.outcome, 'unknown');
    assert.equal(error.attempts, 1);
  });

  it('puts what is not safe on a new connection once the old one was idle for a second', async () => {
    let clock = 0;
    const client = bench.client(await closesWhenAsked(), {}, { monotonic: () => clock });
    await client.call(munlock);
    clock += 1_000;
    assert.equal((await client.call(munlock)).attempts, 1);
    assert.deepEqual(
      bench.seen.map(({ connection }) => connection),
      [1, 2],
    );
  });

  it('reuses an idle connection for what is safe', async () => {
    let clock = 0;
    const client = bench.client(await bench.http(ok), {}, { monotonic: () => clock });
    await client.call(unlock);
    clock += 3_000;
    await client.call(unlock);
    assert.equal(bench.connections, 1);
  });

  it('sends again only once', async () => {
    const client = bench.client(
      await bench.http((_seen, _response, request) => request.socket.resetAndDestroy()),
    );
    const error = await failureOf(client.call(unlock));
    assert.equal(bench.seen.length, 2);
    assert.equal(bench.connections, 2);
    assert.equal(error.code, 'PROTOCOL');
    assert.equal(error.outcome, 'unknown');
    assert.equal(error.attempts, 2);
    assert.match(error.message, /; it may have been done$/);
  });

  it('does not send again when an answer had begun, whole head or not', async () => {
    for (const bytes of ['H', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf']) {
      let requests = 0;
      const address = await bench.tcp((socket) =>
        socket.on('data', () => {
          requests += 1;
          socket.write(bytes, () => socket.end());
        }),
      );
      const error = await failureOf(bench.client(`http://${address}`).call(unlock));
      assert.equal(requests, 1);
      assert.equal(error.outcome, 'unknown');
      assert.match(error.message, /broke off/);
    }
  });

  it('does not send again after a time-out', async () => {
    const client = bench.client(await bench.http(() => {}), { timeoutMs: 30 });
    const error = await failureOf(client.call(unlock));
    assert.equal(error.code, 'TIMEOUT');
    assert.equal(bench.seen.length, 1);
  });

  it('says unknown when a lost request cannot go again', async () => {
    const server = net.createServer((socket) => {
      socket.on('data', () => {
        server.close();
        socket.resetAndDestroy();
      });
    });
    const client = bench.client(`http://${await bench.listen(server)}`);
    const error = await failureOf(client.call(unlock));
    assert.equal(error.code, 'PROTOCOL');
    assert.equal(error.outcome, 'unknown');
    assert.equal(error.sent, true);
    assert.equal(error.attempts, 1);
    assert.match(
      error.message,
      /lost before an answer came, and then it refuses connections .*may have been done$/,
    );
  });

  it('knows how long the device takes', async () => {
    const gate = new Gate();
    let clock = 0;
    const client = bench.client(await bench.http(gate.respond), {}, { monotonic: () => clock });
    assert.equal(client.roundTripMs, undefined);
    const call = client.call(unlock);
    await gate.next();
    clock += 123;
    gate.release();
    assert.equal((await call).latencyMs, 123);
    assert.equal(client.roundTripMs, 123);
  });

  it('speaks IPv6', async () => {
    const address = await bench.http(ok, '::1');
    assert.match(address, /^http:\/\/\[::1\]:\d+$/);
    const client = bench.client(`${address}/base`);
    assert.equal((await client.call(unlock, { doorid: 'local' })).statusCode, 200);
    assert.equal(bench.seen[0]?.url, '/base/api/controls/door/unlock');
    assert.equal(`http://${bench.seen[0]?.headers.host}`, address);
  });
});

describe('client: order and aborts', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('has one request in flight, in the order of the calls', async () => {
    const gate = new Gate();
    const client = bench.client(await bench.http(gate.respond));
    const calls = ['1', '2', '3'].map((duration) => client.call(munlock, { duration }));
    for (const duration of ['1', '2', '3']) {
      const seen = gate.held.length > 0 ? bench.seen.at(-1) : await gate.next();
      assert.deepEqual(JSON.parse(String(seen?.body)), { duration });
      assert.equal(gate.held.length, 1);
      gate.release();
      await calls[Number(duration) - 1];
    }
    assert.equal(bench.connections, 1);
  });

  it('lets nothing that is urgent wait, not even behind what is urgent', async () => {
    const gate = new Gate();
    const client = bench.client(await bench.http(gate.respond));
    const slow = client.call(unlock);
    await gate.next();
    const waiting = client.call(unlock);
    const urgent = [client.call(lock), client.call(lock)];
    while (gate.held.length < 3) await gate.next();
    assert.deepEqual(
      bench.seen.map(({ url }) => url),
      ['unlock', 'lock', 'lock'].map((id) => `/api/controls/door/${id}`),
    );
    assert.equal(bench.connections, 3);
    for (let i = 0; i < 3; i++) gate.release();
    await Promise.all([slow, ...urgent]);
    if (gate.held.length === 0) await gate.next();
    gate.release();
    await waiting;
    const next = client.call(lock);
    await gate.next();
    gate.release();
    await next;
    assert.equal(bench.connections, 3);
  });

  it('measures the answer from the sending, not from the call', async () => {
    const gate = new Gate();
    const client = bench.client(await bench.http(gate.respond), { timeoutMs: 5_000 });
    const first = client.call(unlock);
    await gate.next();
    const second = client.call(unlock, {}, { timeoutMs: 60 });
    // Another request runs out of a longer time meanwhile.
    const silent = bench.client(await bench.http(() => {}), { timeoutMs: 120 });
    assert.equal((await failureOf(silent.call(unlock))).code, 'TIMEOUT');
    gate.release();
    await first;
    if (gate.held.length === 0) await gate.next();
    gate.release();
    assert.equal((await second).attempts, 1);
  });

  it('can be given another time limit per call', async () => {
    const client = bench.client(await bench.http(() => {}), { timeoutMs: 60_000 });
    const error = await failureOf(client.call(unlock, {}, { timeoutMs: 30, deed: 'door/unlock' }));
    assert.equal(
      error.message,
      `door/unlock at "Main entrance" (${client.address}): no answer within 0.03 s; it may have been done`,
    );
  });

  it('takes limits that no timer can hold', async () => {
    const client = bench.client(await bench.http((_seen, response) => response.end()), {
      timeoutMs: 2 ** 40,
    });
    assert.equal((await client.call(unlock)).statusCode, 200);
  });

  it('aborts what was sent: unknown', async () => {
    const gate = new Gate();
    const client = bench.client(await bench.http(gate.respond));
    const abort = new AbortController();
    const call = failureOf(client.call(unlock, {}, { signal: abort.signal }));
    await gate.next();
    abort.abort();
    const error = await call;
    assert.equal(error.code, 'ABORTED');
    assert.equal(error.outcome, 'unknown');
    assert.equal(error.sent, true);
    assert.equal(error.attempts, 1);
    assert.match(error.message, /it was canceled; it may have been done$/);
    await bench.disconnected();
  });

  it('aborts what waits, and what was never begun: failed', async () => {
    const gate = new Gate();
    const client = bench.client(await bench.http(gate.respond));
    const first = client.call(unlock);
    await gate.next();
    const abort = new AbortController();
    const waiting = failureOf(client.call(unlock, {}, { signal: abort.signal }));
    const behind = client.call(munlock);
    abort.abort();
    for (const error of [await waiting, await failureOf(client.call(unlock, {}, { signal: abort.signal }))]) {
      assert.equal(error.code, 'ABORTED');
      assert.equal(error.outcome, 'failed');
      assert.equal(error.sent, false);
      assert.equal(error.attempts, 0);
    }
    gate.release();
    await first;
    if (gate.held.length === 0) await gate.next();
    gate.release();
    await behind;
    assert.equal(bench.seen.length, 2);
  });

  it('aborts while connecting', async () => {
    const accepted = new EventEmitter();
    const address = await bench.tcp(() => accepted.emit('connection'));
    const client = bench.client(`https://${address}`);
    const abort = new AbortController();
    const call = failureOf(client.call(unlock, {}, { signal: abort.signal }));
    await once(accepted, 'connection');
    abort.abort();
    const error = await call;
    assert.equal(error.code, 'ABORTED');
    assert.equal(error.sent, false);
    await bench.disconnected();
  });

  it('leaves no listener on a signal that outlives the calls', async () => {
    const client = bench.client(await bench.http((_seen, response) => response.end()));
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = Object.create(signal) as AbortSignal;
    Object.defineProperty(counting, 'aborted', { value: false });
    counting.addEventListener = () => {
      listeners += 1;
    };
    counting.removeEventListener = () => {
      listeners -= 1;
    };
    await client.call(unlock, {}, { signal: counting });
    await client.call(lock, {}, { signal: counting });
    assert.equal(listeners, 0);
  });

  it('closes: everything under way is aborted, and no socket is left', async () => {
    const gate = new Gate();
    const client = bench.client(await bench.http(gate.respond));
    const settled: string[] = [];
    const note = (name: string) => (error: { code: string; outcome: string }) =>
      settled.push(`${name} ${error.code} ${error.outcome}`);
    const calls = [failureOf(client.call(munlock)).then(note('sent'))];
    await gate.next();
    calls.push(failureOf(client.call(unlock)).then(note('waiting')));
    calls.push(failureOf(client.call(lock)).then(note('urgent')));
    await gate.next();
    await client.close();
    await Promise.all(calls);
    assert.deepEqual(settled.sort(), [
      'sent ABORTED unknown',
      'urgent ABORTED unknown',
      'waiting ABORTED failed',
    ]);
    await bench.disconnected();
    assert.equal((await failureOf(client.call(unlock))).code, 'ABORTED');
    assert.equal(bench.connections, 2);
    await client.close();
  });

  it('closes while connecting, and while idle', async () => {
    const accepted = new EventEmitter();
    const silent = bench.client(`https://${await bench.tcp(() => accepted.emit('connection'))}`);
    const call = failureOf(silent.call(unlock));
    await once(accepted, 'connection');
    await silent.close();
    assert.equal((await call).code, 'ABORTED');
    assert.match((await call).message, /it was closed meanwhile$/);
    const idle = bench.client(await bench.http((_seen, response) => response.end()));
    await idle.call(unlock);
    await idle.call(lock);
    await idle.close();
    await bench.disconnected();
  });
});
