import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type ClientOptions,
  DeviceClient,
  DeviceError,
  type DeviceSettings,
  errorCodes,
  operation,
  operationNames,
} from '../../src/library';
import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import { Bench } from '../client/bench';
import { makeCertificate } from '../client/certificates';
import { Gate } from '../client/gate';
import { operations } from '../contract/promised';

/** What programs without types may hand over. */
type Loosely = (operation: unknown, parameters?: unknown, options?: unknown) => Promise<unknown>;

/** The error that something ends with. */
async function failureOf(call: Promise<unknown>): Promise<DeviceError> {
  const error = await call.then(
    () => assert.fail('it went well'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DeviceError, String(error));
  return error;
}

describe('the library', () => {
  const bench = new Bench();
  const devices: VirtualDevice[] = [];
  const clients: DeviceClient[] = [];

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all([bench.clear(), ...devices.splice(0).map((device) => device.stop())]);
  });

  function clientOf(settings: DeviceSettings, options?: ClientOptions): DeviceClient {
    const client = new DeviceClient(settings, options);
    clients.push(client);
    return client;
  }

  async function virtual(options: VirtualDeviceOptions): Promise<VirtualDevice> {
    const device = new VirtualDevice({ password: 'secret', ...options });
    devices.push(device);
    await device.start();
    return device;
  }

  /** A device, and a client that knows nothing of it but address and password. */
  async function door(options?: ClientOptions) {
    const device = await virtual({ model: '8063' });
    return { device, client: clientOf({ address: device.address, password: 'secret' }, options) };
  }

  describe('settings', () => {
    it('need an address only; a device then is asked over https, signed, and its certificate verified', async () => {
      const { key, cert } = await makeCertificate();
      const address = await bench.https({ key, cert }, (_seen, response) => response.end());
      const client = clientOf({ address, password: 'secret' });
      assert.equal((await failureOf(client.call(operation('info/about')))).code, 'TLS_UNTRUSTED');
      assert.equal(clientOf({ address: '192.0.2.1', password: 'x' }).address, 'https://192.0.2.1');
      assert.deepEqual(bench.seen, []);
    });

    it('pin a certificate', async () => {
      const { key, cert, fingerprint } = await makeCertificate();
      const address = await bench.https({ key, cert }, (_seen, response) => response.end('{}'));
      const pinned = { address, password: 'secret', certificate: 'pin' } as const;
      const right = clientOf({ ...pinned, fingerprint });
      assert.equal((await right.call(operation('info/about'))).statusCode, 200);
      const wrong = clientOf({ ...pinned, fingerprint: 'AB'.repeat(32) });
      const error = await failureOf(wrong.call(operation('info/about')));
      assert.equal(error.code, 'TLS_UNTRUSTED');
      assert.ok(error.message.includes(fingerprint));
      assert.equal(bench.seen.length, 1);
    });

    const address = '192.0.2.1';
    const password = 'open-sesame';
    const refused: readonly [title: string, settings: unknown, sentence: RegExp][] = [
      ['none at all', undefined, /settings/],
      ['no address', { password }, /address/],
      ['an address that is no text', { address: new URL('http://192.0.2.1'), password }, /address/],
      [
        'a login in the address',
        { address: `https://admin:${password}@192.0.2.1`, auth: 'none' },
        /user info/,
      ],
      ['no password', { address }, /The device cannot be used: it has no password.*"password"/],
      ['no password, of a device with a name', { name: 'Gate', address }, /The device "Gate" cannot be used/],
      ['a password that is no text', { address, password: 1234 }, /its password must be a text/],
      ['a method that there is not', { address, password, auth: 'digest' }, /standard, basic, none.*digest/],
      ['a trust that there is not', { address, password, certificate: 'Any' }, /verify, pin, any.*Any/],
      ['a pin without a fingerprint', { address, password, certificate: 'pin' }, /fingerprint/],
      ['seconds in the place of milliseconds', { address, password, timeout: 5 }, /no setting "timeout"/],
      ['a limit that is a text', { address, password, timeoutMs: '5000' }, /timeoutMs must be a number/],
      ['a limit that has passed', { address, password, timeoutMs: 0 }, /longer than 0/],
      ['null', { address, password, fingerprint: null }, /fingerprint must be a text/],
    ];
    for (const [title, settings, sentence] of refused) {
      it(`are refused: ${title}`, () => {
        assert.throws(
          () => new DeviceClient(settings as DeviceSettings),
          (error) => {
            assert.ok(error instanceof DeviceError, String(error));
            assert.equal(error.code, 'NOT_CONFIGURED');
            assert.match(error.message, sentence);
            assert.ok(!error.message.includes(password), error.message);
            return true;
          },
        );
      });
    }
  });

  describe('a call', () => {
    it('does an operation and gives the answer', async () => {
      const { device, client } = await door();
      const unlocked = await client.call(operation('door/munlock'), { doorid: 'local', duration: 5 });
      assert.equal(unlocked.statusCode, 200);
      assert.equal(unlocked.attempts, 1);
      assert.ok(unlocked.latencyMs >= 0);
      assert.deepEqual(device.log[0]?.parameters, { doorid: 'local', duration: '5' });
      const { body } = await client.call(operation('info/about'));
      assert.match(JSON.stringify(body), /8063/);
    });

    it('keeps step with a clock that is wrong', async () => {
      const { device, client } = await door();
      device.controls.shiftClock(3_600);
      const { attempts } = await client.call(operation('door/lock'), { doorid: 'local' });
      assert.equal(attempts, 2);
      assert.deepEqual(
        device.log.map(({ outcome }) => outcome),
        ['refused', 'done'],
      );
      assert.ok(Math.abs((client.clockOffsetMs ?? 0) - 3_600_000) < 60_000);
    });

    const refused: readonly [title: string, parameters: unknown, sentence: RegExp][] = [
      ['a misspelt name', { doorid: 'local', duraton: 5 }, /^door\/munlock: .*duraton.*; nothing was sent$/],
      ['a missing one', { doorid: 'local' }, /duration is missing/],
      ['a value that there is not', { doorid: 'garage', duration: 5 }, /doorid must be .*got "garage"/],
      ['null', null, /parameters must be an object/],
      ['a list', [], /parameters must be an object/],
      ['a text', 'local', /parameters must be an object/],
    ];
    for (const [title, parameters, sentence] of refused) {
      it(`refuses before anything is sent: ${title}`, async () => {
        const { device, client } = await door();
        const call = client.call.bind(client) as Loosely;
        const error = await failureOf(call(operation('door/munlock'), parameters));
        assert.equal(error.code, 'INVALID_PARAMETER');
        assert.equal(error.outcome, 'failed');
        assert.equal(error.attempts, 0);
        assert.match(error.message, sentence);
        await client.call(operation('door/lock'), { doorid: 'local' });
        assert.deepEqual(
          device.log.map(({ path: line }) => line),
          ['/api/controls/door/lock'],
        );
      });
    }

    it('refuses names of patterns and of brightnesses, which mean a number on a known model only', async () => {
      const device = await virtual({ model: '8128' });
      const client = clientOf({ address: device.address, password: 'secret' });
      const call = client.call.bind(client) as Loosely;
      for (const [name, parameters, words] of [
        [
          'strobe/start',
          { pattern: 'Rotate Slow', color1: 'red', ledlvl: '56' },
          /pattern must be a whole number/,
        ],
        [
          'strobe/start',
          { pattern: 4, color1: 'red', ledlvl: 'high' },
          /ledlvl must be one of 0, 56, 255, 1, 2, 3;/,
        ],
        [
          'screen/start',
          { type: 'image', image1: 'a', strobeFlash: 'fast' },
          /strobeFlash must be a whole number/,
        ],
      ] as const) {
        const error = await failureOf(call(operation(name), parameters));
        assert.equal(error.code, 'INVALID_PARAMETER');
        assert.match(error.message, words);
      }
      await client.call(operation('strobe/start'), { pattern: '5', color1: 'red', ledlvl: 56 });
      assert.deepEqual(
        device.log.map(({ parameters }) => parameters),
        [{ pattern: 5, color1: 'red', ledlvl: '56' }],
      );
    });

    it('refuses what is no operation', async () => {
      const { device, client } = await door();
      const call = client.call.bind(client) as Loosely;
      for (const odd of [undefined, null, 'door/munlock', { name: 'door/munlok' }, { name: 'toString' }]) {
        const error = await failureOf(call(odd, {}));
        assert.equal(error.code, 'INVALID_PARAMETER');
        assert.match(error.message, /operation\("door\/munlock"\)/);
      }
      assert.deepEqual(device.log, []);
    });

    it('refuses a limit that is none', async () => {
      const { device, client } = await door();
      const call = client.call.bind(client) as Loosely;
      for (const timeoutMs of ['5000', 0, -1, Number.NaN, null]) {
        const error = await failureOf(call(operation('info/about'), {}, { timeoutMs }));
        assert.equal(error.code, 'INVALID_PARAMETER');
        assert.match(error.message, /^info\/about: timeoutMs /);
      }
      assert.deepEqual(device.log, []);
    });

    it('says what a device answered that refuses', async () => {
      const address = await bench.http((_seen, response) => {
        response.writeHead(409, { 'content-type': 'application/json' }).end('{"error":"door is blocked"}');
      });
      const client = clientOf({ address, auth: 'none' });
      const error = await failureOf(client.call(operation('door/unlock'), { doorid: 'local' }));
      assert.equal(error.code, 'REFUSED');
      assert.equal(error.outcome, 'failed');
      assert.equal(error.statusCode, 409);
      assert.equal(error.attempts, 1);
      assert.deepEqual(error.response, { error: 'door is blocked' });
    });

    it('never sends again what is not safe to repeat', async () => {
      const { device, client } = await door();
      device.controls.addFault({ kind: 'reset-after' });
      const error = await failureOf(client.call(operation('door/munlock'), { doorid: 'local', duration: 5 }));
      assert.equal(error.code, 'PROTOCOL');
      assert.equal(error.outcome, 'unknown');
      assert.equal(error.attempts, 1);
      assert.equal(device.log.length, 1);
    });

    it('ends by its own limit, and by a signal', async () => {
      const gate = new Gate();
      const client = clientOf({ address: await bench.http(gate.respond), auth: 'none' });
      const late = await failureOf(client.call(operation('info/about'), {}, { timeoutMs: 50 }));
      assert.equal(late.code, 'TIMEOUT');
      const abort = new AbortController();
      const call = client.call(operation('info/about'), {}, { signal: abort.signal });
      await gate.next();
      abort.abort();
      assert.equal((await failureOf(call)).code, 'ABORTED');
    });

    it('is traced without a secret, and warns of what a person should know', async () => {
      const lines: string[] = [];
      const warnings: string[] = [];
      const trace = (line: string) => lines.push(line);
      const warn = (line: string) => warnings.push(line);
      const { device, client } = await door({ trace, warn });
      await client.call(operation('door/lock'), { doorid: 'local' });
      assert.equal(lines.length, 1);
      assert.match(String(lines[0]), /^POST \/api\/controls\/door\/lock: signed .*status 200$/);
      assert.ok(!lines.join().includes('secret'));
      assert.deepEqual(warnings, []);
      const basic = clientOf({ address: device.address, auth: 'basic', password: 'secret' }, { warn });
      await failureOf(basic.call(operation('info/about')));
      assert.equal(warnings.length, 1);
      assert.match(String(warnings[0]), /Basic authentication over http/);
    });

    it('lets Node print the warnings that nobody takes', async () => {
      const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
      const device = await virtual({ auth: 'basic' });
      const client = clientOf({ address: device.address, auth: 'basic', password: 'secret' });
      await client.call(operation('info/about'));
      const { name, message } = await warned;
      assert.equal(name, 'DeviceWarning');
      assert.match(message, /Basic authentication over http/);
    });

    it('is not harmed by a listener that throws', async () => {
      const fail = () => {
        throw new Error('the disk is full');
      };
      const device = await virtual({ auth: 'basic' });
      const settings = { address: device.address, auth: 'basic', password: 'secret' } as const;
      const client = clientOf(settings, { trace: fail, warn: fail });
      assert.equal((await client.call(operation('info/about'))).statusCode, 200);
    });
  });

  describe('the order', () => {
    it('is that of the calls, one request at a time', async () => {
      const gate = new Gate();
      const client = clientOf({ address: await bench.http(gate.respond), auth: 'none' });
      const calls = [1, 2, 3].map((duration) =>
        client.call(operation('door/munlock'), { doorid: 'local', duration }),
      );
      for (const call of calls) {
        if (!gate.held[0]) await gate.next();
        assert.equal(gate.held[1], undefined);
        gate.release();
        await call;
      }
      assert.deepEqual(
        bench.seen.map(({ body }) => JSON.parse(String(body)).duration),
        ['1', '2', '3'],
      );
    });

    it('lets a stop take out the starts that wait, and wait for the one that is under way', async () => {
      const gate = new Gate();
      const client = clientOf({ address: await bench.http(gate.respond), auth: 'none' });
      const start = (file: string) => client.call(operation('tone/start'), { path: file, loop: true });
      const first = start('bell1-na.wav');
      await gate.next();
      const second = start('chime.wav');
      const stop = client.call(operation('tone/stop'));
      assert.equal((await failureOf(second)).code, 'SUPERSEDED');
      assert.equal(gate.held[1], undefined);
      gate.release();
      await first;
      if (!gate.held[0]) await gate.next();
      gate.release();
      await stop;
      assert.deepEqual(
        bench.seen.map(({ url }) => url),
        ['/api/controls/tone/start', '/api/controls/tone/stop'],
      );
    });
  });

  describe('a request that no operation has', () => {
    it('is signed, and takes an object, a text or a Buffer', async () => {
      const { device, client } = await door();
      const { statusCode } = await client.send({
        method: 'POST',
        path: '/api/controls/door/lock',
        body: { doorid: 'local' },
      });
      assert.equal(statusCode, 200);
      assert.deepEqual(device.log[0]?.parameters, { doorid: 'local' });
      const { body } = await client.send({ method: 'GET', path: '/api/info/about' });
      assert.match(JSON.stringify(body), /8063/);
    });

    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const [title, request, sentence] of [
      ['nothing', undefined, /request must be an object/],
      ['another host', { method: 'GET', path: '//192.0.2.9/x' }, /path/],
      ['a method that there is not', { method: 'PATCH', path: '/x' }, /method/],
      ['a misspelt part', { method: 'POST', path: '/x', bdy: {} }, /bdy/],
      ['what JSON cannot hold', { method: 'POST', path: '/x', body: circle }, /JSON/],
    ] as const) {
      it(`is refused before anything is sent: ${title}`, async () => {
        const { device, client } = await door();
        const send = client.send.bind(client) as (request: unknown) => Promise<unknown>;
        const error = await failureOf(send(request));
        assert.equal(error.code, 'INVALID_PARAMETER');
        assert.match(error.message, sentence);
        assert.deepEqual(device.log, []);
      });
    }
  });

  describe('closing', () => {
    it('ends what is under way and what comes, and leaves no socket', async () => {
      const gate = new Gate();
      const client = clientOf({ address: await bench.http(gate.respond), auth: 'none' });
      const call = client.call(operation('info/about'));
      await gate.next();
      const [error] = await Promise.all([failureOf(call), client.close()]);
      assert.equal(error.code, 'ABORTED');
      await bench.disconnected();
      assert.equal((await failureOf(client.call(operation('info/about')))).code, 'ABORTED');
      assert.equal((await failureOf(client.send({ method: 'GET', path: '/' }))).code, 'ABORTED');
    });

    it('can be left to the language', async () => {
      const address = await bench.http((_seen, response) => response.end('{}'));
      const client = clientOf({ address, auth: 'none' });
      await client.call(operation('info/about'));
      await client[Symbol.asyncDispose]();
      await bench.disconnected();
      assert.equal((await failureOf(client.call(operation('info/about')))).code, 'ABORTED');
    });
  });

  it('names every operation that flows may rely on, each once', () => {
    assert.equal(new Set(operationNames).size, operationNames.length);
    assert.deepEqual(
      operations.filter((name) => !operationNames.some((known) => known === name)),
      [],
    );
    for (const name of operationNames) assert.equal(operation(name).name, name);
  });

  it('says of an operation what a program may ask', () => {
    assert.deepEqual(operation('door/munlock'), {
      name: 'door/munlock',
      title: 'Unlock for a while',
      description: 'Unlocks the door for the given time. The device locks it again by itself.',
      firmware: '5.5',
      repeatable: false,
    });
    assert.equal(operation('door/lock').repeatable, true);
  });

  it('refuses the name of an operation that there is not', () => {
    for (const name of ['door/munlok', 'toString', '', undefined]) {
      assert.throws(
        () => operation(name as 'door/munlock'),
        (error) => error instanceof DeviceError && error.code === 'INVALID_PARAMETER',
      );
    }
  });

  it('explains every error code on its page', () => {
    const page = readFileSync(path.resolve(__dirname, '../../../docs/library.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code);
    assert.deepEqual(rows, [...errorCodes]);
  });
});
