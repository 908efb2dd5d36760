import assert from 'node:assert/strict';
import { browserDirectory, bundle } from '../../src/editor/bundle';

type Says = Readonly<Record<string, string>>;
interface Script {
  weaknessesIn(
    settings: (field: string) => string,
    known: { names: readonly string[]; models: readonly string[] },
  ): { field: string; what: string }[];
}

/** A device of which nothing is to be said. */
const sound: Says = {
  name: 'Door',
  address: '192.0.2.1',
  auth: 'standard',
  password: '__PWRD__',
  certificate: 'pin',
  model: '8301',
  firmware: '5.5_beta11',
};

describe('what is weak about the settings of a device', () => {
  let script: Script;

  before(async () => {
    const stdin = { contents: "export * from './dialogs/weak-choices';", resolveDir: browserDirectory };
    const text = await bundle({ stdin, format: 'esm' });
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  });

  const cases: [says: Says, expected: string[]][] = [
    [{}, []],
    [{ model: '', firmware: '' }, []],
    [{ model: 'Algo 8190S IP Speaker', firmware: '5.3.4' }, []],
    [{ auth: 'basic' }, []],
    [{ auth: 'basic', address: 'http://192.0.2.1', certificate: 'verify' }, ['auth basicPlain']],
    [{ auth: 'none', password: 'algo' }, ['auth noAuth']],
    [{ password: 'algo' }, ['password factory']],
    [{ certificate: 'any' }, ['certificate any']],
    [{ certificate: 'any', address: ' HTTP://192.0.2.1' }, []],
    [{ address: 'http://192.0.2.1' }, ['certificate pinPlain']],
    [{ address: 'https://192.0.2.1/base/' }, ['address path']],
    [{ address: 'https://192.0.2.1/api/' }, ['address apiPath']],
    [{ address: 'hall.example/proxy/API' }, ['address apiPath']],
    [{ address: 'hall.example/api/info' }, ['address apiPath']],
    [{ address: 'hall.example/apiary' }, ['address path']],
    [{ address: '192.0.2.1:8443/base' }, ['address path']],
    [{ address: 'https://[2001:db8::1]:8443/' }, []],
    [{ address: '${HALL}' }, []],
    [{ model: 'abcd' }, ['model noModel']],
    [{ model: '8999' }, ['model newModel']],
    [{ model: '18301' }, ['model noModel']],
    [{ firmware: 'new' }, ['firmware noFirmware']],
    [{ firmware: '5' }, ['firmware noFirmware']],
    [{ name: 'Hall' }, ['name nameTaken']],
    [{ model: '${MODEL}', firmware: '${FIRMWARE}', password: '${PW}' }, []],
  ];
  for (const [given, expected] of cases) {
    it(`says ${expected.join() || 'nothing'} of ${JSON.stringify(given)}`, () => {
      const settings = { ...sound, ...given };
      const known = { names: ['Hall'], models: ['8301', '8190S', '8190'] };
      const found = script.weaknessesIn((field) => settings[field] ?? '', known);
      assert.deepEqual(
        found.map(({ field, what }) => `${field} ${what}`),
        expected,
      );
    });
  }
});
