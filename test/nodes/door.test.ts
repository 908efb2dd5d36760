import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import helper from 'node-red-node-test-helper';
import type { Receipt } from '../../src/runtime/receipt';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, type NodeConfig, startFlow, statusesOf, stopFlow } from './flow';

/** Node-RED's log level for errors. */
const errorLevel = 20;

/** A door node as the editor stores it. */
function door(
  operation: string,
  form: Record<string, unknown>,
  more: Record<string, unknown> = {},
): NodeConfig {
  return { id: 'door', type: 'algo-door', target: 'device', device: 'gate', operation, form, ...more };
}

const local = { doorid: { type: 'str', value: 'local' } };
const fiveSeconds = { ...local, duration: { type: 'str', value: '5' } };

function only(receipts: readonly Receipt[] | undefined): Receipt {
  assert.equal(receipts?.length, 1);
  const [receipt] = receipts;
  assert.ok(receipt);
  return receipt;
}

describe('algo-door', () => {
  let device: VirtualDevice;
  let gate: NodeConfig;
  const credentials = { gate: { password: 'secret' } };

  beforeEach(async () => {
    device = new VirtualDevice({ model: '8063', firmware: '5.7', password: 'secret' });
    gate = { id: 'gate', type: 'algo-device', name: 'Gate', address: await device.start() };
  });

  afterEach(async () => {
    await stopFlow();
    await device.stop();
  });

  /** What the device was asked to do with its doors. */
  const deeds = () => device.log.map(({ path }) => path).filter((path) => path.includes('/door/'));

  it('unlocks the door, hands the message on unchanged and adds a receipt', async () => {
    await startFlow([gate, door('unlock', local)], credentials);
    const { sent, caught } = await ask('door', { payload: 'ding dong', topic: 'bell' });
    assert.equal(caught.length, 0);
    assert.equal(sent.length, 1);
    assert.equal(sent[0]?.payload, 'ding dong');
    assert.equal(sent[0]?.topic, 'bell');
    const { latencyMs, at, ...rest } = only(sent[0]?.receipts);
    assert.deepEqual(rest, {
      device: 'Gate',
      address: gate.address,
      operation: 'door/unlock',
      outcome: 'accepted',
      attempts: 1,
      statusCode: 200,
    });
    assert.ok(latencyMs >= 0);
    assert.equal(new Date(at).toISOString(), at);
    assert.deepEqual(deeds(), ['/api/controls/door/unlock']);
  });

  it('replaces receipts that an earlier node left', async () => {
    await startFlow([gate, door('lock', local)], credentials);
    const { sent } = await ask('door', { receipts: [{ device: 'old' }, { device: 'older' }] });
    assert.equal(only(sent[0]?.receipts).operation, 'door/lock');
  });

  it('takes all parameters from msg.payload when told to', async () => {
    await startFlow(
      [gate, door('munlock', {}, { parametersType: 'msg', parameters: 'payload' })],
      credentials,
    );
    const { sent } = await ask('door', { payload: { doorid: 'local', duration: 7 } });
    assert.equal(only(sent[0]?.receipts).outcome, 'accepted');
    assert.deepEqual(device.log.at(-1)?.parameters, { doorid: 'local', duration: '7' });
  });

  it('takes the operation from the message when told to', async () => {
    await startFlow([gate, door('msg', {}, { parametersType: 'msg', parameters: 'payload' })], credentials);
    const { sent } = await ask('door', { operation: 'lock', payload: { doorid: 'netdc1' } });
    assert.equal(only(sent[0]?.receipts).operation, 'door/lock');
    const { caught } = await ask('door', { payload: { doorid: 'netdc1' } });
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(String(caught[0]?.error?.message), /msg\.operation.*lock, unlock, munlock/);
  });

  it('names what came instead of an operation, with a status that stays short', async () => {
    await startFlow([gate, door('msg', {}, { parametersType: 'msg', parameters: 'payload' })], credentials);
    const { caught } = await ask('door', { operation: 42, payload: local });
    assert.match(String(caught[0]?.error?.message), /got the number 42/);
    await ask('door', { operation: 'a'.repeat(1000) });
    const sending = statusesOf('door').filter(({ text }) => text === 'status.sending');
    assert.equal(sending.length, 2);
  });

  it('ends a message that cannot carry receipts with an error, under a red ring', async () => {
    await startFlow([gate, door('lock', local)], credentials);
    const { sent, caught } = await ask('door', Object.freeze({ _msgid: 'frozen' }));
    assert.equal(sent.length, 0);
    assert.equal(caught.length, 1);
    assert.equal(statusesOf('door').at(-1)?.fill, 'red');
  });

  it('takes no operation from the message for a form', async () => {
    await startFlow([gate, door('msg', local)], credentials);
    const { caught } = await ask('door', { operation: 'lock' });
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(String(caught[0]?.error?.message), /a form belongs to one operation/);
    assert.equal(device.log.length, 0);
  });

  it('names what was to be done in the error of a device that cannot be used', async () => {
    await startFlow([gate, door('lock', local), door('unlock', local, { id: 'lost', device: 'gone' })]);
    for (const [id, deed] of [
      ['door', 'door/lock: '],
      ['lost', 'door/unlock: '],
    ] as const) {
      const { caught } = await ask(id);
      const { error } = only(caught[0]?.receipts);
      assert.ok(error?.message.startsWith(deed), error?.message);
      assert.ok(String(caught[0]?.error?.message).includes(deed));
    }
  });

  it('refuses a misspelt parameter, and nothing is on the wire', async () => {
    await startFlow(
      [gate, door('munlock', { ...local, durration: { type: 'num', value: '5' } })],
      credentials,
    );
    const { sent, caught } = await ask('door', { payload: 'kept' });
    assert.equal(sent.length, 0);
    assert.equal(caught.length, 1);
    assert.equal(caught[0]?.payload, 'kept');
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(String(caught[0]?.error?.message), /durration/);
    const receipt = only(caught[0]?.receipts);
    assert.equal(receipt.attempts, 0);
    assert.equal(receipt.outcome, 'failed');
    assert.equal(device.log.length, 0);
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
    assert.match(String(caught[0]?.error?.message), /2 devices are named "Gate"/);
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
    const old = new VirtualDevice({ model: '8063', firmware: '5.4', password: 'secret' });
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

  it('keeps its status under 20 characters and green only after a success', async () => {
    await startFlow([gate, door('munlock', fiveSeconds)], credentials);
    await ask('door');
    const shown = statusesOf('door').map(({ fill, text }) => [fill, text]);
    assert.deepEqual(shown, [
      ['blue', 'status.sending'],
      ['green', 'status.accepted'],
    ]);
  });
});

describe('algo-door at a device that takes a request and never answers', () => {
  let server: Server;
  let address: string;
  let requests: string[];
  let arrived: Promise<unknown>;

  beforeEach(async () => {
    requests = [];
    server = createServer((request: IncomingMessage) => {
      requests.push(String(request.url));
      server.emit('arrived');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    arrived = once(server, 'arrived');
  });

  afterEach(async () => {
    await stopFlow();
    server.closeAllConnections();
    server.close();
  });

  const silent = (more: Record<string, unknown>): NodeConfig => ({
    id: 'gate',
    type: 'algo-device',
    name: 'Gate',
    address,
    auth: 'none',
    letDeviceDecide: true,
    ...more,
  });

  it('says that a momentary unlock may have happened, and does not send it again', async () => {
    await startFlow([silent({ timeout: '0.2' }), door('munlock', fiveSeconds)]);
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'TIMEOUT');
    const receipt = only(caught[0]?.receipts);
    assert.equal(receipt.outcome, 'unknown');
    assert.equal(receipt.attempts, 1);
    assert.deepEqual(requests, ['/api/controls/door/munlock']);
  });

  it('ends a message that is under way at a full deploy, and says so in the log', async () => {
    await startFlow([silent({}), door('munlock', fiveSeconds)]);
    helper.getNode('door').receive({ payload: 1 } as never);
    await arrived;
    const { status } = helper.getNode('door') as unknown as { status: { lastCall: { args: unknown[] } } };
    await helper.setFlows([{ id: 'empty', type: 'tab' }], 'full');
    const errors = helper
      .log()
      .args.map(([entry]) => entry as { level: number; msg?: unknown })
      .filter(({ level }) => level === errorLevel);
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]?.msg), /algo-door:door.*door\/munlock.*canceled; it may have been done/);
    assert.deepEqual(status.lastCall.args, [{}]);
  });
});
