import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { audio } from '../../../src/catalogue/audio';
import { files } from '../../../src/catalogue/files';
import type { Operation, Option } from '../../../src/catalogue/operation';
import { settings } from '../../../src/catalogue/settings';
import { system } from '../../../src/catalogue/system';
import { Device } from '../../../src/runtime/device/device';
import { deregister, register } from '../../../src/runtime/device/registry';
import { waitUntilBack } from '../../../src/runtime/message/confirmation';
import type { Receipt } from '../../../src/runtime/message/receipt';
import { deliver } from '../../../src/runtime/message/steps';
import { end, listen, ownHost } from '../../fixtures/listening';
import { wordingIn } from '../../fixtures/wording';
import { deliveryOf } from './delivery';

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
  let requestLines: string[];
  let handler: Handler;

  async function comeUp(on?: number): Promise<void> {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requestLines.push(`${request.method} ${request.url}`);
        handler(request, response, Buffer.concat(chunks).toString());
      });
    });
    address = `http://${await listen(server, on, ownHost)}`;
  }

  function deviceWith(more: { readonly queueLimit?: string } = {}): Device {
    const who = { model: '8301', firmware: '5.7' };
    const properties = { name: 'Hall', address, auth: 'none', timeout: 2, ...who, ...more };
    return new Device('hall', properties, '', {
      tlsOptions: () => ({}),
      endpoint: () => undefined,
      environment: {},
    });
  }

  beforeEach(async () => {
    requestLines = [];
    handler = (_request, response) => response.end();
    await comeUp();
    device = deviceWith();
  });

  afterEach(async () => {
    await device.close();
    if (server.listening) await end(server);
  });

  function send(of: Operation, parameters: Record<string, unknown>, ...options: Option[]): Promise<Receipt> {
    return deliver(deliveryOf({ device, operation: of, parameters, options }));
  }

  const put = operation(settings.operations, 'put');

  it('reads settings back and confirms them', async () => {
    handler = ({ url = '' }, response) => {
      const name = url.split('/').at(-1) ?? '';
      response.setHeader('Content-Type', 'application/json');
      response.end(name === 'settings' ? '' : JSON.stringify({ [name]: name === 'a.b' ? '1' : '-12dB' }));
    };
    const done = await send(put, { 'a.b': '1', 'audio.page.vol': '-12dB' }, 'confirmWrite');
    assert.equal(done.outcome, 'confirmed');
    assert.deepEqual(requestLines, [
      'PUT /api/settings',
      'GET /api/settings/a.b',
      'GET /api/settings/audio.page.vol',
    ]);
  });

  it('says which setting has a different value when read back, without its value', async () => {
    handler = (_request, response) => response.end('{"api.admin.pwd":"old secret"}');
    const { outcome, attempts, error } = await send(put, { 'api.admin.pwd': 'new secret' }, 'confirmWrite');
    assert.deepEqual(
      { outcome, attempts, code: error?.code },
      { outcome: 'failed', attempts: 1, code: 'PROTOCOL' },
    );
    assert.match(String(error?.message), wordingIn('reasons:readsOtherwise', { what: 'api.admin.pwd' }));
  });

  it('leaves a write accepted that cannot be read back, with a note', async () => {
    handler = ({ method }, response) => {
      response.statusCode = method === 'GET' ? 500 : 200;
      response.end();
    };
    const done = await send(put, { 'a.b': '1' }, 'confirmWrite');
    assert.equal(done.outcome, 'accepted');
    assert.match(String(done.note), wordingIn('reasons:notReadBack'));
  });

  const unsaid: Record<
    string,
    readonly [of: Operation, parameters: Record<string, unknown>, answer: string]
  > = {
    'an empty answer': [put, { 'a.b': '1' }, ''],
    'an answer that names something else': [put, { 'a.b': '1' }, '{"c.d":"1"}'],
    'an answer without a checksum': [
      operation(files.operations, 'put'),
      { path: 'tones/fox.wav', content: Buffer.from('fox') },
      '{}',
    ],
    'a level in words': [
      operation(audio.operations, 'noise-update'),
      { level: '-42' },
      '{"audio.noise.level":"Disabled"}',
    ],
  };
  for (const [what, [of, parameters, answer]] of Object.entries(unsaid)) {
    it(`does not take ${what} for another value`, async () => {
      handler = ({ method }, response) => response.end(method === 'GET' ? answer : '');
      const { outcome, note, error } = await send(of, parameters, 'confirmWrite');
      assert.deepEqual({ outcome, error }, { outcome: 'accepted', error: undefined });
      assert.match(String(note), wordingIn('reasons:notReadBack'));
      const whys = ['notNamed', 'noNumber'].map((why) => wordingIn(`reasons:${why}`));
      assert.ok(
        whys.some((why) => why.test(String(note))),
        String(note),
      );
    });
  }

  it('reloads after a write and then waits for the setting to show', async () => {
    let reads = 0;
    handler = ({ method }, response) => {
      if (method === 'GET') reads++;
      response.end(method === 'GET' ? JSON.stringify({ 'mcast.mode': reads > 1 ? '1' : '0' }) : '');
    };
    const done = await send(put, { 'mcast.mode': '1' }, 'confirmWrite', 'reloadAfter');
    assert.equal(done.outcome, 'confirmed');
    assert.deepEqual(requestLines.slice(0, 3), [
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
    const { attempts, error, outcome } = await send(put, { 'a.b': '1' }, 'reloadAfter');
    assert.deepEqual(
      { attempts, outcome, code: error?.code },
      { attempts: 2, outcome: 'unknown', code: 'REFUSED' },
    );
    assert.match(String(error?.message), wordingIn('reasons:notReloaded'));
  });

  const content = Buffer.from('The quick brown fox jumps over the lazy dog');
  const md5 = '9e107d9d372bb6826bd81d3542a419d6';

  it('does not upload a file that is already there', async () => {
    handler = (_request, response) => response.end(JSON.stringify({ md5sum: md5 }));
    const done = await send(
      operation(files.operations, 'put'),
      { path: 'tones/fox.wav', content },
      'skipUnchanged',
    );
    assert.equal(done.outcome, 'confirmed');
    assert.match(String(done.note), wordingIn('reasons:sameFile'));
    assert.deepEqual(requestLines, ['GET /api/file-md5sum/tones/fox.wav']);
  });

  it('uploads a file that is another one, or not there, and confirms it by its MD5', async () => {
    let stored = '';
    handler = ({ method }, response, body) => {
      if (method === 'PUT') stored = body;
      response.statusCode = method === 'GET' && stored === '' ? 404 : 200;
      response.end(method === 'GET' ? JSON.stringify({ md5sum: md5.toUpperCase() }) : '');
    };
    const of = operation(files.operations, 'put');
    const done = await send(of, { path: 'tones/fox.wav', content }, 'skipUnchanged', 'confirmWrite');
    assert.equal(done.outcome, 'confirmed');
    assert.equal(stored, content.toString());
    assert.deepEqual(
      requestLines.map((line) => line.split(' ')[0]),
      ['GET', 'PUT', 'GET'],
    );
  });

  const reboot = operation(system.operations, 'reboot');
  const asked = (of: Operation) => deliveryOf({ device, operation: of, parameters: {} });
  const noteOfWait = async (...[waiting, limits]: Parameters<typeof waitUntilBack>) => {
    await waitUntilBack(waiting, limits);
    return (waiting as ReturnType<typeof deliveryOf>).receipt().note;
  };
  const patience = { pollMs: 20, graceMs: 60_000, limitMs: 60_000 };

  it('waits until a device that went away is back', async () => {
    const port = Number(new URL(address).port);
    await end(server);
    let looks = 0;
    const progress = () => void (looks++ === 1 && void comeUp(port));
    const waiting = deliveryOf({ device, operation: reboot, parameters: {}, progress });
    const note = await noteOfWait(waiting, patience);
    assert.match(String(note), wordingIn('reasons:backAfter'));
    assert.ok(looks >= 2, 'it did not say how far it is');
    assert.ok(requestLines.includes('GET /api/info/about'));
  });

  it('waits until a device is back whose queue is full meanwhile', async () => {
    device = deviceWith({ queueLimit: '1' });
    const waiting = asked(reboot);
    waiting.withdraw();
    handler = ({ method }, response) => void setTimeout(() => response.end(), method === 'GET' ? 0 : 200);
    const messages = [put, put].map((of) => send(of, { 'a.b': '1' }));
    const full = await send(put, { 'a.b': '1' });
    assert.equal(full.error?.code, 'QUEUE_FULL');
    assert.match(
      String(await noteOfWait(waiting, { ...patience, graceMs: 0 })),
      wordingIn('reasons:backAfter'),
    );
    assert.deepEqual(
      (await Promise.all(messages)).map(({ outcome }) => outcome),
      ['accepted', 'accepted'],
    );
  });

  it('takes a refusal for a sign of life, since a restore switches the interface off', async () => {
    handler = (_request, response) => {
      response.statusCode = 403;
      response.end();
    };
    assert.match(
      String(await noteOfWait(asked(reboot), { ...patience, graceMs: 0 })),
      wordingIn('reasons:backAfter'),
    );
  });

  it('takes any answer for one after a restore, but a device that says 503 is not back from a reboot', async () => {
    handler = (_request, response) => {
      response.statusCode = 503;
      response.end();
    };
    const restore = operation(settings.operations, 'restore');
    assert.match(
      String(await noteOfWait(asked(restore), { ...patience, graceMs: 0 })),
      wordingIn('reasons:backAfter'),
    );
    const hasty = { pollMs: 20, graceMs: 0, limitMs: 50 };
    await assert.rejects(waitUntilBack(asked(reboot), hasty), { code: 'TIMEOUT' });
  });

  describe('when a deploy closes the device', () => {
    beforeEach(() => register(device));
    afterEach(() => deregister(device));
    const replace = () => {
      device = deviceWith();
      register(device);
    };

    it('goes on at the one that takes its place', async () => {
      const port = Number(new URL(address).port);
      await end(server);
      const old = device;
      let looks = 0;
      const progress = () => {
        looks += 1;
        if (looks === 1) void old.close();
        // While the deploy is under way nobody knows who comes.
        if (looks === 3) replace();
        if (looks === 4) void comeUp(port);
      };
      const waiting = deliveryOf({ device, operation: reboot, parameters: {}, progress });
      assert.match(String(await noteOfWait(waiting, patience)), wordingIn('reasons:backAfter'));
      assert.ok(looks >= 4, String(looks));
    });

    it('does not take that for its going away, also while it is looked at', async () => {
      const port = Number(new URL(address).port);
      const old = device;
      let looks = 0;
      handler = (_request, response) => {
        looks += 1;
        if (looks > 1) response.end();
        else void old.close().then(replace);
      };
      let times = 0;
      const progress = () => {
        times += 1;
        if (times === 5) void end(server);
        if (times === 8) void comeUp(port);
      };
      const waiting = deliveryOf({ device, operation: reboot, parameters: {}, progress });
      assert.match(String(await noteOfWait(waiting, patience)), wordingIn('reasons:backAfter'));
      assert.ok(times >= 8, 'it did not wait until the device went away');
    });

    it('says so where none takes its place', async () => {
      const old = device;
      const progress = () => void old.close().then(() => deregister(old));
      const waiting = deliveryOf({ device, operation: reboot, parameters: {}, progress });
      await assert.rejects(waitUntilBack(waiting, patience), {
        code: 'ABORTED',
        outcome: 'unknown',
        message: wordingIn('reasons:closedByDeploy', { device: 'Hall' }),
      });
    });
  });

  it('gives up on a device that never comes back, with an error', async () => {
    await end(server);
    await assert.rejects(waitUntilBack(asked(reboot), { ...patience, limitMs: 50 }), {
      code: 'TIMEOUT',
      outcome: 'unknown',
    });
  });

  describe('after an upgrade', () => {
    const upgrade = operation(system.operations, 'upgrade-start');
    const soon = { ...patience, graceMs: 0 };
    /** The way of an upgrade whose answer has this status, at a device that is back with this version. */
    const upgraded = async (status: unknown, version: string) => {
      handler = (_request, response) =>
        response.end(JSON.stringify({ 'Product Name': 'Algo 8301', 'Firmware Version': version }));
      const waiting = asked(upgrade);
      waiting.answer = { statusCode: 200, attempts: 1, body: { status, url: '' } };
      await waitUntilBack(waiting, soon);
      return waiting;
    };

    it('is confirmed if the device is back with the version that it has announced', async () => {
      assert.equal((await upgraded('upgrading 5.8', '5.8')).outcome, 'confirmed');
    });

    it('fails with both versions if the device is back with another one', async () => {
      await assert.rejects(upgraded('upgrading 5.8', '5.7'), {
        ...{ code: 'PROTOCOL', outcome: 'failed' },
        reason: 'the device has 5.7, not 5.8',
      });
    });

    it('is confirmed without a wait if there is nothing to do', async () => {
      assert.equal((await upgraded('updated', '5.7')).outcome, 'confirmed');
      assert.deepEqual(requestLines, []);
    });

    it('fails with the words of the device if it announces no version', async () => {
      await assert.rejects(upgraded('no server', '5.7'), { code: 'PROTOCOL', message: /"no server"/ });
      assert.deepEqual(requestLines, []);
    });
  });
});
