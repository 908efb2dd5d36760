import { deepStrictEqual } from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { Journal } from '../../src/kernel/journal/journal';
import type { PersistedDevice } from '../../src/runtime/supervision/finding';
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

  it('are there after a restart, until their device or their node is gone', async () => {
    const before = start().states;
    for (const id of ['horn', 'row/of a group', 'gone']) void before.open('node').set(id, kept);
    void before.open('node').delete('gone');
    void before.open('deleted').set('horn', kept);
    before.forget('deleted');
    const { states } = await restart();
    deepStrictEqual(states.open('node').entries, [
      ['horn', kept],
      ['row/of a group', kept],
    ]);
    deepStrictEqual(states.open('deleted').entries, []);
  });

  it('of a node that is gone after a restart are forgotten when the flows have started', async () => {
    for (const id of ['stays', 'gone']) void start().states.open(id).set('horn', kept);
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
    deepStrictEqual(states.open('node').entries, []);
    deepStrictEqual(warnings.length, 1);
    deepStrictEqual([...journal.entries('supervision/')].length, 1);
  });
});
