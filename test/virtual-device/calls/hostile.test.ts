import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { carryOutCommand } from '../../../src/virtual-device/control/commands';
import { callLineOf } from '../../../src/virtual-device/log/call-entry';
import { listen } from '../../fixtures/listening';
import { withDevice } from '../with-device';
import { calls, entry, happen, withRawTarget, withTarget } from './target';

/** Writes until the other side has had enough. */
function pour(socket: Socket, chunk: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

const head = 'HTTP/1.1 200 OK\r\n';

const cases: readonly [name: string, speak: (socket: Socket) => void, outcome: string, reason: RegExp][] = [
  ['closes without an answer', (socket) => socket.end(), 'broken', /closed/],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'broken', /ECONNRESET|other side closed/],
  ['closes in the middle of the head', (socket) => socket.end(`${head}Content-Le`), 'broken', /closed/],
  [
    'resets the connection in the middle of the body',
    (socket) => socket.write(`${head}Content-Length: 10\r\n\r\na`, () => socket.resetAndDestroy()),
    // The reset can discard the head.
    'broken',
    /ECONNRESET|other side closed/,
  ],
  ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'invalid', /./],
  [
    'never ends a header',
    (socket) => pour(socket, `${head}X-A: ${'a'.repeat(65536)}`),
    'invalid',
    /Overflow/,
  ],
  [
    'never ends its headers',
    (socket) => {
      socket.write(head);
      pour(socket, 'a:b\r\n'.repeat(30_000));
    },
    'invalid',
    /Overflow/,
  ],
  [
    'sends less than it says',
    (socket) => socket.end(`${head}Content-Length: 10\r\n\r\nabc`),
    'broken',
    /closed/,
  ],
  [
    'sends a chunk that is none',
    (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
    'invalid',
    /chunk size/,
  ],
  ['switches protocols', (socket) => socket.write('HTTP/1.1 101 X\r\nUpgrade: a\r\n\r\n'), 'broken', /./],
];

