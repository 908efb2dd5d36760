import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';

describe('a disk that hangs', () => {
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
      { ...act('relay/enable', { ...toGate, endAfter: 3_600 }), id: 'light' },
      {
        ...{ id: 'lockdown', type: 'algo-alert', name: 'lockdown', operation: '' },
        ...{ target: 'device', ...toGate, actions: [action('door/unlock', { doorid: 'netdc1' })] },
        wires: [['receipts'], []],
      } as NodeConfig,
    ]);
  });

  after(async () => {
    await red.clear();
    await gate.close();
  });

  const heard = (name: string) =>
    new Promise<void>((resolve) => {
      onOperation = () => {
        if (gate.operationNames.includes(name)) resolve();
      };
      onOperation();
    });
  const kept = () => readFile(path.join(red.userDir, 'algo', 'journal.jsonl'), 'utf8').catch(() => '');

  it('keeps no start waiting, is said once, and has all of it when it answers', async () => {
    await red.start('hang-disk');
    red.signal('SIGWINCH');
    await red.waitForOutput(/the disk hangs/);
    assert.deepEqual(await red.sendAndReadOutcomes('lockdown'), ['Gate accepted']);
    assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Gate accepted']);
    assert.deepEqual(await red.sendAndReadOutcomes('light'), ['Gate accepted']);
    await heard('door/lock');
    assert.equal(await kept(), '');
    const warnings = red.output.split('\n').filter((line) => line.includes('[warn] [algo'));
    assert.equal(warnings.length, 1, red.output);
    assert.match(warnings[0] ?? '', /journal\.jsonl/);
    red.signal('SIGWINCH');
    while (!/"end\/gate\/relay/.test(await kept())) await new Promise(setImmediate);
    assert.match(await kept(), /"alert\/is\/lockdown"/);
    assert.doesNotMatch(red.output, /synchronous (?!existsSync)/);
  });

  it('has no synchronous calls after the start either where there is a journal from before', async () => {
    await red.stop();
    await red.start('hang-disk');
    const calls = red.output.match(/synchronous \w+/g)?.length;
    assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Gate accepted']);
    assert.equal(red.output.match(/synchronous \w+/g)?.length, calls, red.output);
  });
});
