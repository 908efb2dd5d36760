import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { ClientFixture } from '../fixtures/client-fixture';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';

const warnLevel = 30;

/** Lines of the log that name a property by its old name, and the node that they are from. */
function named(): { readonly id: unknown; readonly line: string }[] {
  const entries = helper.log().args.flat() as { level?: number; id?: unknown; msg?: unknown }[];
  return entries
    .filter(({ level, msg }) => level === warnLevel && String(msg).includes('is now called'))
    .map(({ id, msg }) => ({ id, line: String(msg) }));
}

describe('a property by its old name', () => {
  const bench = new ClientFixture();
  const local = { doorid: { type: 'str', value: 'local' } };
  const toGate = { target: 'device', device: 'gate', operation: 'lock', form: local };
  let gate: NodeConfig;

  beforeEach(async () => {
    const address = await bench.http((_seen, response) => response.end());
    const identity = { model: '8039', firmware: '5.7' };
    gate = { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', ...identity };
  });

  afterEach(async () => {
    await stopFlow();
    await bench.clear();
  });

  it('is in one line of the log for each node, with the new name', async () => {
    await startFlow([
      { ...gate, rehearsal: '${REHEARSAL}' },
      { id: 'all', type: 'algo-group', name: 'All', devices: ['gate'], queue: 5, parallel: '' },
      { id: 'door', type: 'algo-door', ...toGate, stream: false },
      {
        ...{ id: 'alert', type: 'algo-alert', name: 'Fire', operation: 'start', target: 'msg' },
        ...{ deeds: [], severity: 7 },
      },
      {
        ...{ id: 'remote', type: 'algo-remote', operation: 'start', sites: 'north', expected: 'south' },
        job: { noun: 'strobe', operation: 'start' },
      },
    ]);
    await ask('door');
    await ask('door');
    const lines = new Map(named().map(({ id, line }) => [id, line]));
    assert.equal(named().length, lines.size);
    const set = (names: string, it: string) =>
      `The property ${names}; open the node, set ${it} again, and deploy.`;
    assert.deepEqual(Object.fromEntries(lines), {
      gate: set('"rehearsal" is now called "dryRun"', 'it'),
      all: set('"queue" is now called "queueLimit", "parallel" is now called "maxParallel"', 'them'),
      door: set('"stream" is now called "split"', 'it'),
      alert: set('"deeds" is now called "actions", "severity" is now called "priority"', 'them'),
      remote: set('"job.noun" is now called "job.operation", "expected" is now called "knownSites"', 'them'),
    });
  });

  it('is not read', async () => {
    await startFlow([
      { ...gate, rehearsal: true },
      { id: 'door', type: 'algo-door', ...toGate, stream: true },
    ]);
    const { sent } = await ask('door');
    assert.deepEqual(
      sent.map(({ receipts, parts }) => [receipts?.map(({ outcome }) => outcome), parts]),
      [[['accepted'], undefined]],
    );
  });

  it('is nothing in a node of another type, and nothing is said of new names', async () => {
    await startFlow([
      { ...gate, dryRun: true, queueLimit: 5, stream: true },
      { id: 'door', type: 'algo-door', ...toGate, split: true, queue: 5 },
      { id: 'receipts', type: 'algo-receipts', stream: true, rehearsal: true },
    ]);
    await ask('door');
    assert.deepEqual(named(), []);
  });
});
