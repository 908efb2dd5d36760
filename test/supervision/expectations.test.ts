import { deepStrictEqual, throws } from 'node:assert/strict';
import { readSupervision } from '../../src/runtime/supervision/expectations';

const read = (properties: object) => readSupervision(properties, () => ({}));

describe('the properties of a supervision', () => {
  it('have defaults', () => {
    deepStrictEqual(read({}), {
      ...{ interval: 300_000, misses: 3, clock: 15, firmware: undefined, sip: false, files: [] },
      ...{ certificateDays: 30, settings: [], initial: false },
    });
  });

  it('ask for a check every 10 seconds at most', () => {
    deepStrictEqual(read({ interval: '10' }).interval, 10_000);
  });

  it('have limits', () => {
    const names = Array.from({ length: 501 }, (_, index) => `a${index}`);
    const settings = Object.fromEntries(names.map((name) => [name, '1']));
    for (const wrong of [
      { settings },
      { files: names.slice(0, 101) },
      { interval: 86_401 },
      { misses: 1_001 },
    ])
      throws(() => read(wrong), { code: 'INVALID_PARAMETER' });
  });

  it('are a profile: up to 500 names, whose numbers count as their texts', () => {
    const names = Array.from({ length: 500 }, (_, index) => `a${index}`);
    const { settings } = read({ settings: Object.fromEntries(names.map((name) => [name, 7])) });
    deepStrictEqual(settings.length, 500);
    deepStrictEqual(settings[0], { name: 'a0', value: '7', isSecret: false });
  });

  for (const name of [
    'sip.u1.pwd',
    'wifi.psk',
    'sip.token.old',
    'vpn.passphrase',
    'tls.key',
    'admin.Password',
    'api.secret',
    'KEY',
  ]) {
    it(`refuse the value of ${name} in the flow`, () => {
      throws(() => read({ settings: { [name]: 'mice' } }), { code: 'NOT_CONFIGURED' });
    });
  }
});
