import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';

const device = (id: string, more: Record<string, unknown> = {}): NodeConfig => {
  return { id, type: 'algo-device', name: `Device ${id}`, address: '192.0.2.1', ...more };
};
const group = (more: Record<string, unknown> = {}): NodeConfig => {
  const rows = [{ name: 'Gym', address: '192.0.2.2' }];
  return { id: 'group', type: 'algo-group', name: 'School', rows, ...more };
};

/** The lines of the log that speak of passwords, each with the node that says it. */
function logLines(): string[] {
  return helper
    .log()
    .args.map(([entry]) => entry as { msg?: unknown; id?: string })
    .filter(({ msg }) => String(msg).includes('assword'))
    .map(({ msg, id }) => `${id}: ${msg}`);
}

describe('a deploy without passwords', () => {
  afterEach(stopFlow);

  it('says once which devices and groups have none', async () => {
    await startFlow([device('a'), device('b', { auth: 'basic' }), group()]);
    assert.deepEqual(logLines(), [
      'a: No password, so nothing can be sent: "Device a", "Device b", "School". Exported flows do not contain passwords; enter them again',
    ]);
  });

  it('names some of hundreds', async () => {
    await startFlow(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => device(id)));
    assert.deepEqual(logLines(), [
      'a: No password, so nothing can be sent: "Device a", "Device b", "Device c", "Device d", "Device e", 2 more. Exported flows do not contain passwords; enter them again',
    ]);
  });

  it('says it again of what is deployed again', async () => {
    await startFlow([device('a'), device('b')]);
    await redeploy([{ id: 'tab', type: 'tab' }, device('a'), device('b', { timeout: '5' })], 'nodes');
    assert.deepEqual(logLines().slice(1), [
      'b: No password, so nothing can be sent: "Device b". Exported flows do not contain passwords; enter them again',
    ]);
  });

  it('says which groups have rows whose own password is missing, and no others', async () => {
    const rows = [
      { name: 'Gym', address: '192.0.2.2', passwordKey: 1 },
      { name: 'Hall', address: '192.0.2.3', passwordKey: 2 },
    ];
    await startFlow(
      [group({ rows }), group({ id: 'other', name: 'Office', rows: [{ ...rows[0], address: '192.0.2.4' }] })],
      { group: { password: 'shared', rowPassword2: 'own' }, other: { rowPassword1: 'own' } },
    );
    assert.deepEqual(logLines(), [
      'group: No password, so nothing can be sent: "Gym" in "School". Exported flows do not contain passwords; enter them again',
    ]);
  });

  it('says nothing of those that need none', async () => {
    const virtual = { id: 'virtual', type: 'algo-virtual-device', name: 'Virtual', model: '8301' };
    await startFlow(
      [
        virtual,
        device('open', { auth: 'none' }),
        device('simulated', { virtual: 'virtual', address: '' }),
        device('known'),
        group({ rows: [], devices: ['known'] }),
      ],
      { known: { password: 'secret' } },
    );
    assert.deepEqual(logLines(), []);
  });
});
