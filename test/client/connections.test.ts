import assert from 'node:assert/strict';
import type http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { realEnvironment } from '../../src/client/environment';
import { makeCertificate } from '../fixtures/certificates';
import {
  about,
  ClientFixture,
  failureOf,
  libraries,
  lock,
  munlock,
  type Seen,
  unlock,
} from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { wording, wordingIn } from '../fixtures/wording';

for (const library of libraries) {
  describe(`client: connections (${library})`, () => {
    const fixture = new ClientFixture(library);
    afterEach(() => fixture.clear());
    const ok = (_seen: Seen, response: http.ServerResponse) => response.end();
    const done = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

    it('keeps its connection, and drains every body for that', async () => {
      const statuses = [200, 400, 404, 500, 503, 401, 301, 200];
      const client = fixture.client(
        await fixture.http((_seen, response) => {
          response.writeHead(statuses[fixture.seen.length - 1] ?? 200).end('x'.repeat(300_000));
        }),
      );
      for (const status of statuses) {
        if (status === 200) assert.equal(((await client.call(unlock)).body as string).length, 300_000);
        else assert.equal((await failureOf(client.call(unlock))).statusCode, status);
      }
      assert.equal(fixture.seen.length, statuses.length);
      assert.equal(fixture.connections, 1);
    });

    it('opens no socket before the first request', async () => {
      let loaded = 0;
      const client = fixture.client(
        await fixture.http(ok),
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

    it('loads no more of undici than its Client, where a version has it by itself', () => {
      assert.equal(require(`${library}/lib/dispatcher/client.js`), require(library).Client);
      assert.equal(realEnvironment.loadUndici().Client, require('undici').Client);
    });

    it('takes a new connection when the device announces the end of one', async () => {
      const client = fixture.client(
        await fixture.http((_seen, response) => response.setHeader('Connection', 'close').end('x')),
      );
      assert.equal((await client.call(munlock)).attempts, 1);
      assert.equal((await client.call(munlock)).attempts, 1);
      assert.equal(fixture.connections, 2);
    });

    it('has no third connection at the device while it replaces one', async () => {
      let now = 0;
      const gate = new ResponseGate();
      const address = await fixture.http((seen, response) =>
        seen.url.endsWith('/lock') ? gate.respond(seen, response) : response.end(),
      );
      const client = fixture.client(address, {}, { monotonic: () => now });
      const stopped = client.call(lock);
      await gate.next();
      for (let index = 0; index < 20; index += 1) {
        now += 5_000;
        await client.call(munlock);
      }
      assert.deepEqual([fixture.connections, fixture.maxOpen], [21, 2]);
      gate.release();
      await stopped;
    });

    it('does not wait for a device that keeps its side of a connection open', async () => {
      const sockets: net.Socket[] = [];
      const server = net.createServer({ allowHalfOpen: true }, (socket) => {
        sockets.push(socket);
        socket.on('error', () => {}).on('data', () => socket.write(done));
      });
      let now = 0;
      const client = fixture.client(`http://${await fixture.listen(server)}`, {}, { monotonic: () => now });
      await client.call(lock);
      await client.call(munlock);
      now += 5_000;
      assert.equal((await client.call(munlock)).attempts, 1);
      assert.equal(sockets.length, 2);
    });

    it('does not notice when the device closed an idle connection', async () => {
      const client = fixture.client(await fixture.http(ok));
      for (const operation of [unlock, munlock, about, munlock]) {
        assert.equal((await client.call(operation)).attempts, 1);
        await fixture.cutConnections();
      }
      assert.equal(fixture.seen.length, 4);
    });

    /** Answers the first request of each connection, and resets the connection at the second. */
    function closesWhenAsked() {
      return fixture.http((seen, response, request) => {
        const sameConnection = fixture.seen.filter(({ connection }) => connection === seen.connection);
        if (sameConnection.length === 1) response.end();
        else request.socket.resetAndDestroy();
      });
    }

    for (const operation of [unlock, about]) {
      it(`sends ${operation.route} again on a new connection when both old ones were closed`, async () => {
        const client = fixture.client(await closesWhenAsked());
        await Promise.all([client.call(operation), client.call(lock)]);
        assert.equal((await client.call(operation)).attempts, 2);
        const [lost, again] = fixture.seen.slice(2);
        assert.ok(Number(lost?.connection) < 3);
        assert.equal(again?.connection, 3);
        assert.notEqual(lost?.headers.authorization, again?.headers.authorization);
      });
    }

    it('does not send again what is not safe, on a connection just used', async () => {
      const client = fixture.client(await closesWhenAsked(), {}, { monotonic: () => 0 });
      await client.call(munlock);
      const error = await failureOf(client.call(munlock));
      assert.equal(fixture.seen.length, 2);
      assert.equal(fixture.connections, 1);
      assert.equal(error.code, 'PROTOCOL');
      assert.equal(error.outcome, 'unknown');
      assert.equal(error.attempts, 1);
    });

    const idleTooLong = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

    it('does not take for an answer what a server says when it closes an idle connection', async () => {
      const later = (socket: net.Socket) => {
        socket.write(done);
        setImmediate(() => socket.end(idleTooLong));
      };
      const together = (socket: net.Socket) => socket.end(done + idleTooLong);
      for (const answer of [later, together]) {
        const address = await fixture.tcp((socket) => socket.once('data', () => answer(socket)));
        const client = fixture.client(`http://${address}`);
        for (const operation of [munlock, unlock, about]) {
          const { statusCode, attempts } = await client.call(operation);
          assert.deepEqual([statusCode, attempts], [200, 1]);
          await fixture.disconnected();
        }
      }
      assert.equal(fixture.connections, 6);
    });

    it('takes a 408 for the refusal that it is, on a kept connection as on a new one', async () => {
      const address = await fixture.http((_seen, response) =>
        response.writeHead(fixture.seen.length === 1 ? 200 : 408, { Connection: 'keep-alive' }).end(),
      );
      const client = fixture.client(address);
      await client.call(unlock);
      for (const operation of [unlock, munlock]) {
        const error = await failureOf(client.call(operation));
        assert.deepEqual(
          [error.code, error.outcome, error.statusCode, error.attempts],
          ['REFUSED', 'failed', 408, 1],
        );
        await fixture.cutConnections();
      }
    });

    const interim = [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.0 100\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n',
      'HTTP/1.1 199 \r\nContent-Length: 5\r\n\r\n',
    ];

    for (const early of [...interim, interim.join('')]) {
      it(`reads past ${JSON.stringify(early)}`, async () => {
        const address = await fixture.tcp((socket) => socket.on('data', () => socket.write(early + done)));
        const client = fixture.client(`http://${address}`);
        for (const operation of [munlock, unlock, munlock]) {
          const { statusCode, attempts } = await client.call(operation);
          assert.deepEqual([statusCode, attempts], [200, 1]);
        }
        assert.equal(fixture.connections, 1);
      });
    }

    it('reads past interim answers that come byte by byte, over https too', async () => {
      const drip = async (socket: net.Socket) => {
        for (const byte of Buffer.from(interim.join('') + done)) {
          socket.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const secure = tls.createServer(await makeCertificate(), (socket) => {
        socket.on('error', () => {}).on('data', () => void drip(socket));
      });
      const addresses = [
        `http://${await fixture.tcp((socket) => socket.on('data', () => void drip(socket)))}`,
        `https://${await fixture.listen(secure)}`,
      ];
      for (const address of addresses) {
        const client = fixture.client(address, { certificate: 'any' });
        for (const operation of [munlock, munlock])
          assert.equal((await client.call(operation)).statusCode, 200);
      }
      assert.equal(fixture.connections, 2);
    });

    it('sends again what is safe when the connection is lost after an interim answer', async () => {
      const address = await fixture.tcp((socket) =>
        socket.on('data', () => {
          if (fixture.connections === 1) socket.end(interim.join(''));
          else socket.write(done);
        }),
      );
      assert.equal((await fixture.client(`http://${address}`).call(unlock)).attempts, 2);
    });

    it('waits no longer than its time for a device that has nothing but interim answers', async () => {
      const address = await fixture.tcp((socket) => {
        const pour = () => {
          if (socket.destroyed) return;
          socket.write(interim.join(''));
          setImmediate(pour);
        };
        socket.once('data', pour);
      });
      const error = await failureOf(fixture.client(`http://${address}`, { timeoutMs: 300 }).call(unlock));
      assert.deepEqual([error.code, error.outcome], ['TIMEOUT', 'unknown']);
    });

    it('takes for no answer an interim answer whose head does not end', async () => {
      const address = await fixture.tcp((socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 100 Continue\r\nX: ${'x'.repeat(40_000)}`)),
      );
      const error = await failureOf(fixture.client(`http://${address}`).call(unlock));
      assert.deepEqual([error.code, error.outcome, error.attempts], ['PROTOCOL', 'unknown', 1]);
    });

    it('puts what is not safe on a new connection once the old one was idle for a second', async () => {
      let clock = 0;
      const client = fixture.client(await closesWhenAsked(), {}, { monotonic: () => clock });
      await client.call(munlock);
      clock += 1_000;
      assert.equal((await client.call(munlock)).attempts, 1);
      assert.deepEqual(
        fixture.seen.map(({ connection }) => connection),
        [1, 2],
      );
    });

    it('reuses an idle connection for what is safe', async () => {
      let clock = 0;
      const client = fixture.client(await fixture.http(ok), {}, { monotonic: () => clock });
      await client.call(unlock);
      clock += 3_000;
      await client.call(unlock);
      assert.equal(fixture.connections, 1);
    });

    it('sends a GET made by hand again, but no other', async () => {
      const client = fixture.client(await closesWhenAsked());
      await client.send({ method: 'GET', path: '/a' });
      assert.equal((await client.send({ method: 'GET', path: '/b' })).attempts, 2);
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        const fresh = fixture.client(await closesWhenAsked(), {}, { monotonic: () => 0 });
        fixture.seen.length = 0;
        await fresh.send({ method, path: '/a' });
        assert.equal((await failureOf(fresh.send({ method, path: '/b' }))).attempts, 1);
        assert.equal(fixture.seen.length, 2);
      }
    });

    it('says unknown when the first request got lost and the second is refused', async () => {
      const client = fixture.client(
        await fixture.http((_seen, response, request) => {
          if (fixture.seen.length === 1) request.socket.destroy();
          else response.writeHead(503).end();
        }),
      );
      const error = await failureOf(client.call(unlock));
      assert.equal(error.code, 'REFUSED');
      assert.equal(error.outcome, 'unknown');
      assert.equal(error.attempts, 2);
      assert.equal(error.reason, wording('reasons:refuses'));
      assert.match(error.message, wordingIn('reasons:mightBeDone'));
    });

    it('sends again only once', async () => {
      const client = fixture.client(
        await fixture.http((_seen, _response, request) => request.socket.resetAndDestroy()),
      );
      const error = await failureOf(client.call(unlock));
      assert.equal(fixture.seen.length, 2);
      assert.equal(fixture.connections, 2);
      assert.equal(error.code, 'PROTOCOL');
      assert.equal(error.outcome, 'unknown');
      assert.equal(error.attempts, 2);
      assert.match(error.message, wordingIn('reasons:mightBeDone'));
    });

    it('does not send again when an answer had begun, whole head or not', async () => {
      for (const bytes of ['H', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf']) {
        let requests = 0;
        const address = await fixture.tcp((socket) =>
          socket.on('data', () => {
            requests += 1;
            socket.write(bytes, () => socket.end());
          }),
        );
        const error = await failureOf(fixture.client(`http://${address}`).call(unlock));
        assert.equal(requests, 1);
        assert.equal(error.outcome, 'unknown');
        assert.match(error.message, wordingIn('reasons:brokenOff'));
      }
    });

    it('does not send again after a time-out', async () => {
      const client = fixture.client(await fixture.http(() => {}), { timeoutMs: 30 });
      const error = await failureOf(client.call(unlock));
      assert.equal(error.code, 'TIMEOUT');
      assert.equal(fixture.seen.length, 1);
    });

    it('says unknown when a lost request cannot go again', async () => {
      const server = net.createServer((socket) => {
        socket.on('data', () => {
          server.close();
          socket.resetAndDestroy();
        });
      });
      const client = fixture.client(`http://${await fixture.listen(server)}`);
      const error = await failureOf(client.call(unlock));
      assert.equal(error.code, 'PROTOCOL');
      assert.equal(error.outcome, 'unknown');
      assert.equal(error.sent, true);
      assert.equal(error.attempts, 1);
      assert.match(error.message, wordingIn('reasons:lostAndThen'));
      assert.match(error.message, wordingIn('reasons:refusesConnections'));
    });

    it('counts no waiting in the queue as time on the wire, and of several requests the last', async () => {
      const gate = new ResponseGate();
      let clock = 0;
      const client = fixture.client(await fixture.http(gate.respond), {}, { monotonic: () => clock });
      assert.equal(client.roundTripMs, undefined);
      const before = client.call(unlock);
      const call = client.call(about);
      await gate.next();
      clock += 1_000;
      gate.release();
      await gate.next();
      clock += 200;
      gate.held.splice(0)[0]?.destroy();
      await gate.next();
      clock += 30;
      gate.release();
      assert.equal((await before).wireMs, 1_000);
      const { attempts, wireMs } = await call;
      assert.deepEqual({ attempts, wireMs }, { attempts: 2, wireMs: 30 });
      assert.equal(client.roundTripMs, 30);
    });

    it('speaks IPv6', async () => {
      const address = await fixture.http(ok, '::1');
      assert.match(address, /^http:\/\/\[::1\]:\d+$/);
      const client = fixture.client(`${address}/base`);
      assert.equal((await client.call(unlock, { doorid: 'local' })).statusCode, 200);
      assert.equal(fixture.seen[0]?.url, '/base/api/controls/door/unlock');
      assert.equal(`http://${fixture.seen[0]?.headers.host}`, address);
    });
  });
}
