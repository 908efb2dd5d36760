import assert from 'node:assert/strict';
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
      const itIs = wording('reasons:itIs', { got: String(maxParallel) });
      assert.throws(() => group({ maxParallel }).maxParallel, {
        code: 'NOT_CONFIGURED',
        message: sentence(wording('reasons:maxParallelWrong'), place, itIs),
      });
    }
    const reason = wording('reasons:unsetProperty', { property: 'maxParallel', variable: '${MANY}' });
    assert.throws(() => group({ maxParallel: '${MANY}' }).maxParallel, {
      message: sentence(reason, place),
    });
  });
});
