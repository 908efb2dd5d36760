import { deepStrictEqual, throws } from 'node:assert/strict';
import { readSupervision } from '../../src/runtime/supervision/expectations';

const read = (properties: object) => readSupervision(properties, () => ({}));

describe('the properties of a supervision', () => {
  it('have defaults', () => {
    deepStrictEqual(read({}), {
      intervalMs: 300_000,
      misses: 3,
      expectations: {
        ...{ clock: 15, firmware: undefined, sip: false, settings: [], files: [] },
        certificateDays: 30,
      },
    });
  });

  it('ask for a check every 10 seconds at most', () => {
    deepStrictEqual(read({ interval: '10' }).intervalMs, 10_000);
  });

  it('have limits', () => {
    const names = Array.from({ length: 101 }, (_, index) => `a${index}`);
    const settings = Object.fromEntries(names.map((name) => [name, '1']));
    for (const wrong of [{ settings }, { files: names }, { interval: 86_401 }, { misses: 1_001 }])
      throws(() => read(wrong), { code: 'INVALID_PARAMETER' });
  });

  for (const name of ['sip.u1.pwd', 'admin.Password', 'api.secret', 'KEY']) {
    it(`refuse the value of ${name} in the flow`, () => {
      throws(() => read({ settings: { [name]: 'mice' } }), { code: 'NOT_CONFIGURED' });
    });
  }
});
