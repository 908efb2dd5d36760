import assert from 'node:assert/strict';
import { connect } from 'node:tls';
import { carryOutCommand } from '../../../src/virtual-device/control/commands';
import { send, sign } from '../../fixtures/signer';
import { type Bench, NOON, withDevice } from '../bench';

const ABOUT = 'GET /api/info/about';
const UNLOCK = 'POST /api/controls/door/unlock';
const order = ({ device }: Bench, name: string, given: object = {}) => carryOutCommand(device, name, given);

describe('the virtual device: faults', () => {
  it('answers late, by the time outside of it', () =>
    withDevice({}, async (bench) => {
      await order(bench, 'fault', { kind: 'latency', ms: 800 });
      const answered = bench.tell(ABOUT);
      while (bench.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(bench.device.log.length, 0);
      bench.clock.advance(800);
      assert.equal((await answered).status, 200);
      assert.equal(bench.device.log[0]?.fault, 'latency');
    }));

  for (const [kind, acts] of [
    ['reset-before', false],
    ['reset-after', true],
    ['half', true],
    ['garbage', true],
  ] as const)
    it(`${kind}: breaks the connection, and has ${acts ? '' : 'not '}acted`, () =>
      withDevice({ model: '8063' }, async (bench) => {
        await order(bench, 'fault', { kind, route: UNLOCK });
        await assert.rejects(bench.tell(UNLOCK, { doorid: 'local' }));
        assert.equal(bench.device.state.doors.local, acts ? 'unlocked' : 'locked');
        assert.equal((await bench.tell(ABOUT)).status, 200, 'another route is not concerned');
        await order(bench, 'clear-faults');
        assert.equal((await bench.tell(UNLOCK, { doorid: 'local' })).status, 200);
      }));

  for (const [kind, acts] of [
    ['lost', false],
    ['unanswered', true],
  ] as const)
    it(`${kind}: never answers, and has ${acts ? '' : 'not '}acted`, () =>
      withDevice({ model: '8063' }, async (bench) => {
        await order(bench, 'fault', { kind });
        const asked = new Promise((resolve) => bench.device.once('request', resolve));
        const answered = assert.rejects(bench.tell(UNLOCK, { doorid: 'local' }), { code: 'ECONNRESET' });
        await asked;
        assert.equal(bench.device.state.doors.local, acts ? 'unlocked' : 'locked');
        await bench.device.stop();
        await answered;
      }));

  it('answers half of a body', () =>
    withDevice({}, async (bench) => {
      await order(bench, 'fault', { kind: 'half' });
      await assert.rejects(bench.tell(ABOUT), { code: 'ECONNRESET' });
    }));

  it('calls its answer something else, or answers an error', () =>
    withDevice({}, async (bench) => {
      await order(bench, 'fault', { kind: 'content-type', count: 1 });
      assert.equal((await bench.tell(ABOUT)).headers['content-type'], 'text/html');
      assert.equal((await bench.tell(ABOUT)).headers['content-type'], 'application/json');
      await order(bench, 'fault', { kind: 'status', status: 500, count: 2 });
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push((await bench.tell(ABOUT)).status);
      assert.deepEqual(statuses, [500, 500, 200]);
    }));

  it('answers slowly, and whole', () =>
    withDevice({}, async (bench) => {
      const whole = (await bench.tell(ABOUT)).text;
      await order(bench, 'fault', { kind: 'bandwidth', bytesPerSecond: 50 });
      const answered = bench.tell(ABOUT);
      let isDone = false;
      void answered.finally(() => {
        isDone = true;
      });
      let steps = 0;
      while (!isDone) {
        if (bench.clock.pending > 0) steps += 1;
        bench.clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.equal((await answered).text, whole);
      assert.equal(steps, Math.ceil(whole.length / 5));
    }));

  it('strikes by chance, the same way for the same seed', () =>
    withDevice({}, async (bench) => {
      const statuses = async (seed: number): Promise<number[]> => {
        await order(bench, 'clear-faults');
        await order(bench, 'seed', { seed });
        await order(bench, 'fault', { kind: 'status', chance: 0.5 });
        const found: number[] = [];
        for (let i = 0; i < 24; i += 1) found.push((await bench.tell(ABOUT)).status);
        return found;
      };
      const first = await statuses(7);
      assert.ok(first.includes(200) && first.includes(503), String(first));
      assert.deepEqual(await statuses(7), first);
      assert.notDeepEqual(await statuses(8), first);
    }));

  it('refuses a fault that it does not understand, in a sentence', () =>
    withDevice({}, async (bench) => {
      const cases: readonly [object, RegExp][] = [
        [{}, /^kind is missing$/],
        [{ kind: 'fire' }, /^kind must be "latency" or /],
        [{ kind: 'latency' }, /^ms is missing$/],
        [{ kind: 'half', ms: 3 }, /^ms does not belong to half$/],
        [{ kind: 'half', chance: 0 }, /^chance must be a number above 0, up to 1, not 0$/],
        [{ kind: 'half', route: 'door' }, /^route must be like/],
        [{ kind: 'latency', ms: 5, distribution: 'uniform' }, /^toMs is missing, or less than ms$/],
      ];
      for (const [given, message] of cases) await assert.rejects(order(bench, 'fault', given), { message });
      await assert.rejects(order(bench, 'explode'), /"explode".*\bfault, /);
      await assert.rejects(order(bench, 'clear-faults', { id: 99 }), /there is no fault 99/);
      assert.deepEqual(bench.device.snapshot().faults, []);
    }));
});

describe('the virtual device: what is done to it by hand', () => {
  it('has a clock that is ahead: requests of right time are refused, and door timers do not care', () =>
    withDevice({ model: '8063' }, async (bench) => {
      await bench.tell('POST /api/controls/door/munlock', { doorid: 'local', duration: '60' });
      await order(bench, 'clock', { ahead: 120 });
      const { status, headers } = await bench.tell(ABOUT);
      assert.deepEqual([status, headers.date], [403, new Date(NOON + 120_000).toUTCString()]);
      assert.equal(bench.device.log.at(-1)?.signature?.clockDifference, -120);
      assert.equal((await bench.tell(ABOUT, undefined, { now: NOON + 120_000 })).status, 200);
      bench.clock.advance(59_000);
      assert.equal(bench.device.state.doors.local, 'unlocked');
      bench.clock.advance(1000);
      assert.equal(bench.device.state.doors.local, 'locked');
    }));

  it('lets its time run faster, also for what is planned already, and says what happens', () =>
    withDevice({ model: '8063' }, async (bench) => {
      const said: string[] = [];
      bench.device.on('happened', (words) => said.push(words));
      await bench.tell('POST /api/controls/door/munlock', { doorid: 'local', duration: '3600' });
      bench.clock.advance(10_000);
      await order(bench, 'speed', { factor: 60 });
      bench.clock.advance(59_000);
      assert.deepEqual(said, []);
      bench.clock.advance(1000);
      assert.deepEqual(said, ['local door locked again']);
      await assert.rejects(order(bench, 'speed', { factor: 0 }), /factor must be a number from 0.1/);
    }));

  it('moves on to the next scheduled event', () =>
    withDevice({}, async (bench) => {
      const event = {
        name: 'Bell',
        start_date: '2020-09-28',
        start_time: '18:00',
        rrule: '',
        color: '#0000ff',
      };
      const given = { events: [{ ...event, event_type: 'play_tone', audio: 'bell-uk.wav' }] };
      assert.equal((await bench.tell('POST /api/schedules', given)).status, 200);
      assert.equal(bench.device.snapshot().next?.name, 'Bell');
      await order(bench, 'next-event');
      bench.clock.advance(5000);
      assert.equal(bench.device.state.tone?.path, 'bell-uk.wav');
      await bench.device.stop();
    }));

  it('has another password, no API, no room, another firmware', () =>
    withDevice({}, async (bench) => {
      await order(bench, 'password', { password: 'new' });
      assert.equal((await bench.tell(ABOUT)).status, 403);
      assert.equal((await bench.tell(ABOUT, undefined, { password: 'new' })).status, 200);
      await order(bench, 'password', { password: 'algo' });
      await order(bench, 'api', { on: false });
      assert.equal((await bench.tell(ABOUT)).status, 403);
      await order(bench, 'api', { on: true });
      await order(bench, 'storage', { full: true });
      const file = Buffer.from('x');
      const headers = sign('PUT', '/api/files/a', {
        now: NOON,
        body: file,
        type: 'application/octet-stream',
      });
      assert.equal((await send(bench.address, 'PUT', '/api/files/a', headers, file)).status, 400);
      await order(bench, 'become', { model: '8063', firmware: '5.3.4' });
      assert.deepEqual([bench.device.model, bench.device.firmware], ['8063', '5.3.4']);
      assert.equal((await bench.tell('GET /api/info/input.relay1.status')).status, 200);
    }));

  it('can be told what the document does not say: 401 or 403, 404 or 403', () =>
    withDevice({ unauthorizedStatus: 401, apiOffStatus: 404 }, async (bench) => {
      assert.equal((await bench.tell(ABOUT, undefined, { password: 'wrong' })).status, 401);
      await order(bench, 'api', { on: false });
      assert.equal((await bench.tell(ABOUT)).status, 404);
    }));

  it('has buttons to press and inputs to close', () =>
    withDevice({ model: '8450', buttons: { help: 'emergency' } }, async (bench) => {
      await order(bench, 'press', { id: 'help' });
      assert.deepEqual(bench.device.state.console, [{ type: 'emergency' }]);
      await assert.rejects(order(bench, 'press', { id: 'nobody' }), /no button is called nobody/);
      await order(bench, 'input', { name: 'relay1', state: 'closed' });
      assert.equal(bench.device.state.inputs.relay1, 'active (Normally Open)');
    }));

  it('reboots for as long as it is told', () =>
    withDevice({}, async (bench) => {
      await order(bench, 'reboot', { seconds: 90 });
      await assert.rejects(bench.tell(ABOUT), { code: 'ECONNREFUSED' });
      bench.clock.advance(89_000);
      await assert.rejects(bench.tell(ABOUT), { code: 'ECONNREFUSED' });
      const back = new Promise((resolve) => bench.device.once('change', resolve));
      bench.clock.advance(1000);
      await back;
      assert.equal((await bench.tell(ABOUT)).status, 200);
    }));

  it('shows another certificate', () =>
    withDevice({ tls: true }, async (bench) => {
      const fingerprint = () =>
        new Promise((resolve, reject) => {
          const { port } = new URL(bench.address);
          const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().fingerprint256);
            socket.destroy();
          });
          socket.on('error', reject);
        });
      const before = await fingerprint();
      await order(bench, 'certificate');
      assert.notEqual(await fingerprint(), before);
    }));
});
