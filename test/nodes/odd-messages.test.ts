import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, type NodeConfig, startFlow, statusesOf, stopFlow } from '../fixtures/flow';
import { wordingIn } from '../fixtures/wording';
import { door, local, only } from './door';

describe('algo-door and odd messages', () => {
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

  it('names what came instead of an operation', async () => {
    await startFlow([gate, door('msg', {}, { parametersType: 'msg', parameters: 'payload' })], credentials);
    const { caught } = await ask('door', { operation: 42, payload: local });
    assert.match(String(caught[0]?.error?.message), /got the number 42/);
    const none = await ask('door', { payload: local });
    assert.equal(none.caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(
      String(none.caught[0]?.error?.message),
      /msg\.operation must be one of .*\block, .*\bmunlock\b/,
    );
    await ask('door', { operation: 'a'.repeat(1000) });
    assert.match(
      String(statusesOf('door').at(-1)?.text),
      wordingIn('reasons:notAnOperation', { place: 'msg.operation' }),
    );
  });

  it('ends a message that cannot carry receipts with an error, under a red ring', async () => {
    await startFlow([gate, door('lock', local)], credentials);
    const { sent, caught } = await ask('door', Object.freeze({ _msgid: 'frozen' }));
    assert.equal(sent.length, 0);
    assert.equal(caught.length, 1);
    assert.equal(caught[0]?.error?.code, 'PROTOCOL');
    assert.match(
      String(caught[0]?.error?.message),
      /the message cannot carry its receipts: door\/lock; the outcome is accepted/,
    );
    assert.equal(statusesOf('door').at(-1)?.fill, 'red');
  });

  it('gives a failure its code, also where the message cannot carry receipts', async () => {
    await startFlow([door('lock', local, { device: 'gone' })]);
    const { caught } = await ask('door', Object.freeze({ _msgid: 'frozen' }));
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
  });

  it('ends what nothing is sent for without a line of its own in the log, and counts it', async () => {
    const several = door('lock', {}, { target: 'msg' });
    await startFlow([gate, { ...gate, id: 'back', name: 'Back' }, several], credentials);
    const { receipts = [] } = (await ask('door', { device: ['Gate', 'Back', 'Gone'] })).caught[0] ?? {};
    assert.deepEqual(
      receipts.map(({ outcome }) => outcome),
      ['failed', 'failed', 'failed'],
    );
    const entries = helper.log().args.map(([entry]) => entry as { level: number; msg?: unknown });
    const lines = entries.filter(({ level }) => level === 20).map(({ msg }) => String(msg));
    assert.deepEqual(lines, []);
    const texts = statusesOf('door').map(({ text }) => String(text).replace(/ .*/, ''));
    assert.deepEqual(texts, ['status.sending', 'status.underWay', 'status.several']);
  });

  it('survives what a getter throws, whatever that is', async () => {
    await startFlow([gate, door('msg', {}, { parametersType: 'msg', parameters: 'payload' })], credentials);
    for (const thrown of [Object.create(null), undefined, Symbol('odd'), { toString: null }]) {
      const message = Object.defineProperty({ _msgid: 'odd' }, 'operation', {
        get() {
          throw thrown;
        },
      });
      const { caught } = await ask('door', message);
      assert.equal(caught.length, 1);
      assert.equal(caught[0]?.error?.code, 'PROTOCOL');
    }
  });

  const readers: NodeConfig[] = [
    door('msg', {}, { parametersType: 'msg', parameters: 'payload' }),
    { id: 'door', type: 'algo-relay-input', operation: '', device: 'gate', input: 'relay', edge: 'rising' },
    {
      id: 'door',
      type: 'algo-alert',
      operation: '',
      name: 'Lockdown',
      target: 'device',
      device: 'gate',
      actions: [],
    },
  ];
  for (const node of readers) {
    it(`ends a message that throws what cannot even be asked what it is: ${node.type}`, async () => {
      await startFlow([gate, node], credentials);
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      const message = Object.defineProperty({ _msgid: 'odd' }, 'operation', {
        get() {
          throw proxy;
        },
      });
      const { caught } = await ask('door', message);
      assert.equal(caught[0]?.error?.code, 'PROTOCOL');
    });
  }

  const unusable: NodeConfig[] = [
    door('lock', local, { device: '' }),
    { id: 'door', type: 'algo-status', operation: '', device: '' },
    { id: 'door', type: 'algo-virtual', operation: 'no such command', virtual: '' },
  ];
  for (const node of unusable) {
    it(`survives a message that Node-RED cannot copy for a Catch node: ${node.type}`, () => survives(node));
  }

  async function survives(node: NodeConfig): Promise<void> {
    await startFlow([node]);
    const payload = Object.defineProperty({}, 'trap', {
      enumerable: true,
      get() {
        throw new Error('no copy of this');
      },
    });
    helper.getNode('door').receive({ payload } as never);
    const logged = () => JSON.stringify(helper.log().args).includes('no copy of this');
    for (let turn = 0; turn < 1000 && !logged(); turn++) await new Promise(setImmediate);
    assert.ok(logged(), 'nothing was logged');
  }

  it('names a variable that is not set instead of the device', async () => {
    await startFlow([door('lock', local, { device: '${ALGO_NO_SUCH}' })]);
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    assert.match(
      String(caught[0]?.error?.message),
      wordingIn('reasons:unsetDevice', { variable: '${ALGO_NO_SUCH}' }),
    );
  });

  it('takes no operation from the message for a form', async () => {
    await startFlow([gate, door('msg', local)], credentials);
    const { caught } = await ask('door', { operation: 'lock' });
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(String(caught[0]?.error?.message), wordingIn('reasons:formOfAnother'));
    assert.equal(device.log.length, 0);
  });

  it('names what was to be done in the error of a device that cannot be used', async () => {
    await startFlow([gate, door('lock', local), door('unlock', local, { id: 'lost', device: 'gone' })]);
    for (const [id, operationName] of [
      ['door', ': door/lock'],
      ['lost', ': door/unlock'],
    ] as const) {
      const { caught } = await ask(id);
      const { error } = only(caught[0]?.receipts);
      assert.ok(error?.message.startsWith(`${error.reason}${operationName}`), error?.message);
      assert.ok(String(caught[0]?.error?.message).includes(operationName));
    }
  });
});
