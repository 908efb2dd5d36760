import assert from 'node:assert/strict';
import { unsetVariableIn } from '../../../src/runtime/device/settings';

describe('an environment variable that is not set', () => {
  it('is found wherever a device wants it', () => {
    assert.equal(unsetVariableIn({ address: '${HORN}' }, 'algo'), '${HORN}');
    assert.equal(unsetVariableIn({ address: '192.0.2.1', timeout: '${PATIENCE}' }, 'algo'), '${PATIENCE}');
    assert.equal(unsetVariableIn({ address: '192.0.2.1' }, '${SECRET}'), '${SECRET}');
    assert.equal(unsetVariableIn({ address: '192.0.2.1', name: '${NAME}' }, 'algo'), undefined);
    assert.equal(unsetVariableIn({}, undefined), undefined);
  });

  it('counts for nothing where a virtual device is used in its place', () => {
    assert.equal(unsetVariableIn({ address: '${HORN}', virtual: 'virtual' }, '${SECRET}'), undefined);
    assert.equal(unsetVariableIn({ virtual: 'virtual', queueLimit: '${MANY}' }, ''), '${MANY}');
  });
});
