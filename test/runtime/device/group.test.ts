import assert from 'node:assert/strict';
import { show } from '../../../src/catalogue/describe';
import { Group, type GroupProperties } from '../../../src/runtime/device/group';
import { sentence, wording } from '../../fixtures/wording';

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
    const place = wording('reasons:inGroup', { group: 'All' });
    assert.equal(group({}).maxParallel, 100);
    assert.equal(group({ maxParallel: '7' }).maxParallel, 7);
    for (const maxParallel of [0, -1, 1.5, 'many', {}, true, Number.NaN]) {
      const got = wording('phrases:gotThis', { got: show(maxParallel) });
      assert.throws(() => group({ maxParallel }).maxParallel, {
        code: 'NOT_CONFIGURED',
        message: sentence('maxParallel must be a whole number, 1 or more', place, got),
      });
    }
    const reason = wording('reasons:unsetVariable', { name: 'maxParallel', variable: '${MANY}' });
    assert.throws(() => group({ maxParallel: '${MANY}' }).maxParallel, {
      message: sentence(reason, place),
    });
  });
});