describe('a target of a call that', () => {
  for (const [name, speak, outcome, reason] of cases)
    it(`${name}: is called once, and shown as ${outcome}`, async () => {
      let called = 0;
      const answer = (socket: Socket): void => {
        called += 1;
        speak(socket);
      };
      await withRawTarget(answer, (target) =>
        withDevice({}, async (fixture) => {
          await happen(fixture, { ...entry, target });
          const [callEntry] = await calls(fixture.device, 1);
          assert.equal(callEntry?.outcome, outcome, callEntry?.reason);
          assert.match(callEntry?.reason ?? '', reason);
        }),
      );
      assert.equal(called, 1);
    });

  it('sends an endless body: is read to a limit', () =>
    withRawTarget(
      (socket) => {
        socket.write(`${head}Content-Type: text/plain\r\n\r\n`);
        pour(socket, 'ab'.repeat(4096));
      },
      (target) =>
        withDevice({}, async ({ device }) => {
          const answer = await device.controls.call({ ...entry, target, auth: 'none' });
          assert.deepEqual([answer.status, answer.body.length], [200, 65_536]);
        }),
    ));

  it('sends chunks of a single byte: copies no byte twice', async () => {
    const { concat } = Buffer;
    let copied = 0;
    Buffer.concat = (list, length) => {
      copied += list.length;
      assert.ok(copied < 1_000_000, 'chunks are put together again and again');
      return concat(list, length);
    };
    try {
      await withRawTarget(
        (socket) =>
          socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`),
        (target) =>
          withDevice({}, async ({ device }) => {
            const answer = await device.controls.call({ ...entry, target, auth: 'none' });
            assert.deepEqual([answer.status, answer.body], [200, 'a'.repeat(65_536)]);
          }),
      );
    } finally {
      Buffer.concat = concat;
    }
  });

  for (const [what, bytes] of [
    ['half of its head', 'HTTP/1.1 200 OK\r\nContent-Type: te'],
    ['only that it goes on', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
    ['nothing', ''],
    ['for ever that it goes on', 'HTTP/1.1 103 Early Hints\r\nX-A: a\r\n\r\n'],
  ] as const)
    it(`sends ${what}: is left after 5 s`, async () => {
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      await withRawTarget(
        (socket) => {
          socket.write(bytes, () => begin());
          if (what === 'for ever that it goes on') pour(socket, bytes);
        },
        (target) =>
          withDevice({}, async (fixture) => {
            await happen(fixture, { ...entry, target }, { ...entry, target: '127.0.0.1:1' });
            await begun;
            fixture.clock.advance(5000);
            const callEntry = await calls(fixture.device, 2);
            assert.deepEqual(
              callEntry.map(({ outcome, reason, status }) => [outcome, reason, status]),
              [
                ['timed-out', 'no complete answer within 5 s', undefined],
                ['unreachable', 'no program listens there (ECONNREFUSED)', undefined],
              ],
            );
          }),
      );
    });

  it('resets each connection: is shown as such', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resetAndDestroy());
    const target = await listen(server);
    try {
      await withDevice({}, async (fixture) => {
        await happen(fixture, { ...entry, target });
        const [callEntry] = await calls(fixture.device, 1);
        // The reset can come before the connection is known to be there.
        assert.ok(['broken', 'unreachable'].includes(callEntry?.outcome ?? ''), callEntry?.outcome);
        assert.equal(callEntry?.status, undefined);
      });
    } finally {
      server.close();
    }
  });

  it('leads elsewhere: is not followed, whether to another address or to this computer', () =>
    withTarget(async ({ place: elsewhere, requests }) => {
      for (const status of [301, 302, 303, 307, 308])
        for (const location of [`http://${elsewhere}/`, 'http://192.0.2.9/', '//192.0.2.9/', '/again'])
          await withTarget(
            ({ place, requests: own }) =>
              withDevice({ calls: 'any' }, async ({ device }) => {
                const call = { ...entry, method: 'POST', target: place, auth: 'standard' } as const;
                assert.equal((await device.controls.call(call)).status, status);
                assert.deepEqual([own.length, requests.length, device.calls.length], [1, 0, 1]);
              }),
            (response) => response.writeHead(status, { Location: location }).end(),
          );
    }));

  it('sends a body of 10 MB: is read to a limit, and left', () => {
    const closed: Promise<unknown>[] = [];
    return withTarget(
      ({ place }) =>
        withDevice({}, async (fixture) => {
          await happen(fixture, { ...entry, target: place });
          const [callEntry] = await calls(fixture.device, 1);
          assert.deepEqual(
            [callEntry?.outcome, callEntry?.status, callEntry?.reason],
            ['answered', 200, undefined],
          );
          await Promise.all(closed);
        }),
      (response) => {
        closed.push(once(response, 'close'));
        response.end(Buffer.alloc(10_000_000, 'a'));
      },
    );
  });

  it('sends a byte now and then: is left after 5 s', async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await withRawTarget(
      (socket) => {
        socket.write(`${head}Content-Length: 100\r\n\r\na`);
        begin();
      },
      (target) =>
        withDevice({}, async (fixture) => {
          const answered = carryOutCommand(fixture.device, 'call', { target, method: 'GET', auth: 'none' });
          const failed = assert.rejects(answered, { code: 'TIMEOUT' });
          await begun;
          fixture.clock.advance(5000);
          await failed;
          assert.match(fixture.device.calls[0]?.reason ?? '', /no complete answer within 5 s$/);
        }),
    );
  });

  it('belongs to an event whose name has control characters: writes none into a line of the log', () => {
    const shown = { at: '', event: 'a\nb\u009b', method: 'GET', target: '127.0.0.1', path: '/' };
    const line = callLineOf({ ...shown, outcome: 'answered', status: 200 });
    assert.equal(line, 'call for "a\\nb?" GET 127.0.0.1/ -> 200');
  });

  it('is called more often than it can be: neither connections nor memory grow without end', () =>
    withTarget(
      ({ place, requests }) =>
        withDevice({}, async ({ device, clock }) => {
          const call = { target: place, method: 'GET' };
          const results = Array.from({ length: 1100 }, () =>
            carryOutCommand(device, 'call', call).then(
              () => 'answered',
              ({ code }: { code: string }) => code,
            ),
          );
          while (requests.length < 20) await new Promise((resolve) => setImmediate(resolve));
          assert.equal(requests.length, 20);
          assert.equal(clock.pending, 20);
          await device.stop();
          const callEntry = await Promise.all(results);
          const counts = ['QUEUE_FULL', 'ABORTED'].map(
            (words) => callEntry.filter((one) => one === words).length,
          );
          assert.deepEqual(counts, [80, 1020]);
        }),
      () => undefined,
    ));
});
