import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';

describe('a user directory in which nothing can be kept', () => {
  let gate: FakeDevice;
  let red: RedProcess;
  let onOperation = () => {};

  before(async () => {
    gate = new FakeDevice('Gate', '8063', '5.7', () => onOperation());
    await gate.open();
    const toGate = { device: 'gate' };
    red = await RedProcess.prepare([
      gate.config(),
      { ...act('door/unlock', { ...toGate, endAfter: 0.5 }), id: 'open' },
      { ...act('relay/enable', toGate), id: 'light' },
      {
        ...{ id: 'lockdown', type: 'algo-alert', name: 'lockdown', operation: '' },
        ...{ target: 'device', ...toGate, actions: [action('door/unlock', { doorid: 'netdc1' })] },
        wires: [['receipts'], []],
      } as NodeConfig,
      {
        ...{ id: 'all-clear', type: 'change', operation: '', wires: [['lockdown']] },
        rules: [{ t: 'set', p: 'operation', pt: 'msg', to: 'clear', tot: 'str' }],
      } as NodeConfig,
    ]);
    // Where the folder should be is a file. Taking rights away would not stop a root.
    await writeFile(path.join(red.userDir, 'algo'), 'in the way');
    await red.start();
  });

  after(async () => {
    await red.clear();
    await gate.close();
  });

  const locks = () => gate.requests.filter(({ operationName: name }) => name === 'door/lock');
  const locked = (times: number) =>
    new Promise<void>((resolve) => {
      onOperation = () => {
        if (locks().length >= times) resolve();
      };
      onOperation();
    });

  it('is said once, and messages, ends and alerts go on', async () => {
    assert.deepEqual(await red.sendAndReadOutcomes('light'), ['Gate accepted']);
    assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Gate accepted']);
    await locked(1);
    assert.deepEqual(await red.sendAndReadOutcomes('lockdown'), ['Gate accepted']);
    assert.deepEqual(await red.sendAndReadOutcomes('all-clear'), ['Gate accepted']);
    assert.deepEqual(
      locks().map(({ parameters }) => parameters.doorid),
      ['local', 'netdc1'],
    );
    assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Gate accepted']);
    await locked(3);
    const warnings = red.output.split('\n').filter((line) => /\[warn\].*algo.*E(?:EXIST|NOTDIR)/.test(line));
    assert.equal(warnings.length, 1, red.output);
  });
});
