import assert from 'node:assert/strict';
import { connect } from 'node:tls';
import { ownHost } from '../../fixtures/listening';
import { send, sign } from '../../fixtures/signer';
import { type DeviceFixture, NOON, withDevice } from '../with-device';

const ABOUT = 'GET /api/info/about';
const UNLOCK = 'POST /api/controls/door/unlock';
const order = ({ device }: DeviceFixture, name: string, given: object = {}) => device.carryOut(name, given);

describe('the virtual device: faults', () => {
  it('answers late, by the time outside of it', () =>
    withDevice({}, async (fixture) => {
      await order(fixture, 'fault', { kind: 'latency', ms: 800 });
      const answered = fixture.sendJson(ABOUT);
      while (fixture.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(fixture.device.log.length, 0);
      fixture.clock.advance(800);
      assert.equal((await answered).status, 200);
      assert.equal(fixture.device.log[0]?.fault, 'latency');
    }));

  for (const [kind, acts] of [
    ['reset-before', false],
    ['reset-after', true],
    ['half', true],
    ['garbage', true],
  ] as const)
    it(`${kind}: breaks the connection, and has ${acts ? '' : 'not '}acted`, () =>
      withDevice({ model: '8063' }, async (fixture) => {
        await order(fixture, 'fault', { kind, route: UNLOCK });
        await assert.rejects(fixture.sendJson(UNLOCK, { doorid: 'local' }));
        assert.equal(fixture.device.state.doors.local, acts ? 'unlocked' : 'locked');
        assert.equal((await fixture.sendJson(ABOUT)).status, 200, 'another route is not concerned');
        await order(fixture, 'clear-faults');
        assert.equal((await fixture.sendJson(UNLOCK, { doorid: 'local' })).status, 200);
      }));

  for (const [kind, acts] of [
    ['lost', false],
    ['unanswered', true],
  ] as const)
    it(`${kind}: never answers, and has ${acts ? '' : 'not '}acted`, () =>
      withDevice({ model: '8063' }, async (fixture) => {
        await order(fixture, 'fault', { kind });
        const asked = new Promise((resolve) => fixture.device.once('request', resolve));
        const answered = assert.rejects(fixture.sendJson(UNLOCK, { doorid: 'local' }), {
          code: 'ECONNRESET',
        });
        await asked;
        assert.equal(fixture.device.state.doors.local, acts ? 'unlocked' : 'locked');
        await fixture.device.stop();
        await answered;
      }));

  it('calls its answer something else, or answers an error', () =>
    withDevice({}, async (fixture) => {
      await order(fixture, 'fault', { kind: 'content-type', count: 1 });
      assert.equal((await fixture.sendJson(ABOUT)).headers['content-type'], 'text/html');
      assert.equal((await fixture.sendJson(ABOUT)).headers['content-type'], 'application/json');
      await order(fixture, 'fault', { kind: 'status', status: 500, count: 2 });
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push((await fixture.sendJson(ABOUT)).status);
      assert.deepEqual(statuses, [500, 500, 200]);
    }));

  it('answers slowly, and whole', () =>
    withDevice({}, async (fixture) => {
      const whole = (await fixture.sendJson(ABOUT)).text;
      await order(fixture, 'fault', { kind: 'bandwidth', bytesPerSecond: 50 });
      const answered = fixture.sendJson(ABOUT);
      let isDone = false;
      void answered.finally(() => {
        isDone = true;
      });
      let steps = 0;
      while (!isDone) {
        if (fixture.clock.pending > 0) steps += 1;
        fixture.clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.equal((await answered).text, whole);
      assert.equal(steps, Math.ceil(whole.length / 5));
    }));

  it('not-upgraded: announces an upgrade, restarts, and keeps its firmware', () =>
    withDevice({ firmware: '5.7', rebootMs: 0 }, async (fixture) => {
      const upgrade = async () =>
        JSON.parse((await fixture.sendJson('POST /api/controls/upgrade/start')).text);
      await order(fixture, 'fault', { kind: 'not-upgraded', count: 1 });
      assert.equal((await fixture.sendJson(ABOUT)).status, 200, 'the fault concerns no other request');
      const url = 'https://firmware.invalid/8301-5.8.bin';
      assert.deepEqual(await upgrade(), { status: 'upgrading 5.8', url });
      assert.equal(fixture.device.firmware, '5.7');
      assert.deepEqual(await upgrade(), { status: 'updated', url: '' });
    }));

  it('strikes by chance, the same way for the same seed', () =>
    withDevice({}, async (fixture) => {
      const statuses = async (seed: number): Promise<number[]> => {
        await order(fixture, 'clear-faults');
        await order(fixture, 'seed', { seed });
        await order(fixture, 'fault', { kind: 'status', chance: 0.5 });
        const found: number[] = [];
        for (let i = 0; i < 24; i += 1) found.push((await fixture.sendJson(ABOUT)).status);
        return found;
      };
      const first = await statuses(7);
      assert.ok(first.includes(200) && first.includes(503), String(first));
      assert.deepEqual(await statuses(7), first);
      assert.notDeepEqual(await statuses(8), first);
    }));

  it('refuses a fault that it does not understand, in a sentence', () =>
    withDevice({}, async (fixture) => {
      const cases: readonly [object, RegExp][] = [
        [{}, /^kind is missing$/],
        [{ kind: 'fire' }, /^kind must be "latency" or /],
        [{ kind: 'latency' }, /^ms is missing$/],
        [{ kind: 'half', ms: 3 }, /^ms does not belong to half$/],
        [{ kind: 'half', chance: 0 }, /^chance must be a number above 0, up to 1, not 0$/],
        [{ kind: 'half', route: 'door' }, /^route must be like/],
        [{ kind: 'latency', ms: 5, distribution: 'uniform' }, /^toMs is missing, or less than ms$/],
      ];
      for (const [given, message] of cases) await assert.rejects(order(fixture, 'fault', given), { message });
      await assert.rejects(order(fixture, 'explode'), /"explode".*\bfault, /);
      await assert.rejects(order(fixture, 'clear-faults', { id: 99 }), /there is no fault 99/);
      assert.deepEqual(fixture.device.snapshot().faults, []);
    }));
});

describe('the virtual device: what is done to it by hand', () => {
  it('has a clock that is ahead: requests of right time are refused, and door timers do not care', () =>
    withDevice({ model: '8063' }, async (fixture) => {
      await fixture.sendJson('POST /api/controls/door/munlock', { doorid: 'local', duration: '60' });
      await order(fixture, 'clock', { ahead: 120 });
      const { status, headers } = await fixture.sendJson(ABOUT);
      assert.deepEqual([status, headers.date], [403, new Date(NOON + 120_000).toUTCString()]);
      assert.equal(fixture.device.log.at(-1)?.signature?.clockDifference, -120);
      assert.equal((await fixture.sendJson(ABOUT, undefined, { now: NOON + 120_000 })).status, 200);
      fixture.clock.advance(59_000);
      assert.equal(fixture.device.state.doors.local, 'unlocked');
      fixture.clock.advance(1000);
      assert.equal(fixture.device.state.doors.local, 'locked');
    }));

  it('lets its time run faster, also for what is planned already, and says what happens', () =>
    withDevice({ model: '8063' }, async (fixture) => {
      const events: string[] = [];
      fixture.device.on('happened', (words) => events.push(words));
      await fixture.sendJson('POST /api/controls/door/munlock', { doorid: 'local', duration: '3600' });
      fixture.clock.advance(10_000);
      await order(fixture, 'speed', { factor: 60 });
      fixture.clock.advance(59_000);
      assert.deepEqual(events, []);
      fixture.clock.advance(1000);
      assert.deepEqual(events, ['local door locked again']);
      await assert.rejects(order(fixture, 'speed', { factor: 0 }), /factor must be a number from 0.1/);
    }));

  it('has another password, no API, no room, another firmware', () =>
    withDevice({}, async (fixture) => {
      await order(fixture, 'password', { password: 'new' });
      assert.equal((await fixture.sendJson(ABOUT)).status, 403);
      assert.equal((await fixture.sendJson(ABOUT, undefined, { password: 'new' })).status, 200);
      await order(fixture, 'password', { password: 'algo' });
      await order(fixture, 'api', { on: false });
      assert.equal((await fixture.sendJson(ABOUT)).status, 403);
      await order(fixture, 'api', { on: true });
      await order(fixture, 'storage', { full: true });
      const file = Buffer.from('x');
      const headers = sign('PUT', '/api/files/a', {
        now: NOON,
        body: file,
        type: 'application/octet-stream',
      });
      assert.equal((await send(fixture.address, 'PUT', '/api/files/a', headers, file)).status, 400);
      await order(fixture, 'become', { model: '8063', firmware: '5.3.4' });
      assert.deepEqual([fixture.device.model, fixture.device.firmware], ['8063', '5.3.4']);
      assert.equal((await fixture.sendJson('GET /api/info/input.relay1.status')).status, 200);
    }));

  it('can be told what the document does not say: 401 or 403, 404 or 403', () =>
    withDevice({ unauthorizedStatus: 401, apiOffStatus: 404 }, async (fixture) => {
      assert.equal((await fixture.sendJson(ABOUT, undefined, { password: 'wrong' })).status, 401);
      await order(fixture, 'api', { on: false });
      assert.equal((await fixture.sendJson(ABOUT)).status, 404);
    }));

  it('has buttons to press and inputs to close', () =>
    withDevice({ model: '8450', buttons: { help: 'emergency' } }, async (fixture) => {
      await order(fixture, 'press', { id: 'help' });
      assert.deepEqual(fixture.device.state.console, [{ type: 'emergency' }]);
      await assert.rejects(order(fixture, 'press', { id: 'nobody' }), /no button is called nobody/);
      await order(fixture, 'input', { name: 'relay1', state: 'closed' });
      assert.equal(fixture.device.state.inputs.relay1, 'active (Normally Open)');
    }));

  it('reboots for as long as it is told', () =>
    withDevice({}, async (fixture) => {
      await order(fixture, 'reboot', { seconds: 90 });
      await assert.rejects(fixture.sendJson(ABOUT), { code: 'ECONNREFUSED' });
      fixture.clock.advance(89_000);
      await assert.rejects(fixture.sendJson(ABOUT), { code: 'ECONNREFUSED' });
      const back = new Promise((resolve) => fixture.device.once('change', resolve));
      fixture.clock.advance(1000);
      await back;
      assert.equal((await fixture.sendJson(ABOUT)).status, 200);
    }));

  it('shows another certificate', () =>
    withDevice({ tls: true }, async (fixture) => {
      const fingerprint = () =>
        new Promise((resolve, reject) => {
          const { port } = new URL(fixture.address);
          const socket = connect({ port: Number(port), host: ownHost, rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().fingerprint256);
            socket.destroy();
          });
          socket.on('error', reject);
        });
      const before = await fingerprint();
      await order(fixture, 'certificate');
      assert.notEqual(await fingerprint(), before);
    }));
});
