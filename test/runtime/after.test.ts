import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { files } from '../../src/catalogue/files';
import { info } from '../../src/catalogue/info';
import type { Operation, Option } from '../../src/catalogue/operation';
import { settings } from '../../src/catalogue/settings';
import { system } from '../../src/catalogue/system';
import { waitUntilBack } from '../../src/runtime/back';
import { carryOut } from '../../src/runtime/carry-out';
import { Device } from '../../src/runtime/device';
import type { Work } from '../../src/runtime/work';
import { end, listen } from '../listening';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

function operation(operations: readonly Operation[], id: string): Operation {
  const found = operations.find((one) => one.id === id);
  assert.ok(found);
  return found;
}

describe('what a node does around an operation', () => {
  let server: Server;
  let device: Device;
  let address: string;
  let heard: string[];
  let handler: Handler;

  async function comeUp(on?: number): Promise<void> {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        heard.push(`${request.method} ${request.url}`);
        handler(request, response, Buffer.concat(chunks).toString());
      });
    });
    address = `http://${await listen(server, on)}`;
  }

  beforeEach(async () => {
    heard = [];
    handler = (_request, response) => response.end();
    await comeUp();
    const properties = { name: 'Hall', address, auth: 'none', timeout: 2 };
    device = new Device('hall', properties, '', {
      tlsOptions: () => ({}),
      endpoint: () => undefined,
      environment: {},
    });
  });

  afterEach(async () => {
    await device.close();
    if (server.listening) await end(server);
  });

  const said: string[] = [];
  function work(of: Operation, parameters: Record<string, unknown>, ...options: Option[]): Work {
    const progress = (text: string) => void said.push(text);
    const signal = new AbortController().signal;
    return { device, deed: of.id, operation: of, parameters, options: new Set(options), signal, progress };
  }

  function carry(of: Operation, parameters: Record<string, unknown>, ...options: Option[]) {
    return carryOut(work(of, parameters, ...options), () => device.call(of, parameters));
  }

  const put = operation(settings.operations, 'put');

  it('reads settings back and confirms them', async () => {
    handler = ({ url = '' }, response) => {
      const name = url.split('/').at(-1) ?? '';
      response.setHeader('Content-Type', 'application/json');
      response.end(name === 'settings' ? '' : JSON.stringify({ [name]: name === 'a.b' ? '1' : '-12dB' }));
    };
    const done = await carry(put, { 'a.b': '1', 'audio.page.vol': '-12dB' }, 'confirmWrite');
    assert.equal(done.outcome, 'confirmed');
    assert.deepEqual(heard, [
      'PUT /api/settings',
      'GET /api/settings/a.b',
      'GET /api/settings/audio.page.vol',
    ]);
  });

  it('says which setting does not read back as written, without its value', async () => {
    handler = (_request, response) => response.end('{"api.admin.pwd":"old secret"}');
    await assert.rejects(carry(put, { 'api.admin.pwd': 'new secret' }, 'confirmWrite'), {
      code: 'PROTOCOL',
      message: /^(?!.*secret).*api\.admin\.pwd does not read back/,
    });
  });

  it('leaves a write accepted that cannot be read back, with a note', async () => {
    handler = ({ method }, response) => {
      response.statusCode = method === 'GET' ? 500 : 200;
      response.end();
    };
    const done = await carry(put, { 'a.b': '1' }, 'confirmWrite');
    assert.equal(done.outcome, 'accepted');
    assert.match(String(done.note), /^not read back: /);
  });

  it('reloads after a write and then waits for the setting to show', async () => {
    let reads = 0;
    handler = ({ method }, response) => {
      if (method === 'GET') reads++;
      response.end(method === 'GET' ? JSON.stringify({ 'mcast.mode': reads > 1 ? '1' : '0' }) : '');
    };
    const done = await carry(put, { 'mcast.mode': '1' }, 'confirmWrite', 'reloadAfter');
    assert.equal(done.outcome, 'confirmed');
    assert.deepEqual(heard.slice(0, 3), [
      'PUT /api/settings',
      'POST /api/controls/reload',
      'GET /api/settings/mcast.mode',
    ]);
    assert.equal(reads, 2);
  });

  it('says that the write went through when the reload after it does not', async () => {
    handler = ({ url }, response) => {
      response.statusCode = url?.endsWith('reload') ? 503 : 200;
      response.end();
    };
    await assert.rejects(carry(put, { 'a.b': '1' }, 'reloadAfter'), {
      code: 'REFUSED',
      attempts: 2,
      message: /was accepted, but not the reload after it/,
    });
  });

  const content = Buffer.from('The quick brown fox jumps over the lazy dog');
  const md5 = '9e107d9d372bb6826bd81d3542a419d6';

  it('does not upload a file that is already there', async () => {
    handler = (_request, response) => response.end(JSON.stringify({ md5sum: md5 }));
    const done = await carry(
      operation(files.operations, 'put'),
      { path: 'tones/fox.wav', content },
      'skipSame',
    );
    assert.equal(done.outcome, 'confirmed');
    assert.match(String(done.note), /already there/);
    assert.deepEqual(heard, ['GET /api/file-md5sum/tones/fox.wav']);
  });

  it('uploads a file that is another one, or not there, and confirms it by its MD5', async () => {
    let stored = '';
    handler = ({ method }, response, body) => {
      if (method === 'PUT') stored = body;
      response.statusCode = method === 'GET' && stored === '' ? 404 : 200;
      response.end(method === 'GET' ? JSON.stringify({ md5sum: md5.toUpperCase() }) : '');
    };
    const of = operation(files.operations, 'put');
    const done = await carry(of, { path: 'tones/fox.wav', content }, 'skipSame', 'confirmWrite');
    assert.equal(done.outcome, 'confirmed');
    assert.equal(stored, content.toString());
    assert.deepEqual(
      heard.map((line) => line.split(' ')[0]),
      ['GET', 'PUT', 'GET'],
    );
  });

  const [about] = info.operations;
  const reboot = operation(system.operations, 'reboot');
  const patience = { pollMs: 20, graceMs: 60_000, limitMs: 60_000 };

  it('waits until a device that went away is back', async () => {
    const port = Number(new URL(address).port);
    await end(server);
    let looks = 0;
    const waiting = { ...work(reboot, {}), progress: () => void (looks++ === 1 && void comeUp(port)) };
    const note = await waitUntilBack(waiting, about, patience);
    assert.match(note, /^back after \d+ s$/);
    assert.ok(looks >= 2, 'it did not say how far it is');
    assert.ok(heard.includes('GET /api/info/about'));
  });

  it('takes a refusal for a sign of life, since a restore switches the interface off', async () => {
    handler = (_request, response) => {
      response.statusCode = 403;
      response.end();
    };
    assert.match(await waitUntilBack(work(reboot, {}), about, { ...patience, graceMs: 0 }), /^back/);
  });

  it('takes any answer for one after a restore, but a device that says 503 is not back from a reboot', async () => {
    handler = (_request, response) => {
      response.statusCode = 503;
      response.end();
    };
    const restore = operation(settings.operations, 'restore');
    assert.match(await waitUntilBack(work(restore, {}), about, { ...patience, graceMs: 0 }), /^back/);
    const hasty = { pollMs: 20, graceMs: 0, limitMs: 50 };
    await assert.rejects(waitUntilBack(work(reboot, {}), about, hasty), { code: 'TIMEOUT' });
  });

  it('gives up on a device that never comes back, with an error', async () => {
    await end(server);
    await assert.rejects(waitUntilBack(work(reboot, {}), about, { ...patience, limitMs: 50 }), {
      code: 'TIMEOUT',
      outcome: 'unknown',
    });
  });
});
