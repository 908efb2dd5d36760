import assert from 'node:assert/strict';
import { DeviceClient, realEnvironment } from '../../src/client/client';
import type { ErrorCode } from '../../src/client/errors';
import { about, ClientFixture, failureOf, libraries, munlock, unlock } from '../fixtures/client-fixture';

/** What a device may answer that nobody expects: lines of the head, and a body. */
const odd: readonly (readonly [what: string, head: readonly string[], body: string])[] = [
  ['a content type twice', ['Content-Type: text/html', 'Content-Type: text/html'], 'no'],
  ['two content types', ['Content-Type: text/html', 'Content-Type: application/json'], '{"error":"no"}'],
  ['an empty content type', ['Content-Type:'], 'no'],
  ['a content type of nothing but marks', ['Content-Type: ;;/;+json'], '{"error":"no"}'],
  ['its clock twice', ['Date: Mon, 23 Nov 2026 08:00:00 GMT', 'Date: Mon, 23 Nov 2026 08:00:00 GMT'], 'no'],
  ['no clock', ['Date: noon'], 'no'],
  ['two places to go', ['Location: /a', 'Location: /b'], ''],
  ['a place that is none', ['Location: http://[/'], ''],
  ['headers named like methods', ['constructor: 1', 'constructor: 2', 'toString: 1', 'valueOf: 1'], 'no'],
  ['a header that every object has', ['__proto__: 1', '__proto__: 2', '__proto__: 3'], 'no'],
  ['headers in another character set', ['Server: \xe9\xff', 'Content-Type: text/\xe9'], 'no'],
  ['lists in 200,000 levels', [], `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['objects in 200,000 levels', [], `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ['words in 200,000 levels', [], `${'{"error":'.repeat(200_000)}"no"${'}'.repeat(200_000)}`],
  ['200,000 levels that do not end', [], '[{"error":'.repeat(200_000)],
  ['halves of characters', [], '{"error":"\\ud800 \\udfff"}'],
  ['bytes that are no text', ['Content-Type: text/plain'], '\xff\xfe\x00\xc3'],
  ['a word that is no text', [], '{"error":{"toString":1,"valueOf":1,"toJSON":1}}'],
  ['words of every kind', [], '{"error":null,"message":5,"status":[],"detail":{}}'],
  ['a prototype', [], '{"__proto__":{"error":"no"},"constructor":{"prototype":1}}'],
  ['more JSON than is read', ['Content-Type: application/json'], `["${'x'.repeat(5_000_000)}"]`],
  ['a number', [], '1e999'],
  ['nothing', [], 'null'],
  ['nothing but a byte order mark', [], '\xef\xbb\xbf'],
  ['a page without an end', ['Content-Type: text/html'], `<html><script>${'<a '.repeat(50_000)}`],
];

const verdicts: readonly (readonly [status: number, code: ErrorCode, outcome: 'failed' | 'unknown'])[] = [
  [302, 'PROTOCOL', 'failed'],
  [400, 'REFUSED', 'failed'],
  [403, 'AUTHENTICATION', 'failed'],
  [500, 'PROTOCOL', 'unknown'],
];

for (const library of libraries) {
  describe(`client: answers that nobody expects (${library})`, () => {
    const fixture = new ClientFixture(library);
    afterEach(() => fixture.clear());

    /** A device that answers everything so. */
    async function device(status: number, head: readonly string[], body: string): Promise<string> {
      const bytes = Buffer.from(body, 'latin1');
      const lines = [`HTTP/1.1 ${status} Odd`, ...head, `Content-Length: ${bytes.length}`, '', ''];
      const answer = Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bytes]);
      return `http://${await fixture.tcp((socket) => socket.on('data', () => socket.write(answer)))}`;
    }

    for (const [what, head, body] of odd) {
      it(`${what} in a refusal keeps its status and says that it was sent`, async () => {
        for (const [status, code, outcome] of verdicts) {
          const client = fixture.client(await device(status, head, body), { auth: 'none' });
          const error = await failureOf(client.call(munlock));
          assert.deepEqual(
            [error.code, error.outcome, error.statusCode, error.attempts, error.sent],
            [code, outcome, status, 1, true],
            error.message,
          );
          assert.ok(error.message.length < 700, error.message);
          assert.doesNotThrow(() => structuredClone(error.response));
        }
      });

      it(`${what} in a success is one, or is no answer that can be read`, async () => {
        for (const operation of [munlock, about]) {
          const client = fixture.client(await device(200, head, body), { auth: 'none' });
          const end = await client.call(operation).catch((error: unknown) => error);
          const {
            code = 'PROTOCOL',
            outcome = 'unknown',
            statusCode,
            attempts,
          } = end as Record<string, unknown>;
          assert.deepEqual([code, outcome, statusCode, attempts], ['PROTOCOL', 'unknown', 200, 1]);
        }
      });
    }

    it('reads the first of two content types', async () => {
      const client = fixture.client(await device(400, odd[1]?.[1] ?? [], '{"error":"no such door"}'));
      const error = await failureOf(client.call(munlock));
      assert.equal(error.response, '{"error":"no such door"}');
    });

    it('reads an answer in chunks of a single byte', async () => {
      const text = JSON.stringify({ product: 'x'.repeat(10_000) });
      const chunks = [...text].map((one) => `1\r\n${one}\r\n`).join('');
      const answer = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
      const address = await fixture.tcp((socket) => socket.on('data', () => socket.write(answer)));
      const { body } = await fixture.client(`http://${address}`).call(about);
      assert.equal(JSON.stringify(body), text);
    });

    it('keeps the status of an answer whose end does not come', async () => {
      for (const status of [200, 403, 500]) {
        const head = `HTTP/1.1 ${status} Half\r\nContent-Length: 10\r\n\r\nhalf`;
        const address = await fixture.tcp((socket) => socket.on('data', () => socket.end(head)));
        const error = await failureOf(fixture.client(`http://${address}`).call(munlock));
        assert.deepEqual(
          [error.code, error.outcome, error.statusCode, error.attempts],
          ['PROTOCOL', 'unknown', status, 1],
        );
      }
    });

    describe('when something of our own goes wrong', () => {
      it('a request is never called unsent that was sent', async () => {
        const now = () => {
          if (fixture.seen.length > 0) throw new Error('the clock is broken');
          return realEnvironment.now();
        };
        const address = await fixture.http((_seen, response) => response.end());
        const error = await failureOf(fixture.client(address, {}, { now }).call(unlock));
        assert.deepEqual([error.code, error.outcome, error.attempts], ['PROTOCOL', 'unknown', 1]);
        assert.equal((error.cause as Error).message, 'the clock is broken');
      });

      it('a log that cannot be written changes nothing', async () => {
        const trace = () => {
          throw new Error('the disk is full');
        };
        const answering = await fixture.http((_seen, response) => response.end());
        const { statusCode } = await fixture.client(answering, {}, { trace }).call(munlock);
        assert.equal(statusCode, 200);
        const silent = `http://${await fixture.tcp((socket) => socket.on('data', () => socket.destroy()))}`;
        const error = await failureOf(fixture.client(silent, {}, { trace }).call(munlock));
        assert.deepEqual([error.code, error.outcome, error.attempts], ['PROTOCOL', 'unknown', 1]);
      });

      it('whoever is told of the end changes nothing, and is told of', async () => {
        const warnings: string[] = [];
        const fail = () => {
          throw new Error('nobody listens');
        };
        const settings = { name: '', auth: 'none', certificate: 'verify', timeoutMs: 5_000 } as const;
        const address = await fixture.http((seen, response) =>
          response.writeHead(seen.method === 'GET' ? 400 : 200).end(),
        );
        const environment = { warn: (line: string) => void warnings.push(line) };
        const client = new DeviceClient({ ...settings, address }, environment, {
          onAnswer: fail,
          onFailure: fail,
        });
        assert.equal((await client.call(munlock)).statusCode, 200);
        assert.equal((await failureOf(client.call(about))).code, 'REFUSED');
        await client.close();
        assert.equal(warnings.length, 2);
        for (const line of warnings) assert.match(line, new RegExp(`^${address}: .*: nobody listens$`));
      });
    });
  });
}
