import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, type NodeConfig, startFlow, statusesOf, stopFlow } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';
import { wordingIn } from '../fixtures/wording';
import { door, fiveSeconds, local, only } from './door';

describe('algo-door', () => {
  let device: VirtualDevice;
  let gate: NodeConfig;
  const credentials = { gate: { password: 'secret' } };

  beforeEach(async () => {
    device = new VirtualDevice({ model: '8063', firmware: '5.7', password: 'secret', host: ownHost });
    gate = { id: 'gate', type: 'algo-device', name: 'Gate', address: await device.start() };
  });

  afterEach(async () => {
    await stopFlow();
    await device.stop();
  });

  /** What the device was asked to do with its doors. */
  const requests = () => device.log.map(({ path }) => path).filter((path) => path.includes('/door/'));

  it('unlocks the door, hands the message on unchanged and adds a receipt', async () => {
    await startFlow([gate, door('unlock', local)], credentials);
    const { sent, caught } = await ask('door', { payload: 'ding dong', topic: 'bell' });
    assert.equal(caught.length, 0);
    assert.equal(sent.length, 1);
    assert.equal(sent[0]?.payload, 'ding dong');
    assert.equal(sent[0]?.topic, 'bell');
    const { latencyMs, wireMs = -1, at, ...rest } = only(sent[0]?.receipts);
    assert.deepEqual(rest, {
      device: 'Gate',
      address: gate.address,
      operation: 'door/unlock',
      outcome: 'accepted',
      attempts: 1,
      statusCode: 200,
    });
    assert.ok(wireMs >= 0 && latencyMs >= wireMs, `${latencyMs}, ${wireMs}`);
    assert.equal(new Date(at).toISOString(), at);
    assert.deepEqual(requests(), ['/api/controls/door/unlock']);
  });

  it('replaces receipts that an earlier node left', async () => {
    await startFlow([gate, door('lock', local)], credentials);
    const { sent } = await ask('door', { receipts: [{ device: 'old' }, { device: 'older' }] });
    assert.equal(only(sent[0]?.receipts).operation, 'door/lock');
  });

  it('says NOT_CONFIGURED for each message when no device is chosen, under a red ring', async () => {
    await startFlow([door('lock', local, { device: '' })]);
    assert.deepEqual(statusesOf('door').at(-1), {
      fill: 'red',
      shape: 'ring',
      text: 'status.NOT_CONFIGURED',
    });
    for (let time = 0; time < 2; time++) {
      const { sent, caught } = await ask('door');
      assert.equal(sent.length, 0);
      assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
      assert.equal(only(caught[0]?.receipts).error?.code, 'NOT_CONFIGURED');
    }
  });

  it('says that passwords do not travel with flows when there is none', async () => {
    await startFlow([gate, door('lock', local)]);
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    assert.match(String(caught[0]?.error?.message), /export/);
    assert.equal(device.log.length, 0);
  });

  it('gives one error and one receipt while the device is down, and the message stays on it', async () => {
    await startFlow([gate, door('unlock', local)], credentials);
    await device.stop();
    const { sent, caught } = await ask('door', { payload: { ticket: 17 } });
    assert.equal(sent.length, 0);
    assert.equal(caught.length, 1);
    assert.deepEqual(caught[0]?.payload, { ticket: 17 });
    assert.equal(caught[0]?.error?.code, 'UNREACHABLE');
    assert.equal(only(caught[0]?.receipts).outcome, 'failed');
  });

  it('finds its devices by name, tag and list; each once, an unknown one with a receipt of its own', async () => {
    const back = { ...gate, id: 'back', name: 'Back door', tags: 'yard, night' };
    await startFlow([gate, back, door('lock', local, { target: 'msg' })], {
      ...credentials,
      back: { password: 'secret' },
    });
    const one = await ask('door', { device: 'Back door' });
    assert.equal(only(one.sent[0]?.receipts).device, 'Back door');
    const { sent, caught } = await ask('door', { device: ['Gate', 'tag:night', 'back', 'Nowhere'] });
    assert.deepEqual(
      sent[0]?.receipts?.map(({ device: name, outcome }) => [name, outcome]),
      [
        ['Gate', 'accepted'],
        ['Back door', 'accepted'],
        ['Nowhere', 'failed'],
      ],
    );
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    const none = await ask('door');
    assert.equal(only(none.caught[0]?.receipts).error?.code, 'NOT_CONFIGURED');
  });

  it('does not guess between two devices of one name', async () => {
    await startFlow([gate, { ...gate, id: 'twin' }, door('lock', local, { target: 'msg' })], credentials);
    const { caught } = await ask('door', { device: 'Gate' });
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    assert.match(String(caught[0]?.error?.message), /2 devices have this name: door\/lock at "Gate"/);
  });

  it('skips a model without doors, and says which models have them', async () => {
    await startFlow([{ ...gate, model: '8301' }, door('unlock', local)], credentials);
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'NOT_SUPPORTED');
    assert.match(String(caught[0]?.error?.message), /8301.*8039, 8028, 8201, 8063/);
    assert.equal(only(caught[0]?.receipts).outcome, 'skipped');
    assert.equal(device.log.length, 0);
  });

  it('reads the firmware from the device and refuses what it is too old for', async () => {
    const old = new VirtualDevice({ model: '8063', firmware: '5.4', password: 'secret', host: ownHost });
    await startFlow([{ ...gate, address: await old.start() }, door('munlock', fiveSeconds)], credentials);
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'NOT_SUPPORTED');
    assert.match(String(caught[0]?.error?.message), /5\.5.*5\.4/);
    assert.equal(only(caught[0]?.receipts).outcome, 'failed');
    assert.deepEqual(
      old.log.map(({ path }) => path),
      ['/api/info/about'],
    );
    await old.stop();
  });

  it('locks without asking who the device is', async () => {
    await startFlow([gate, door('lock', local)], credentials);
    await ask('door');
    assert.deepEqual(
      device.log.map(({ path }) => path),
      ['/api/controls/door/lock'],
    );
  });

  it('says under the node which parameter is wrong', async () => {
    const soon = { ...local, duration: { type: 'str', value: 'soon' } };
    await startFlow([gate, door('munlock', soon)], credentials);
    await ask('door');
    assert.match(String(statusesOf('door').at(-1)?.text), wordingIn('phrases:mustBe', { place: 'duration' }));
    await stopFlow();
    await startFlow([gate, door('munlock', local, { ttl: 'soon' })], credentials);
    await ask('door');
    assert.match(String(statusesOf('door').at(-1)?.text), wordingIn('phrases:mustBe', { place: 'ttl' }));
  });

  it('shows what is under way, and green only after a success', async () => {
    await startFlow([gate, door('munlock', fiveSeconds)], credentials);
    await ask('door');
    const shown = statusesOf('door').map(({ fill, text }) => [fill, text?.split(' ')[0]]);
    assert.deepEqual(shown, [
      ['blue', 'status.sending'],
      ['green', 'status.accepted'],
    ]);
  });
});
