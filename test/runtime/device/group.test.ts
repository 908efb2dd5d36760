import assert from 'node:assert/strict';
import { Group, type GroupProperties } from '../../../src/runtime/device/group';
import { wording } from '../../fixtures/wording';

const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };
const group = (properties: GroupProperties) =>
  new Group('all', { name: 'All', auth: 'none', ...properties }, {}, surroundings);

describe('a group', () => {
  it('shares what it says with its rows', () => {
    const { rows } = group({ rows: [{ address: '192.0.2.1' }], dryRun: 'true', letDeviceDecide: true });
    assert.equal(rows[0]?.dryRun, true);
    assert.equal(rows[0]?.letDeviceDecide, true);
  });

  it('closes what it made', async () => {
    const all = group({ rows: [{ address: '192.0.2.1' }] });
    await all.close();
    assert.equal(all.isClosed, true);
    assert.equal(all.rows[0]?.isClosed, true);
  });

  it('says how many of it are addressed at once', () => {
    assert.equal(group({}).parallel, 100);
    assert.equal(group({ parallel: '7' }).parallel, 7);
    for (const parallel of [0, -1, 1.5, 'many', {}, true, Number.NaN]) {
      const reason = wording('reasons:parallelWrong', { got: String(parallel) });
      assert.throws(() => group({ parallel }).parallel, {
        code: 'NOT_CONFIGURED',
        message: wording('reasons:groupUnusable', { group: 'All', reason }),
      });
    }
    const reason = wording('reasons:unsetProperty', { property: 'parallel', variable: '${MANY}' });
    assert.throws(() => group({ parallel: '${MANY}' }).parallel, {
      message: wording('reasons:groupUnusable', { group: 'All', reason }),
    });
  });
});
