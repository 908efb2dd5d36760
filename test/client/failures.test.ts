import assert from 'node:assert/strict';
import type net from 'node:net';
import tls from 'node:tls';
import type { DeviceSettings } from '../../src/client/client';
import type { ErrorCode } from '../../src/client/errors';
import { makeCertificate } from '../fixtures/certificates';
import { about, ClientFixture, failureOf, libraries, munlock } from '../fixtures/client-fixture';

/** What a failed call has to say. */
interface Expected {
  readonly code: ErrorCode;
  readonly outcome: 'failed' | 'unknown';
  readonly sent: boolean;
  readonly attempts: number;
  readonly words: RegExp;
  readonly statusCode?: number;
  readonly response?: unknown;
}

interface Row extends Expected {
  readonly title: string;
  /** Makes the failing device. Resolves to its address. */
  readonly device: (fixture: ClientFixture) => Promise<string>;
  readonly operation?: typeof munlock;
  readonly settings?: Partial<DeviceSettings>;
  readonly withinMs?: number;
}

const unclear = { outcome: 'unknown', sent: true, attempts: 1 } as const;
const refused = { outcome: 'failed', sent: true, attempts: 1 } as const;
const unsent = { outcome: 'failed', sent: false, attempts: 0 } as const;

/** Answers each request with these bytes, and then does that. */
function raw(bytes: string, then: (socket: net.Socket) => void = () => {}) {
  return async (fixture: ClientFixture) => {
    const address = await fixture.tcp((socket) =>
      socket.on('data', () => (bytes === '' ? then(socket) : socket.write(bytes, () => then(socket)))),
    );
    return `http://${address}`;
  };
}

function status(statusCode: number, body = '', headers: Record<string, string> = {}) {
  return (fixture: ClientFixture) =>
    fixture.http((_seen, response) => response.writeHead(statusCode, headers).end(body));
}

/** TLS that says so when it gets something else. */
async function alerting(fixture: ClientFixture): Promise<string> {
  const secure = tls.createServer(await makeCertificate());
  const address = await fixture.tcp((socket) =>
    socket.once('data', (bytes) => {
      // A record of TLS begins with its kind, 22 for a handshake; 21 is an alert: unexpected message.
      if (bytes[0] !== 22) return socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 10]));
      socket.pause().unshift(bytes);
      return secure.emit('connection', socket);
    }),
  );
  return `http://${address}`;
}

/** Nobody listens there, and nobody is given that port by chance. */
const nobody = 'http://127.0.0.1:1';

const json = { 'Content-Type': 'application/json' };

