import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { callLineOf } from '../../../src/virtual-device/log/call-entry';
import { withDevice } from '../with-device';
import { calls, entry, happen, withRawTarget } from './target';

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
  [
    'sends less than it says',
    (socket) => socket.end(`${head}Content-Length: 10\r\n\r\nabc`),
    'broken',
    /closed/,
  ],
  ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'invalid', /./],
  [
    'never ends a header',
    (socket) => pour(socket, `${head}X-A: ${'a'.repeat(65536)}`),
    'invalid',
    /Overflow/,
  ],
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

  it('sends an endless body: is read to a limit, and left', async () => {
    let left: Promise<unknown> | undefined;
    await withRawTarget(
      (socket) => {
        left = new Promise((resolve) => socket.once('close', resolve));
        socket.write(`${head}Content-Type: text/plain\r\n\r\n`);
        pour(socket, 'ab'.repeat(4096));
      },
      (target) =>
        withDevice({}, async ({ device }) => {
          const answer = await device.carryOut('call', { method: 'GET', target, auth: 'none' });
          assert.deepEqual(answer, { status: 200, body: 'ab'.repeat(32_768) });
          await left;
        }),
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
          const answered = fixture.device.carryOut('call', { target, method: 'GET', auth: 'none' });
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
});
