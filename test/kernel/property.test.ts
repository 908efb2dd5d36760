import assert from 'node:assert/strict';
import {
  choice,
  isOn,
  listOf,
  type MessageReader,
  names,
  number,
  orThrow,
  type Property,
  PropertyFinding,
  parseJson,
  property,
  readMessageProperty,
  readProperties,
  seconds,
  text,
} from '../../src/kernel/property';

describe('kernel: properties', () => {
  const priority = number({ least: 0, most: 10, empty: 5 });
  const rows: readonly (readonly [
    what: string,
    read: Property<unknown>,
    good: readonly (readonly [given: unknown, value: unknown])[],
    bad: readonly unknown[],
    limits: string,
  ])[] = [
    [
      'a number',
      priority,
      [
        ...([undefined, null, ''] as const).map((given) => [given, 5] as const),
        ...([0, 10, 2.5] as const).map((given) => [given, given] as const),
        [' 7 ', 7],
      ],
      [-1, 10.1, ' ', 'high', true, [5], {}, Number.NaN, Number.POSITIVE_INFINITY, 5n, Symbol('5')],
      'a number from 0 to 10',
    ],
    ['a number without a default', number({ least: 1, most: 3 }), [[1, 1]], [undefined, null, '', 0], ''],
    [
      'a whole number',
      number({ least: 1, isWhole: true, empty: 7, isTrimmed: true }),
      [
        [' ', 7],
        ['2', 2],
      ],
      [0, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, true],
      'a whole number, 1 or more',
    ],
    [
      'seconds',
      seconds({ above: 0, most: 3600, empty: 10 }),
      [
        ['', 10_000],
        ['0.5', 500],
        [3600, 3_600_000],
      ],
      [0, '0', -1, 3601, 'soon'],
      'a number of seconds above 0 and up to 3600',
    ],
    [
      'seconds that need not be given',
      seconds({ least: 0, most: 60, empty: undefined }),
      [
        ['', undefined],
        [0, 0],
      ],
      [61],
      'a number of seconds from 0 to 60',
    ],
    [
      'a choice',
      choice(['true', 'false', 'all'], { empty: 'true' }),
      [
        [null, 'true'],
        [false, 'false'],
        ['all', 'all'],
      ],
      ['All', ' all', ' ', 0, ['all']],
      'one of true, false, all',
    ],
    [
      'a choice between blanks',
      choice(['verify', 'pin'], { empty: 'verify', isTrimmed: true }),
      [
        [' ', 'verify'],
        [' pin', 'pin'],
      ],
      ['any'],
      'one of verify, pin',
    ],
    [
      'a text',
      text({ most: 5, empty: undefined }),
      [
        ['', undefined],
        [' a ', ' a '],
        [7, '7'],
        [false, 'false'],
      ],
      ['abcdef', {}, ['a']],
      'text of at most 5 characters',
    ],
    ['a text of any length', text(), [['x'.repeat(9_999), 'x'.repeat(9_999)]], ['', undefined, {}], 'text'],
    ['a text with any words', text({ isFree: true }), [['${NAME}', '${NAME}']], [[]], 'text'],
    [
      'names',
      names({ most: 2 }),
      [
        [undefined, []],
        ['', []],
        [' a, 7, ', ['a', '7']],
        [7, ['7']],
        [['b', 'b'], ['b']],
      ],
      ['a,b,c', ['a', 'b', 'c'], [{}], true, {}],
      'a name or a list of at most 2 names',
    ],
    [
      'a rule of its own',
      property((given) => (given === 'one' ? 1 : undefined), 'one', { empty: 0 }),
      [
        ['one', 1],
        ['', 0],
      ],
      [1, 'two'],
      'one',
    ],
  ];
  for (const [what, read, good, bad, limits] of rows)
    it(`are read, or refused in a sentence: ${what}`, () => {
      for (const [given, value] of good) assert.deepEqual(read(given, 'it'), value);
      for (const given of bad) {
        const found = read(given, 'msg.it');
        assert.ok(found instanceof PropertyFinding, String(given));
        assert.equal(found.name, 'msg.it');
        assert.ok(String(found.sentence).startsWith(`msg.it must be ${limits}`), String(found.sentence));
        assert.match(String(found.sentence), /; got ./);
      }
    });

  for (const read of [priority, choice(['a'], { empty: 'a' }), text()])
    it('name a variable that is not set', () => {
      const found = read('${MANY}', 'it');
      assert.ok(found instanceof PropertyFinding);
      assert.equal(String(found.sentence), 'it is ${MANY}, and that environment variable is not set');
    });

  it('give an object of values, or the first finding', () => {
    const readers = { priority, ttl: seconds({ least: 0, most: 60, empty: undefined }), sip: isOn };
    const values = readProperties(readers, { priority: '3', sip: 'true' });
    assert.deepEqual(values, { priority: 3, ttl: undefined, sip: true });
    assert.ok(!(values instanceof PropertyFinding));
    const typed: { priority: number; ttl: number | undefined; sip: boolean } = values;
    assert.equal(orThrow(typed, () => new Error()).priority, 3);
    const found = readProperties(readers, { ttl: 61, priority: 11 });
    assert.ok(found instanceof PropertyFinding);
    assert.equal(found.name, 'priority');
    assert.throws(
      () => orThrow(found, (sentence) => new Error(`No: ${sentence}`)),
      /^Error: No: priority must/,
    );
  });

  it('are lists, checkboxes and JSON', () => {
    for (const [given, list] of [
      [undefined, []],
      [' a,,b ', ['a', 'b']],
      [
        ['a,b', ' ', 7],
        ['a,b', '7'],
      ],
    ] as const)
      assert.deepEqual(listOf(given), list);
    for (const yes of [true, 'true', 1, '1']) assert.equal(isOn(yes), true);
    for (const no of [false, 'false', '', undefined, 'yes', 2, {}]) assert.equal(isOn(no), false);
    assert.deepEqual(parseJson('{"a":1}'), { a: 1 });
    assert.deepEqual(parseJson([1]), [1]);
    for (const none of ['', '{', undefined]) assert.equal(parseJson(none), undefined);
  });

  it('are read from a message at the path that they name', () => {
    const util: MessageReader = {
      getMessageProperty(message, path) {
        if (path === 'a[') throw new Error('Invalid property expression');
        return path
          .split('.')
          .reduce((value, name) => (value as Record<string, object>)[name] as object, message);
      },
    };
    assert.equal(readMessageProperty(util, { a: { b: 2 } }, 'a.b', 'priority'), 2);
    assert.equal(readMessageProperty(util, {}, 'a.b', 'priority'), undefined);
    for (const path of ['a[', '', undefined, 7]) {
      const found = readMessageProperty(util, {}, path, 'priority');
      assert.ok(found instanceof PropertyFinding);
      assert.match(String(found.sentence), /^priority must be the name of a message property; got /);
    }
  });
});