const rows: readonly Row[] = [
  {
    title: 'a refused connection',
    device: async () => nobody,
    code: 'UNREACHABLE',
    ...unsent,
    words: /^connection refused on port \d+; is the device on and is the address correct\?$/,
  },
  {
    title: 'an unknown host',
    device: async () => 'http://no-such-device.invalid',
    code: 'UNREACHABLE',
    ...unsent,
    words: /^(unknown host name|the host name cannot be resolved)/,
  },
  {
    title: 'a TLS handshake without an end',
    device: async (fixture) => `https://${await fixture.tcp(() => {})}`,
    settings: { timeoutMs: 50 },
    code: 'UNREACHABLE',
    ...unsent,
    words: /^TLS handshake not finished within 0\.05 s; does the device use TLS on this port\?$/,
  },
  {
    title: 'no TLS connection at all',
    device: async () => 'https://device.invalid',
    settings: { timeoutMs: 50, tls: { lookup: () => {} } },
    code: 'UNREACHABLE',
    ...unsent,
    words: /^no connection within 0\.05 s; is the device on and is the address correct\?$/,
  },
  {
    title: 'plain http where TLS was expected',
    device: async (fixture) =>
      (await fixture.http((_seen, response) => response.end())).replace('http:', 'https:'),
    code: 'UNREACHABLE',
    ...unsent,
    words: /^no TLS on port \d+; to use plain http, write "http:\/\/127\.0\.0\.1:\d+"$/,
  },
  {
    title: 'a close where TLS was expected',
    device: async (fixture) =>
      `https://${await fixture.tcp((socket) => socket.on('data', () => socket.end()))}`,
    code: 'UNREACHABLE',
    ...unsent,
    words: /^connection closed during the TLS handshake; .*"http:\/\/127\.0\.0\.1:\d+"$/,
  },
  {
    title: 'a reset in the middle',
    device: raw('', (socket) => socket.resetAndDestroy()),
    code: 'PROTOCOL',
    ...unclear,
    words: /^connection lost before an answer arrived; error ECONNRESET; the device might have done it$/,
  },
  {
    title: 'a close without an answer',
    device: raw('', (socket) => socket.end()),
    code: 'PROTOCOL',
    ...unclear,
    words: /^connection lost before an answer arrived.*might have done it$/,
  },
  {
    title: 'silence',
    device: raw(''),
    settings: { timeoutMs: 50 },
    code: 'TIMEOUT',
    ...unclear,
    words: /^no answer within 0\.05 s; the device might have done it$/,
  },
  {
    title: 'silence, for which less time is left than the time limit',
    device: raw(''),
    settings: { timeoutMs: 50 },
    withinMs: 70,
    code: 'TIMEOUT',
    ...unclear,
    words: /^no answer within 0\.05 s; the device might have done it$/,
  },
  {
    title: 'a head without an end',
    device: raw('HTTP/1.1 200 OK\r\nContent-'),
    settings: { timeoutMs: 50 },
    code: 'TIMEOUT',
    ...unclear,
    words: /^no answer within/,
  },
  {
    title: 'half a head',
    device: raw('HTTP/1.1 200 OK\r\nContent-', (socket) => socket.end()),
    code: 'PROTOCOL',
    ...unclear,
    words: /the connection closed before the response was complete; the device might have done it$/,
  },
  ...(
    [
      ['half an answer, then a close', 'Content-Length: 10\r\n\r\nhalf', 'end'],
      ['half an answer, then a reset', 'Content-Length: 10\r\n\r\nhalf', 'resetAndDestroy'],
      [
        'half an answer before an announced end',
        'Content-Length: 10\r\nConnection: close\r\n\r\nhalf',
        'end',
      ],
      ['half an answer in chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'end'],
      [
        'half an answer in chunks before an announced end',
        'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n4\r\nhalf\r\n',
        'end',
      ],
    ] as const
  ).map(([title, rest, then]) => ({
    title,
    device: raw(`HTTP/1.1 200 OK\r\n${rest}`, (socket) => void socket[then]()),
    code: 'PROTOCOL' as const,
    ...unclear,
    statusCode: 200,
    words: /the connection closed before the response was complete/,
  })),
  {
    title: '100 Continue, and then nothing',
    device: raw('HTTP/1.1 100 Continue\r\n\r\n', (socket) => socket.end()),
    code: 'PROTOCOL',
    ...unclear,
    words: /^connection lost before an answer arrived; .*; the device might have done it$/,
  },
  {
    title: 'an answer that is no HTTP',
    device: raw('SSH-2.0-OpenSSH_9.2\r\n'),
    code: 'PROTOCOL',
    ...unclear,
    words: /not valid HTTP; if the device uses TLS, write https:\/\//,
  },
  {
    title: 'TLS where plain http was written',
    device: async (fixture) => {
      const url = await fixture.https(await makeCertificate(), (_seen, response) => void response.end());
      return `${url.replace('https:', 'http:')}/algo`;
    },
    code: 'PROTOCOL',
    ...refused,
    words: /^TLS required on port \d+; .*; write "https:\/\/127\.0\.0\.1:\d+\/algo"$/,
  },
  {
    title: 'an alert of TLS where plain http was written',
    device: (fixture) => alerting(fixture),
    code: 'PROTOCOL',
    ...refused,
    words: /^TLS required on port \d+;/,
  },
  {
    title: 'HTML instead of JSON',
    device: status(200, '<html><body><h1>Welcome</h1></body></html>', { 'Content-Type': 'text/html' }),
    operation: about,
    code: 'PROTOCOL',
    ...unclear,
    statusCode: 200,
    words: /not the expected JSON; "Welcome"$/,
  },
  {
    title: 'JSON that is cut short',
    device: status(200, '{"Product Name": "Al', json),
    operation: about,
    code: 'PROTOCOL',
    ...unclear,
    statusCode: 200,
    words: /not the expected JSON/,
  },
  {
    title: 'a redirect to https',
    device: status(301, 'moved', { Location: 'https://10.0.0.5/api/controls/door/munlock' }),
    code: 'PROTOCOL',
    ...refused,
    statusCode: 301,
    response: 'moved',
    words:
      /^the device redirects to https; .*responded 301 and redirects to https:\/\/10\.0\.0\.5; Node-RED does not follow redirects; write "https:\/\/10\.0\.0\.5"$/,
  },
  {
    title: 'a redirect elsewhere',
    device: status(302, '', { Location: '/login' }),
    code: 'PROTOCOL',
    ...refused,
    statusCode: 302,
    words:
      /^the device redirects to another address; .*responded 302 and redirects to http:\/\/127\.0\.0\.1:\d+; Node-RED does not follow redirects$/,
  },
  {
    title: 'a redirect to nowhere',
    device: status(304),
    code: 'PROTOCOL',
    ...refused,
    statusCode: 304,
    words: /responded 304 without a redirect target$/,
  },
  {
    title: 'a redirect to a very long address',
    device: status(302, '', { Location: `http://10.0.0.5/${'x'.repeat(2_048)}` }),
    code: 'PROTOCOL',
    ...refused,
    statusCode: 302,
    words: /responded 302 without a redirect target$/,
  },
  {
    title: '400 with a reason',
    device: status(400, '{"error":"doorid: unknown"}', json),
    code: 'REFUSED',
    ...refused,
    statusCode: 400,
    response: { error: 'doorid: unknown' },
    words: /^rejected by the device; the device responded 400: "doorid: unknown"$/,
  },
  {
    title: '400 as a page',
    device: status(400, '<h1>Bad</h1><p>request</p>', { 'Content-Type': 'text/html' }),
    code: 'REFUSED',
    ...refused,
    statusCode: 400,
    response: '<h1>Bad</h1><p>request</p>',
    words: /^rejected by the device; the device responded 400: "Bad request"$/,
  },
  ...[404, 405, 429, 501, 503].map((statusCode) => ({
    title: `${statusCode}`,
    device: status(statusCode),
    code: 'REFUSED' as const,
    ...refused,
    statusCode,
    words: new RegExp(`^rejected by the device; the device responded ${statusCode}$`),
  })),
  ...[401, 403].map((statusCode) => ({
    title: `${statusCode} in step with the clock`,
    device: status(statusCode),
    code: 'AUTHENTICATION' as const,
    ...refused,
    statusCode,
    words: /^wrong password, method or clock; .*disabled.*password.*method.*clocks/,
  })),
  ...[401, 403].map((statusCode) => ({
    title: `${statusCode} out of step with the clock`,
    device: status(statusCode, '', { Date: 'Sat, 01 Jan 2000 00:00:00 GMT' }),
    code: 'AUTHENTICATION' as const,
    ...refused,
    attempts: 2,
    statusCode,
    words: /the clock of the device is [\d,]+ days behind Node-RED's; the login took that into account/,
  })),
  ...[500, 502, 504].map((statusCode) => ({
    title: `${statusCode}`,
    device: status(statusCode, 'out of memory'),
    code: 'PROTOCOL' as const,
    ...unclear,
    statusCode,
    response: 'out of memory',
    words: new RegExp(`responded ${statusCode}: "out of memory"; the device might have done it$`),
  })),
  {
    title: 'an answer that is announced too large',
    device: raw(`HTTP/1.1 200 OK\r\nContent-Length: ${32 * 1024 * 1024 + 1}\r\n\r\n`),
    code: 'PROTOCOL',
    ...unclear,
    statusCode: 200,
    words: /larger than 32 MiB/,
  },
  {
    title: 'an endless answer',
    device: (fixture) =>
      fixture.http((_seen, response) => {
        const block = Buffer.alloc(1024 * 1024);
        const pump = () => {
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', pump);
        pump();
      }),
    // On a busy machine, 32 MiB take longer than the time of the fixture.
    settings: { timeoutMs: 600_000 },
    code: 'PROTOCOL',
    ...unclear,
    statusCode: 200,
    words: /larger than 32 MiB/,
  },
  {
    title: 'an endless dribble',
    device: (fixture) =>
      fixture.http((_seen, response) => {
        const timer = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(timer));
      }),
    settings: { timeoutMs: 500 },
    code: 'TIMEOUT',
    ...unclear,
    statusCode: 200,
    words: /^the answer was not complete within 0\.5 s; the device might have done it$/,
  },
  {
    title: 'a TLS configuration that is broken',
    device: async () => 'https://127.0.0.1:9',
    settings: { tls: { cert: 'no certificate', key: 'no key' } },
    code: 'NOT_CONFIGURED',
    ...unsent,
    words: /TLS configuration cannot be used/,
  },
];

for (const library of libraries) {
  describe(`client: real failures and what they are called (${library})`, () => {
    const fixture = new ClientFixture(library);
    afterEach(() => fixture.clear());

    for (const { title, device, operation = munlock, settings, withinMs, words, ...expected } of rows) {
      it(`${title}: ${expected.code}, ${expected.outcome}`, async () => {
        const client = fixture.client(await device(fixture), settings);
        const parameters = operation === about ? {} : { doorid: 'local', duration: '5' };
        const error = await failureOf(
          client.call(operation, parameters, { operationName: 'door/test', ...(withinMs && { withinMs }) }),
        );
        const { code, outcome, sent, attempts, statusCode, response } = error;
        assert.deepEqual(
          { code, outcome, sent, attempts, statusCode, response },
          { statusCode: undefined, response: undefined, ...expected },
          error.message,
        );
        assert.ok(Object.hasOwn(error, 'code'));
        const { reason } = error;
        const where = `: door/test at "Main entrance" (${client.address})`;
        assert.ok(error.message.startsWith(`${reason}${where}`), error.message);
        assert.match(error.message.replace(where, ''), words);
        assert.ok(reason.length > 0 && reason.length <= 100, reason);
        for (const part of ['Main entrance', client.address, '127.0.0.1', 'door/test', code])
          assert.ok(!reason.includes(part), reason);
        assert.equal(typeof error.wireMs, attempts > 0 ? 'number' : 'undefined');
        await client.close();
        await fixture.disconnected();
      });
    }

    it('takes no more than 256 KiB for a reading', async () => {
      const record = (length: number) => JSON.stringify({ a: 'x'.repeat(length - '{"a":""}'.length) });
      const most = 256 * 1024;
      const address = await fixture.http((_seen, response) =>
        response.end(record(most + fixture.seen.length - 1)),
      );
      const client = fixture.client(address);
      const { body } = await client.call(about, {}, { reading: true });
      assert.equal((body as { a: string }).a.length, most - 8);
      const error = await failureOf(client.call(about, {}, { reading: true }));
      assert.deepEqual([error.code, error.statusCode, error.attempts], ['PROTOCOL', 200, 1]);
      assert.match(error.message, /^the response is larger than 256 KiB:/);
      assert.equal((await client.call(about)).statusCode, 200);
    });

    it('has the cause of what came from below', async () => {
      const error = await failureOf(fixture.client(nobody).call(about));
      assert.equal((error.cause as NodeJS.ErrnoException).code, 'ECONNREFUSED');
    });

    it('falls back to the route for the operation, and to the address without a name', async () => {
      const address = await status(404)(fixture);
      const error = await failureOf(fixture.client(address, { name: '' }).call(about));
      assert.equal(
        error.message,
        `rejected by the device: GET /api/info/about at ${address}; the device responded 404`,
      );
    });

    it('refuses what cannot be sent without opening a socket', async () => {
      const client = fixture.client(await status(200)(fixture));
      const error = await failureOf(client.send({ method: 'GET', path: '//other.example/' }));
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.equal(error.sent, false);
      assert.equal(error.attempts, 0);
      assert.match(error.message, /"path" must begin with exactly one slash/);
      assert.equal(fixture.connections, 0);
    });

    it('says so when undici cannot be loaded', async () => {
      const client = fixture.client(
        await status(200)(fixture),
        {},
        {
          loadUndici: () => {
            throw new Error('not found');
          },
        },
      );
      const error = await failureOf(client.call(about));
      assert.equal(error.code, 'NOT_CONFIGURED');
      assert.match(error.message, /^Node v\d+.*; not found;/);
    });
  });
}
