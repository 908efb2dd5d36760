import assert from 'node:assert/strict';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';

/** What has been started there and not been ended. */
function litAt({ requests: heard }: FakeDevice): string[] {
  const lit = new Set<string>();
  for (const { operationName: name } of heard) {
    const [deviceOutput = '', what] = name.split('/');
    if (what === 'start' || what === 'enable') lit.add(deviceOutput);
    if (what === 'stop' || what === 'disable') lit.delete(deviceOutput);
  }
  return [...lit];
}

describe('alerts and the end of Node-RED', () => {
  let devices: FakeDevice[];
  let red: RedProcess;
  const waiting = new Waiting(() => devices.map(({ operationNames: heard }) => heard.join(' ')).join('; '));

  const alert = (id: string, more: Record<string, unknown> = {}) =>
    ({
      id,
      type: 'algo-alert',
      name: id,
      operation: '',
      target: 'group',
      group: 'all',
      actions,
      wires: [['receipts'], []],
      ...more,
    }) as NodeConfig;
  const several = (...targets: string[]) => ({ target: 'several', targets });
  const actions = [action('strobe/start'), action('screen/text-start'), action('relay/enable')];
  /** Tells an alert to clear itself: the web address only starts. */
  const toClear = (id: string) =>
    ({
      id: `clear-${id}`,
      type: 'change',
      operation: '',
      rules: [{ t: 'set', p: 'operation', pt: 'msg', to: 'clear', tot: 'str' }],
      wires: [[id]],
    }) as NodeConfig;

  beforeEach(async () => {
    devices = [
      new FakeDevice('Wall', '8410', '5.7', waiting.look),
      new FakeDevice('Gate', '8063', '5.7', waiting.look),
    ];
    for (const device of devices) await device.open();
    red = await RedProcess.prepare([
      ...devices.map((device) => device.config()),
      { id: 'all', type: 'algo-group', name: 'All', devices: devices.map(({ id }) => id) },
      alert('lockdown'),
      toClear('lockdown'),
      alert('short', { endAfter: 1_800 }),
      alert('forgotten', { afterRestart: 'clear' }),
      alert('ticked', several(...devices.slice(0, 1).map(({ id }) => id))),
      toClear('ticked'),
    ]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    for (const device of devices) {
      device.releaseAll();
      await device.close();
    }
  });

  const lit = () => devices.flatMap(litAt);
  const dark = () => waiting.until('all is off', () => lit().length === 0);

  it('stays on over a restart, sends nothing again, and ends exactly what it started', async () => {
    await red.sendAndReadOutcomes('lockdown');
    await red.stop('SIGKILL');
    await red.start();
    const before = devices.map(({ operationNames: heard }) => heard.length);
    assert.deepEqual(await red.sendAndReadOutcomes('clear-lockdown'), [
      'Wall accepted',
      'Wall accepted',
      'Gate accepted',
    ]);
    assert.deepEqual(
      devices.map(({ operationNames: heard }, index) => heard.slice(before[index])),
      [['screen-text/stop', 'strobe/stop'], ['relay/disable']],
    );
    assert.deepEqual(lit(), []);
  });

  it('tells the end of a start only after the journal has the answers, so that a restart sends nothing again', async () => {
    await red.stop('SIGTERM');
    // The first two steps are the write of the start, and the third one begins the write of its answers.
    await red.start('kill-at-step', { ALGO_KILL_AT_STEP: '3', ALGO_SLOW_DISK_MS: '500' });
    await red.sendAndReadOutcomes('ticked');
    await red.sendAndReadOutcomes('clear-ticked');
    red.signal('SIGWINCH');
    await red.waitForOutput(/armed/);
    const outcomes = await red.sendAndReadOutcomes('ticked').catch(() => 'killed');
    assert.equal(outcomes, 'killed');
    await red.ended;
  });

  it('is cleared by a restart without its node, and without any other', async () => {
    await red.sendAndReadOutcomes('lockdown');
    await red.stop('SIGKILL');
    await red.rewrite(devices.map((device) => device.config()));
    await red.start();
    await dark();
  });

  it('ends after a restart what was ticked when it started, whatever is ticked by then', async () => {
    const [wall, gate] = devices;
    assert.ok(wall && gate);
    await red.sendAndReadOutcomes('ticked');
    await red.stop('SIGKILL');
    await red.rewrite([
      ...devices.map((device) => device.config()),
      alert('ticked', several(gate.id)),
      toClear('ticked'),
    ]);
    await red.start();
    assert.deepEqual(await red.sendAndReadOutcomes('clear-ticked'), ['Wall accepted', 'Wall accepted']);
    assert.deepEqual([lit(), gate.operationNames], [[], []]);
  });

  it('clears at a restart what is to be cleared then', async () => {
    await red.sendAndReadOutcomes('forgotten');
    await red.stop('SIGTERM');
    assert.equal(lit().length, 3);
    await red.start();
    await dark();
  });

  it('ends after a restart what should have ended meanwhile', async () => {
    await red.sendAndReadOutcomes('short');
    await red.stop('SIGKILL');
    assert.equal(lit().length, 3);
    await red.start('clock-hour-ahead');
    await dark();
  });

  it('clears a device that was away for the clear and for the restart', async () => {
    await red.sendAndReadOutcomes('lockdown');
    await devices[0]?.close();
    assert.deepEqual(await red.sendAndReadOutcomes('clear-lockdown'), [
      'Wall failed',
      'Wall failed',
      'Gate accepted',
    ]);
    await red.stop('SIGKILL');
    await red.start();
    await devices[0]?.open();
    await dark();
  });
});
