import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertReport } from '../../src/runtime/alert/reports';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';

describe('the report of a drill in a process that is killed', () => {
  let devices: FakeDevice[];
  let red: RedProcess;
  const waiting = new Waiting(() => devices.map(({ operationNames: heard }) => heard.join(' ')).join('; '));
  const set = (property: string, to: string, type = 'str') => ({
    ...{ t: 'set', p: property, pt: 'msg', to, tot: type },
  });
  const sends = (id: string, ...rules: object[]) =>
    ({ id, type: 'change', operation: '', rules, wires: [['drill']] }) as NodeConfig;

  beforeEach(async () => {
    const named = [
      ['Wall', '8410'],
      ['Gate', '8410'],
      ['Yard', '8410'],
    ] as const;
    devices = named.map(([name, model]) => new FakeDevice(name, model, '5.7', waiting.look));
    for (const device of devices) await device.open();
    const actions = [action('strobe/start'), action('tone/start')];
    red = await RedProcess.prepare([
      ...devices.map((device) => device.config()),
      { id: 'all', type: 'algo-group', name: 'All', devices: devices.map(({ id }) => id) },
      {
        ...{
          id: 'drill',
          type: 'algo-alert',
          name: 'Lockdown',
          operation: '',
          target: 'group',
          group: 'all',
        },
        ...{ actions, wires: [['answers'], []] },
      },
      sends('start', set('by', 'Ms Lee'), set('drill', 'true', 'bool')),
      sends('acknowledge', set('operation', 'acknowledge'), set('by', 'Mr Rao'), set('answer', 'safe')),
      sends('clear', set('operation', 'clear'), set('by', 'Dr Eze')),
      sends('report', set('operation', 'report')),
      {
        ...{ id: 'answers', type: 'function', outputs: 1, wires: [['receipts']] },
        func: "if (msg.operation === 'report') msg.receipts = msg.payload; return msg;",
      },
    ] as NodeConfig[]);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    for (const device of devices) {
      device.releaseAll();
      await device.close();
    }
  });

  const reports = () => red.ask<AlertReport>('report');
  const short = ({ missed }: AlertReport) =>
    missed.map(({ device, operation, outcome, code }) => [device, operation, outcome, code].join(' '));

  /** Resolves when the journal holds this. */
  async function isWritten(words: RegExp): Promise<void> {
    const file = path.join(red.userDir, 'algo', 'journal.jsonl');
    while (!words.test(await readFile(file, 'utf8').catch(() => ''))) await sleep(20);
  }

  it('is kept, half way through the start, with what came of it', async () => {
    const [wall, gate, yard] = devices as [FakeDevice, FakeDevice, FakeDevice];
    wall.behavior = ({ operationName }) => (operationName === 'tone/start' ? 'hold' : 200);
    yard.behavior = ({ operationName }) => (operationName === 'tone/start' ? 404 : 200);
    const started = red.ask('start').catch(() => undefined);
    await waiting.until('the tone of the wall has no answer', () => wall.held.length > 0);
    await red.ask('acknowledge');
    await isWritten(/"answer":"safe"/);
    const isDone = (device: string, outcome: string) =>
      isWritten(new RegExp(`"tone/start"[^\\n]*"device":"${device}","outcome":"${outcome}"`));
    await isDone('Gate', 'accepted');
    await isDone('Yard', 'failed');
    const [before] = await reports();
    await red.stop('SIGKILL');
    await started;
    await red.start();
    const [report, ...more] = await reports();
    assert.ok(before && report);
    assert.deepEqual(more, []);
    const { missed: _, ...rest } = before;
    assert.deepEqual({ ...report, missed: [], reached: 2 }, { ...rest, missed: [] });
    const { name, drill, startedBy, clearedAt, targets, reached, acknowledged } = report;
    assert.deepEqual(
      [name, drill, startedBy, clearedAt, targets, reached],
      ['Lockdown', true, 'Ms Lee', null, 3, 1],
    );
    assert.deepEqual(
      acknowledged.map(({ by, answer }) => [by, answer]),
      [['Mr Rao', 'safe']],
    );
    assert.deepEqual(short(before), ['Yard tone/start failed REFUSED']);
    // The tone might have been started, and a tone is not started twice.
    const [ofWall, ofYard = ''] = short(report);
    assert.equal(ofWall, 'Wall tone/start unknown ABORTED');
    // The second, if the kill came during the first retry.
    assert.ok(['Yard tone/start failed REFUSED', 'Yard tone/start unknown ABORTED'].includes(ofYard), ofYard);
    assert.ok(gate.operationNames.length > 0);
    await red.ask('clear');
    await waiting.until('all is off', () =>
      devices.every(
        ({ operationNames: heard }) => heard.includes('tone/stop') || heard.includes('strobe/stop'),
      ),
    );
    const [closed] = await reports();
    assert.equal(closed?.startedAt, report.startedAt);
    assert.equal(closed?.clearedBy, 'Dr Eze');
  });

  it('is kept when it is closed', async () => {
    await red.ask('start');
    await red.ask('clear');
    const before = await reports();
    assert.deepEqual(
      before.map(({ clearedBy, reached, missed }) => [clearedBy, reached, missed]),
      [['Dr Eze', 3, []]],
    );
    await isWritten(/"alert\/report\//);
    await red.stop('SIGKILL');
    await red.start();
    assert.deepEqual(await reports(), before);
  });
});
