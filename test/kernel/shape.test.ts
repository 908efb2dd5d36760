import assert from 'node:assert/strict';
import {
  anything,
  closed,
  count,
  either,
  flag,
  list,
  number,
  type Of,
  object,
  oneOf,
  open,
  pair,
  reader,
  type Shape,
  text,
  time,
} from '../../src/kernel/shape';

describe('kernel: shapes', () => {
  const person = open({ name: text({ least: 1, most: 5 }) }, { age: count });
  const cases: readonly (readonly [what: string, shape: Shape<unknown>, good: unknown[], bad: unknown[]])[] =
    [
      ['texts', text({ least: 1, most: 3 }), ['a', 'abc'], ['', 'abcd', 1, null, undefined, ['a']]],
      ['texts of any length', text(), ['', 'x'.repeat(10_000)], [0]],
      [
        'numbers',
        number({ least: 0, most: 2 }),
        [0, 1.5, 2],
        [-1, 3, Number.NaN, Number.POSITIVE_INFINITY, '1'],
      ],
      ['counts', count, [0, 7], [-1, 1.5, 2 ** 53, '1', null]],
      ['times', time, [0, -1, 8.64e15], [8.65e15, Number.NaN, '0']],
      ['flags', flag, [true, false], [0, 'true', null]],
      ['anything', anything, [undefined, null, 0, {}], []],
      ['objects', object, [{}, { a: 1 }], [null, [], 'a']],
      ['choices', oneOf('a', 1, null), ['a', 1, null], ['b', 2, undefined, '1']],
      ['alternatives', either(text(), count), ['a', 1], [-1, {}]],
      ['pairs', pair(text(), count), [['a', 1]], [['a'], ['a', 1, 2], [1, 'a'], {}]],
      ['lists', list(count, 2), [[], [1, 2]], [[1, 2, 3], [-1], { length: 0 }, '12']],
      [
        'open objects',
        person,
        [{ name: 'a' }, { name: 'a', age: 1, more: {} }],
        [{}, { name: '' }, [], null],
      ],
      [
        'optional fields',
        person,
        [{ name: 'a', age: undefined }],
        [{ name: 'a', age: null }, { name: undefined }],
      ],
      [
        'closed objects',
        closed({ a: count }, { b: flag }),
        [{ a: 1 }, { a: 1, b: true }],
        [{ a: 1, c: 1 }, {}],
      ],
    ];
  for (const [what, shape, good, bad] of cases)
    it(`say what is good and what is not: ${what}`, () => {
      for (const value of good) assert.equal(shape(value), true, JSON.stringify(value));
      for (const value of bad) assert.equal(shape(value), false, JSON.stringify(value));
    });

  it('take no field from a prototype, and none that would change one', () => {
    assert.equal(person(Object.create({ name: 'a' })), false);
    assert.equal(person(JSON.parse('{"name":"a","__proto__":{"age":1}}')), false);
    assert.equal(open({ constructor: text() })({}), false);
  });

  it('give a value in its type, or nothing', () => {
    const found: Of<typeof person> | undefined = reader(person)({ name: 'a', age: 3 });
    assert.equal(found?.age, 3);
    assert.equal(reader(person)({ name: 1 }), undefined);
  });
});
