import { deepStrictEqual } from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { Journal } from '../../src/kernel/journal/journal';
import type { PersistedDevice } from '../../src/runtime/supervision/persisted-device';
import { SupervisionStates } from '../../src/runtime/supervision/states';

const kept: PersistedDevice = {
  name: 'Yard horn',
  where: 'https://192.0.2.1',
  condition: 'warning',
  previous: 'ok',
  since: 1_000,
  findings: [{ check: 'clock', reason: 'late', message: 'late', expected: 15, actual: 60 }],
  notChecked: ['certificate'],
  missed: 1,
  reported: { condition: 'warning', keys: ['clock'] },
  maskedUntil: 9_000,
};

describe('the states of supervised devices', () => {
  let folder: string;
  let journal: Journal;
  const warnings: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'algo-states-'));
    journal = Journal.open(folder, { warn: (line) => warnings.push(line) });
    warnings.length = 0;
  });
  afterEach(async () => {
    await journal.close();
    await rm(folder, { recursive: true });
  });

  /** Node-RED ends and starts again. */
  async function restart() {
    await journal.close();
    journal = Journal.open(folder, { warn: (line) => warnings.push(line) });
    return start();
  }

  function start() {
    const events = new EventEmitter();
    return { states: new SupervisionStates({ events } as unknown as NodeAPI, journal), events };
  }

  it('are there after a restart, with a mask and what was told', async () => {
    start().states.keep('node', [
      ['horn', kept],
      ['group/row of a group', { ...kept, name: 'Row' }],
    ]);
    const { states } = await restart();
    deepStrictEqual(
      [...states.open('node')],
      [
        ['horn', kept],
        ['group/row of a group', { ...kept, name: 'Row' }],
      ],
    );
  });

  it('are gone with their device and with their node', async () => {
    const { states } = start();
    for (const id of ['one', 'two']) states.keep(id, [['horn', kept]]);
    states.keep('one', [['horn', undefined]]);
    states.forget('two');
    const after = (await restart()).states;
    deepStrictEqual([...after.open('one'), ...after.open('two')], []);
  });

  it('of a node that is gone after a restart are forgotten when the flows have started', async () => {
    for (const id of ['stays', 'gone']) start().states.keep(id, [['horn', kept]]);
    const { states, events } = await restart();
    states.open('stays');
    events.emit('flows:started');
    deepStrictEqual(
      [...journal.entries('supervision/')].map(([key]) => key),
      ['supervision/stays/horn'],
    );
  });

  it('that are not understood stay as they are, and the log names them', async () => {
    await journal.put('supervision/node/horn', { name: 'of another version' });
    const { states } = start();
    deepStrictEqual([...states.open('node')], []);
    deepStrictEqual(warnings.length, 1);
    deepStrictEqual([...journal.entries('supervision/')].length, 1);
  });
});
