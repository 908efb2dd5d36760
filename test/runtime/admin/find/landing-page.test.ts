import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lookAt } from '../../../../src/runtime/admin/find/landing-page';
import { makeCertificate } from '../../../fixtures/certificates';
import { ClientFixture } from '../../../fixtures/client-fixture';

const page = '<!doctype html><html><head><title>Algo 8186</title></head></html>';

/** What has to end by itself ends sooner than a person would wait for. */
const short = { connectMs: 400, pageMs: 400 };

describe("a look at an address for the maker's page", () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  const look = (url: string, limits?: typeof short, signal = new AbortController().signal) =>
    lookAt('127.0.0.1', Number(new URL(url).port), signal, limits);
  const saying =
    (text: string, head: Readonly<Record<string, string>> = {}, status = 200) =>
    (_seen: unknown, response: ServerResponse) =>
      void response.writeHead(status, head).end(text);

  it('says what the page names, over http', async () => {
    const url = await fixture.http(saying(page));
    const address = new URL(url).host;
    assert.deepEqual(await look(url), { address, secure: false, product: 'Algo 8186', model: '8186' });
  });

  it('says it over https, whoever has signed', async () => {
    const url = await fixture.https(await makeCertificate({ expired: true }), saying(page));
    const found = await look(url);
    assert.deepEqual([found?.secure, found?.model], [true, '8186']);
  });

  it('takes a page of the maker that names no model', async () => {
    const url = await fixture.http(saying('<title>Algo Control Panel</title>'));
    const address = new URL(url).host;
    assert.deepEqual(await look(url), { address, secure: false, product: 'Algo Control Panel' });
  });

  it('asks for the page and nothing else, and sends no password', async () => {
    await look(await fixture.http(saying('', { 'WWW-Authenticate': 'Basic' }, 401)));
    assert.deepEqual(
      fixture.seen.map(({ method, url, headers }) => [method, url, Object.keys(headers).sort()]),
      [['GET', '/', ['accept', 'connection', 'host']]],
    );
  });

  it('follows nobody elsewhere', async () => {
    const other = await fixture.http(saying(page));
    for (const status of [301, 302, 307, 308]) {
      const url = await fixture.http(saying('', { Location: other }, status));
      assert.equal(await look(url), undefined);
    }
    assert.equal(fixture.seen.length, 4);
  });

  it('finds no strangers', async () => {
    const strangers = [
      '',
      '<title>My printer 8186</title>',
      '<h1>Algo 8186</h1>',
      '<title>Algorithms</title>',
    ];
    for (const text of strangers) assert.equal(await look(await fixture.http(saying(text))), undefined, text);
  });

  it('cuts what is long, and leaves markup a text', async () => {
    const long = `<title>Algo 8186 &lt;img src=x onerror=alert(1)&gt; ${'x'.repeat(3_000)}</title>`;
    const found = await look(await fixture.http(saying(long)));
    assert.equal(found?.product.length, 100);
    assert.ok(found?.product.startsWith('Algo 8186 &lt;img src=x'));
  });

  it('reads the beginning of a page that never ends, and closes the connection', async () => {
    const url = await fixture.http((_seen, response) => {
      const pour = () => {
        while (response.write(page.padEnd(10_000)));
      };
      response.on('drain', pour).on('error', () => {});
      pour();
    });
    assert.equal((await look(url, { connectMs: 60_000, pageMs: 60_000 }))?.model, '8186');
    await fixture.disconnected();
  });

  it('reads past what only says that it goes on', async () => {
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n${page}`;
    const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n';
    const address = await fixture.tcp((socket) =>
      socket.once('data', async (bytes) => {
        // A record of TLS.
        if (bytes[0] === 22) return void socket.destroy();
        socket.write(early);
        // The other side has read that before the answer comes.
        for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        socket.end(answer);
      }),
    );
    assert.equal((await look(`http://${address}`))?.model, '8186');
  });

  it('does not look far into a page', async () => {
    const url = await fixture.http(saying(page.padStart(5_000)));
    assert.equal(await look(url), undefined);
  });

  const hostile: Readonly<Record<string, (socket: Socket) => void>> = {
    'says nothing': () => {},
    'says what is no HTTP': (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'),
    'never ends its head': (socket) => {
      const pour = () => {
        while (socket.write(`X-More: ${'x'.repeat(1_000)}\r\n`));
      };
      socket.write('HTTP/1.1 200 OK\r\n');
      socket.on('drain', pour);
      pour();
    },
    'says again and again that it goes on': (socket) => {
      const pour = () => {
        while (socket.write('HTTP/1.1 102 Processing\r\n\r\n'));
      };
      socket.on('drain', pour);
      pour();
    },
    'stops in the middle': (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n<title>Algo'),
  };
  for (const [what, speak] of Object.entries(hostile)) {
    it(`gives up on one that ${what}`, async () => {
      const address = await fixture.tcp(speak);
      assert.equal(await look(`http://${address}`, short), undefined);
      await fixture.disconnected();
    });
  }

  it('ends when nobody waits any more', async () => {
    const gone = new AbortController();
    const sockets = new EventEmitter();
    const address = await fixture.tcp((socket) => sockets.emit('open', socket));
    const opened = once(sockets, 'open');
    const looking = look(`http://${address}`, { connectMs: 60_000, pageMs: 60_000 }, gone.signal);
    const [socket] = (await opened) as [Socket];
    const closed = once(socket, 'close');
    gone.abort();
    assert.equal(await looking, undefined);
    await closed;
    assert.equal(fixture.connections, 1);
  });
});
