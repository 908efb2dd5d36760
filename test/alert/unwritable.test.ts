import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';
import { Waiting } from '../fixtures/waiting';

describe('an alert whose journal can be read, but not written', () => {
  let gate: FakeDevice;
  let red: RedProcess;
  const waiting = new Waiting(() => gate.operationNames.join(' '));
  const onTab = { z: 'tab', x: 100, y: 100 };

  beforeEach(async () => {
    gate = new FakeDevice('Gate', '8063', '5.7', waiting.look);
    await gate.open();
    const toGate = { device: 'gate' };
    red = await RedProcess.prepare([
      gate.config(),
      { ...act('door/unlock', { ...toGate, endAfter: 2 }), id: 'open' },
      {
        ...{ id: 'lockdown', type: 'algo-alert', name: 'lockdown', operation: '' },
        ...{ target: 'device', ...toGate, actions: [action('relay/enable')] },
        wires: [['receipts'], []],
      } as NodeConfig,
      {
        ...{ id: 'all-clear', type: 'change', operation: '', wires: [['lockdown']] },
        rules: [{ t: 'set', p: 'operation', pt: 'msg', to: 'clear', tot: 'str' }],
      } as NodeConfig,
      { ...onTab, id: 'status', type: 'status', scope: ['lockdown'], wires: [['log']] } as NodeConfig,
      {
        ...{ ...onTab, id: 'log', type: 'function', outputs: 0, wires: [] },
        func: "node.warn('STATUS ' + msg.status.text + ' END');",
      } as NodeConfig,
    ]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    await gate.close();
  });

  /** Writes the name of this process into the lock, as a second Node-RED with the same user directory would. */
  async function lockByOther(lock: string): Promise<void> {
    const stat = await readFile('/proc/self/stat', 'utf8');
    const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const holder = { ...JSON.parse(await readFile(lock, 'utf8')), pid: process.pid, began };
    await writeFile(lock, JSON.stringify(holder));
  }

  /** A folder in the place of the lock. Taking rights away would not stop a root. */
  async function lockByFolder(lock: string): Promise<void> {
    await rm(lock);
    await mkdir(lock);
  }

  for (const [where, makeUnwritable] of [
    ['another process has it', lockByOther],
    ['nothing can be written there', lockByFolder],
  ] as const)
    it(`is known after a restart, can be cleared, and says so, if ${where}`, async () => {
      assert.deepEqual(await red.sendAndReadOutcomes('lockdown'), ['Gate accepted']);
      assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Gate accepted']);
      await red.stop('SIGKILL');
      const folder = path.join(red.userDir, 'algo');
      const kept = await readFile(path.join(folder, 'journal.jsonl'), 'utf8');
      await makeUnwritable(path.join(folder, 'lock'));

      await red.start();
      await red.waitForOutput(/STATUS on 1\/1, not saved END/);
      await waiting.until('the door is locked', () => gate.operationNames.includes('door/lock'));
      assert.deepEqual(await red.sendAndReadOutcomes('all-clear'), ['Gate accepted']);
      assert.ok(gate.operationNames.includes('relay/disable'));
      await red.waitForOutput(/STATUS idle, not saved END/);
      assert.deepEqual(await red.sendAndReadOutcomes('lockdown'), ['Gate accepted']);
      const warnings = red.output.split('\n').filter((line) => line.includes('[warn] [algo'));
      assert.equal(warnings.length, 1, red.output);
      assert.match(warnings[0] ?? '', /cannot be used: .* kept in memory only/);
      assert.equal(await readFile(path.join(folder, 'journal.jsonl'), 'utf8'), kept);
    });

  it('is not cleared by a process that begins while another one has it', async () => {
    assert.deepEqual(await red.sendAndReadOutcomes('lockdown'), ['Gate accepted']);
    assert.deepEqual(await red.sendAndReadOutcomes('open'), ['Gate accepted']);
    await red.stop('SIGKILL');
    await lockByOther(path.join(red.userDir, 'algo', 'lock'));
    const file = path.join(red.userDir, 'flows.json');
    const flow = JSON.parse(await readFile(file, 'utf8')) as NodeConfig[];
    const changed = flow.map((node) => (node.id === 'lockdown' ? { ...node, afterRestart: 'clear' } : node));
    await writeFile(file, JSON.stringify(changed));

    await red.start();
    // Each process that knows of the door closes it after its time.
    await waiting.until('the door is locked', () => gate.operationNames.includes('door/lock'));
    assert.ok(!gate.operationNames.includes('relay/disable'));
    await red.stop('SIGKILL');
    await writeFile(file, JSON.stringify(flow.filter(({ id }) => id !== 'lockdown' && id !== 'all-clear')));
    const count = gate.operationNames.length;
    await red.start();
    await waiting.until('the door is locked', () => gate.operationNames.length > count);
    assert.ok(!gate.operationNames.includes('relay/disable'));
  });
});
