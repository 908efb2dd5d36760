import assert from 'node:assert/strict';
import { readNodeOptions } from '../../../src/virtual-device/node/node-options';

describe('what the virtual device node makes of its properties', () => {
  it('has defaults for what is empty', () => {
    assert.deepEqual(readNodeOptions({ name: '', model: '', firmware: '', auth: '', port: '' }, undefined), {
      name: 'Virtual 8301',
      model: '8301',
      firmware: '5.7',
      auth: 'standard',
      password: 'algo',
      port: 0,
      host: '127.0.0.1',
    });
  });

  it('takes what environment variables bring: numbers and numeric strings', () => {
    const options = readNodeOptions(
      { name: 'Door', model: 8063, firmware: 5.6, auth: 'basic', port: '8063' },
      { password: ' pw ' },
    );
    assert.deepEqual(options, {
      name: 'Door',
      model: '8063',
      firmware: '5.6',
      auth: 'basic',
      password: ' pw ',
      port: 8063,
      host: '127.0.0.1',
    });
    assert.equal(readNodeOptions({ port: 8063 }, {}).port, 8063);
  });

  it('refuses other ports and methods, and variables that are not set', () => {
    for (const port of ['http', 70000, -1, 1.5, true])
      assert.throws(() => readNodeOptions({ port }, {}), /\bport\b/, String(port));
    assert.throws(() => readNodeOptions({ auth: 'digest' }, {}), /"digest"/);
    assert.throws(() => readNodeOptions({ model: '${' + 'MODEL}' }, {}), /MODEL\} is not set/);
  });
});
