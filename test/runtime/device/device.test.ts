import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { door } from '../../../src/catalogue/door';
import { operation } from '../../../src/catalogue/operation-name';
import { Device } from '../../../src/runtime/device/device';
import type { DeviceProperties } from '../../../src/runtime/device/settings';
import type { DeviceSurroundings } from '../../../src/runtime/device/surroundings';
import { end, listen } from '../../fixtures/listening';
import { wordingIn } from '../../fixtures/wording';

const [lock] = door.operations;
const local = { doorid: 'local' };

/** What the device does with a request: answers with this status, breaks the connection, or stays silent. */
type Behavior = number | 'reset' | 'silent';

describe('a device that all nodes share', () => {
  let server: Server;
  let address: string;
  let paths: string[];
  let aboutBehavior: Behavior;
  let lockBehavior: Behavior;
  let device: Device | undefined;

  beforeEach(async () => {
    paths = [];
    aboutBehavior = lockBehavior = 200;
    server = createServer((request, response) => {
      paths.push(String(request.url));
      const isAbout = request.url === '/api/info/about';
      const behavior = isAbout ? aboutBehavior : lockBehavior;
      if (behavior === 'reset') request.socket.resetAndDestroy();
      if (typeof behavior !== 'number') return;
      const record = { 'Product Name': 'Algo 8063', 'Firmware Version': '5.6' };
      response.writeHead(behavior).end(isAbout ? JSON.stringify(record) : '');
    });
    address = `http://${await listen(server)}`;
  });

  afterEach(async () => {
    await device?.close();
    device = undefined;
    await end(server);
  });

  function make(properties: DeviceProperties = {}, more: Partial<DeviceSurroundings> = {}): Device {
    const all = { name: 'Gate', address, auth: 'none', ...properties };
    device = new Device('gate', all, '', {
      tlsOptions: () => ({}),
      endpoint: () => undefined,
      environment: {},
      ...more,
    });
    return device;
  }

  it('is asked once who it is, however many want to know', async () => {
    const gate = make();
    const who = { model: '8063', firmware: '5.6' };
    assert.deepEqual(await Promise.all([gate.identity(), gate.identity()]), [who, who]);
    assert.deepEqual(await gate.identity(), who);
    assert.deepEqual(paths, ['/api/info/about']);
  });

  it('is not asked when a person said all of it, and a person knows better', async () => {
    assert.deepEqual(await make({ model: '8301', firmware: '5.4' }).identity(), {
      model: '8301',
      firmware: '5.4',
    });
    assert.deepEqual(paths, []);
    assert.deepEqual(await make({ model: '8201' }).identity(), { model: '8201', firmware: '5.6' });
  });

  it('is asked again after the first success that follows a loss of contact, not before', async () => {
    const gate = make();
    await gate.identity();
    lockBehavior = 'reset';
    await assert.rejects(gate.call(lock, local), { code: 'PROTOCOL' });
    paths.length = 0;
    await gate.identity();
    assert.deepEqual(paths, []);
    lockBehavior = 200;
    await gate.call(lock, local);
    await gate.identity();
    await gate.identity();
    assert.deepEqual(paths, ['/api/controls/door/lock', '/api/info/about']);
  });

  it('is asked again after a success when it could not be asked at first', async () => {
    const gate = make();
    aboutBehavior = 'reset';
    assert.deepEqual(await gate.identity(), {});
    aboutBehavior = 200;
    assert.deepEqual(await gate.identity(), {});
    await gate.call(lock, local);
    assert.deepEqual(await gate.identity(), { model: '8063', firmware: '5.6' });
  });

  it('is not asked again when it refused to say, as firmware before 5.4 does', async () => {
    const gate = make();
    aboutBehavior = 404;
    assert.deepEqual(await gate.identity(), {});
    await gate.call(lock, local);
    assert.deepEqual(await gate.identity(), {});
    assert.equal(paths.filter((path) => path === '/api/info/about').length, 1);
  });

  it('is known once it has said who it is, whoever asked for that', async () => {
    const gate = make();
    const who = { model: '8063', firmware: '5.6' };
    await gate.call(operation('info/about'), {});
    assert.deepEqual(gate.knownIdentity, who);
    assert.deepEqual(await gate.identity(), who);
    assert.deepEqual(paths, ['/api/info/about']);
    aboutBehavior = 404;
    await assert.rejects(gate.call(operation('info/about'), {}), { code: 'REFUSED' });
    assert.deepEqual(gate.knownIdentity, who);
  });

  it('is not waited for longer than two seconds', async () => {
    aboutBehavior = 'silent';
    assert.deepEqual(await make({ timeout: '600' }).identity(), {});
  });

  it('ends what is under way when it is closed, keeps no socket and does nothing afterwards', async () => {
    const gate = make();
    await gate.call(lock, local);
    lockBehavior = 'silent';
    const arrived = once(server, 'request');
    const refusal = assert.rejects(gate.call(lock, local), { code: 'ABORTED', outcome: 'unknown' });
    await arrived;
    await gate.close();
    await refusal;
    await assert.rejects(gate.call(lock, local), { code: 'ABORTED', outcome: 'failed' });
    assert.equal(paths.length, 2);
  });

  it('opens nothing any more when it was closed before its first message', async () => {
    const gate = make();
    await gate.close();
    await assert.rejects(gate.call(lock, local), { code: 'ABORTED', outcome: 'failed' });
    assert.deepEqual(paths, []);
  });

  it('is tried again by the next message when its virtual device was not there yet', async () => {
    const stages = [
      () => undefined,
      () => Promise.reject(new Error('port taken')),
      () => Promise.resolve({ address, auth: 'none', password: '' }),
    ];
    const endpoint = () => stages.shift()?.();
    const gate = make({ virtual: 'stand-in' }, { endpoint });
    await assert.rejects(gate.call(lock, local), { code: 'NOT_CONFIGURED' });
    await assert.rejects(gate.call(lock, local), { code: 'UNREACHABLE', message: /port taken/ });
    assert.equal((await gate.call(lock, local)).statusCode, 200);
  });

  it('has a time limit of at most an hour', async () => {
    await assert.rejects(make({ timeout: '3601' }).call(lock, local), {
      code: 'NOT_CONFIGURED',
      message: wordingIn('phrases:mustBe', { place: 'timeout' }),
    });
    await make({ timeout: '3600' }).call(lock, local);
  });

  it('lets the device decide when a checkbox or a variable says so', () => {
    for (const yes of [true, 'true', '1', 1])
      assert.equal(make({ letDeviceDecide: yes }).letDeviceDecide, true);
    for (const no of [false, 'false', '', undefined]) {
      assert.equal(make({ letDeviceDecide: no }).letDeviceDecide, false);
    }
  });

  for (const queueLimit of [0, -1, 1.5, 'many', '${QUEUE}', Number.NaN, true, {}]) {
    it(`cannot be used with a queue limit of ${JSON.stringify(queueLimit)}`, async () => {
      const failed = make({ queueLimit }).call(lock, local);
      await assert.rejects(failed, {
        code: 'NOT_CONFIGURED',
        message: /^queueLimit .*: "Gate"/,
      });
      assert.deepEqual(paths, []);
    });
  }

  it('limits the messages that wait, to 1,000 by default', async () => {
    for (const [queueLimit, most] of [
      ['2', 2],
      [3, 3],
      ['', 1_000],
    ] as const) {
      lockBehavior = 'silent';
      const gate = make({ queueLimit, model: '8063', firmware: '5.6', timeout: 600 });
      const about = operation('system/reload');
      const ends = Array.from({ length: most + 2 }, () =>
        gate.call(about, {}).then(String, (error) => error.code),
      );
      assert.equal(await ends.at(-1), 'QUEUE_FULL');
      await gate.close();
      const codes = await Promise.all(ends);
      assert.equal(codes.filter((code) => code === 'QUEUE_FULL').length, 1);
    }
  });

  it('is on dry run only if its property says so', () => {
    assert.equal(make().dryRun, false);
    assert.equal(make({ dryRun: true }).dryRun, true);
    assert.equal(make({ dryRun: 'true' }).dryRun, true);
  });
});
