import assert from 'node:assert/strict';
import { checkParameters } from '../../src/catalogue/validate';
import { made } from '../contract/promised';
import { everyOperation, madeOperations, namesOf, operationNamed } from './check';

describe('the operations that are made of others', () => {
  it('are those that are promised', () => {
    assert.deepEqual([...madeOperations.keys()].sort(), Object.keys(made).sort());
  });

  it('say of a bell without days which there are', () => {
    const sync = madeOperations.get('scheduler/sync') ?? assert.fail();
    const bell = { name: 'Lesson', time: '08:00', audio: 'bell-na.wav' };
    const checked = checkParameters(sync, { tag: 'school', bells: [bell] });
    assert.deepEqual(checked.ok ? [] : checked.findings.map(String), [
      'bells[0].days is required: daily, once, or weekdays such as mon-fri or mon,wed',
    ]);
  });

  for (const [operationName, operation] of madeOperations) {
    it(`${operationName} has what is promised, and is made of what there is`, () => {
      const { fields = '', answer, repeatable } = made[operationName] ?? assert.fail();
      const known = namesOf(operation.fields);
      assert.deepEqual(
        fields.split(' ').filter((name) => name !== '' && !known.includes(name)),
        [],
      );
      assert.deepEqual([operation.answer, operation.repeatable], [answer, repeatable === true]);
      const parts = (operation.composedOf ?? []).map((part) => operationNamed(part));
      const [path] = parts.at(-1)?.route.split('?') ?? [];
      assert.equal(operation.route, path);
      for (const { firmware, products } of parts) {
        assert.deepEqual([operation.firmware, operation.products], [firmware, products]);
      }
      assert.equal(operation.confirm !== undefined, operation.options?.includes('confirmWrite') === true);
      if (operation.confirm) assert.ok(everyOperation.has(operation.confirm.by));
    });

    it(`${operationName} says in words what it is`, () => {
      for (const { title, description } of [operation, ...Object.values(operation.fields)]) {
        assert.match(title, /^[A-Z0-9].*[^.]$/);
        assert.match(description, /^[A-Z0-9].*\.$/s);
      }
    });
  }
});
