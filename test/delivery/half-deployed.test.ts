import assert from 'node:assert/strict';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';
import { Waiting } from '../fixtures/waiting';

/** What makes Node-RED stop in the middle of a deploy: what has changed is closed, and the rest runs on. */
const missing = { id: 'missing', type: 'of-no-package', z: 'tab', x: 100, y: 100, wires: [] } as NodeConfig;

describe('delivery: a deploy that is never over, since a type of node is missing', () => {
  let gate: FakeDevice;
  let hall: FakeDevice;
  let red: RedProcess;
  const waiting = new Waiting(() =>
    [gate, hall].map(({ operationNames }) => operationNames.join(' ')).join('; '),
  );
  let configs: NodeConfig[];

  beforeEach(async () => {
    gate = new FakeDevice('Gate', '8063', '5.7', waiting.look);
    hall = new FakeDevice('Hall', '8063', '5.7', waiting.look);
    await Promise.all([gate.open(), hall.open()]);
    const alert = {
      id: 'alert',
      type: 'algo-alert',
      name: 'Alert',
      operation: '',
      target: 'device',
      endAfter: 1,
    };
    configs = [
      hall.config(),
      { ...act('door/unlock', { device: hall.id, endAfter: 1 }), id: 'open' },
      {
        ...alert,
        device: hall.id,
        actions: [action('relay/enable')],
        wires: [['receipts'], []],
      } as NodeConfig,
      { ...act('door/unlock', { target: 'msg', ttl: 1 }), id: 'soon' },
      { ...act('door/lock', { target: 'msg' }), id: 'whenever' },
    ];
    red = await RedProcess.prepare([gate.config(), ...configs, ...named()]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    await Promise.all([gate.close(), hall.close()]);
  });

  /** Messages that name the device, which the deploy closes. */
  function named(): NodeConfig[] {
    const rules = [{ t: 'set', p: 'device', pt: 'msg', to: 'Gate', tot: 'str' }];
    return ['soon', 'whenever'].map(
      (id) => ({ id: `name-${id}`, type: 'change', operation: '', rules, wires: [[id]] }) as NodeConfig,
    );
  }

  const waitForOperations = (device: FakeDevice, operationNames: readonly string[]) =>
    waiting.until(`${device.name} has heard ${operationNames}`, () =>
      operationNames.every((one) => device.operationNames.includes(one)),
    );

  it('ends what was begun before it, and what is begun meanwhile', async () => {
    await red.sendAndReadOutcomes('open');
    await red.deploy([gate.config(), ...configs, ...named(), missing]);
    await waitForOperations(hall, ['door/unlock', 'door/lock']);
    hall.requests.length = 0;
    assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Hall accepted']);
    assert.deepEqual(await red.sendAndReadOutcomes('alert'), ['Hall accepted']);
    await waitForOperations(hall, ['door/unlock', 'door/lock', 'relay/enable', 'relay/disable']);
  });

  it('lets no message wait for longer than it may, and none for ever', async () => {
    await red.deploy([gate.config({ timeout: '9' }), ...configs, ...named(), missing]);
    const endings = [red.sendAndReadOutcomes('name-soon'), red.sendAndReadOutcomes('name-whenever')];
    assert.deepEqual(await Promise.all(endings), [['Gate expired'], ['Gate failed']]);
    await red.deploy([gate.config({ timeout: '9' }), ...configs, ...named()]);
    assert.deepEqual(await red.sendAndReadOutcomes('name-whenever'), ['Gate accepted']);
    assert.deepEqual(gate.operationNames, ['door/lock']);
  });
});
