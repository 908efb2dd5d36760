import assert from 'node:assert/strict';
import { DeviceError, operation, operationNames } from '../../src/library';
import { operations } from '../contract/promised';
import { wording } from '../fixtures/wording';

describe('the library', () => {
  it('names every operation that flows may rely on, each once', () => {
    assert.equal(new Set(operationNames).size, operationNames.length);
    assert.deepEqual(
      operations.filter((name) => !operationNames.some((known) => known === name)),
      [],
    );
    for (const name of operationNames) assert.equal(operation(name).name, name);
  });

  it('says of an operation what a program may ask', () => {
    assert.deepEqual(operation('door/munlock'), {
      name: 'door/munlock',
      title: wording('door:operation.munlock.title'),
      description: wording('door:operation.munlock.help'),
      firmware: '5.5',
      repeatable: false,
    });
    assert.equal(operation('door/lock').repeatable, true);
  });

  it('refuses the name of an operation that there is not', () => {
    for (const name of ['door/munlok', 'toString', '', undefined]) {
      assert.throws(
        () => operation(name as 'door/munlock'),
        (error) => error instanceof DeviceError && error.code === 'INVALID_PARAMETER',
      );
    }
  });
});
