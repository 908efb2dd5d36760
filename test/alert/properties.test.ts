import assert from 'node:assert/strict';
import {
  type AlertMessage,
  type AlertProperties,
  idleOf,
  readActions,
  readDrill,
  readEndAfter,
  readOperation,
  readPriority,
  readRetryAlert,
  retryOf,
} from '../../src/runtime/alert/properties';

const wrong = (words: RegExp) => ({ code: 'INVALID_PARAMETER', message: words });

describe('the properties of an alert', () => {
  for (const [properties, message, priority] of [
    [{}, {}, 5],
    [{ priority: '' }, { priority: '' }, 5],
    [{ priority: 0 }, {}, 0],
    [{ priority: '10' }, {}, 10],
    [{ priority: 9 }, { priority: 0 }, 0],
    [{ priority: 9 }, { priority: '2.5' }, 2.5],
    [{ priority: 9 }, { priority: null }, 9],
  ] as [AlertProperties, AlertMessage, number][]) {
    it(`has priority ${priority} by ${JSON.stringify([properties, message])}`, () => {
      assert.equal(readPriority(properties, message), priority);
    });
  }

  for (const value of [-1, -0.1, 10.1, Number.NaN, ' ', 'high', true, [5], {}]) {
    it(`has no priority ${JSON.stringify(value)}, and says where it stood`, () => {
      assert.throws(() => readPriority({}, { priority: value }), wrong(/: msg\.priority must be/));
      assert.throws(() => readPriority({ priority: value }, {}), wrong(/: priority must be/));
    });
  }

  for (const [properties, message, drill] of [
    [{}, {}, false],
    [{ drill: true }, {}, true],
    [{ drill: 'true' }, { drill: '' }, true],
    [{ drill: false }, { drill: true }, true],
    [{ drill: false }, { drill: 'true' }, true],
    [{ drill: true }, { drill: false }, false],
    [{ drill: true }, { drill: 'false' }, false],
  ] as [AlertProperties, AlertMessage, boolean][]) {
    it(`is ${drill ? 'a' : 'no'} drill by ${JSON.stringify([properties, message])}`, () => {
      assert.equal(readDrill(properties, message), drill);
    });
  }

  for (const value of [0, 1, 'yes', 'FALSE', {}]) {
    it(`is neither a drill nor none by ${JSON.stringify(value)}`, () => {
      assert.throws(() => readDrill({}, { drill: value }), wrong(/msg\.drill must be true or false/));
    });
  }

  for (const [endAfter, ms] of [
    [undefined, undefined],
    ['', undefined],
    [null, undefined],
    [90, 90_000],
    ['0.5', 500],
    [31_536_000, 31_536_000_000],
  ] as const) {
    it(`is cleared after ${ms} ms by ${JSON.stringify(endAfter)}`, () => {
      assert.equal(readEndAfter({ endAfter }), ms);
    });
  }

  for (const endAfter of [0, '0', -1, ' ', 'soon', 31_536_001, Number.POSITIVE_INFINITY, true]) {
    it(`has no end after ${JSON.stringify(endAfter)}`, () => {
      assert.throws(() => readEndAfter({ endAfter }), wrong(/endAfter must be a number of seconds/));
    });
  }

  it('are asked to start where nothing is said', () => {
    assert.deepEqual([undefined, null, '', 'start', 'clear', 'state'].map(readOperation), [
      ...['start', 'start', 'start', 'start', 'clear', 'state'],
    ]);
    for (const asked of ['Start', 'stop', 0, false, ['clear']]) {
      assert.throws(() => readOperation(asked), wrong(/msg\.operation must be one of start, clear, state/));
    }
  });

  it('have their actions as a list, or as the text of one', () => {
    const actions = [
      { operation: 'strobe/start', form: { pattern: { type: 'num', value: '1' } } },
      { operation: 'door/unlock', form: undefined },
    ];
    assert.deepEqual(readActions({ actions }), actions);
    assert.deepEqual(readActions({ actions: JSON.stringify([actions[0]]) }), [actions[0]]);
    for (const none of [undefined, null, [], '', '[]', '{}', 'strobe/start', {}]) {
      assert.throws(
        () => readActions({ actions: none }),
        wrong(/actions must be a list of at least one action/),
      );
    }
    for (const odd of [null, 'strobe/start', {}, { operation: 'strobe/stop' }, { operation: 7 }, []]) {
      assert.throws(
        () => readActions({ actions: [actions[0], odd] }),
        wrong(/actions\[1\]\.operation must be one of/),
      );
    }
  });

  it('say what is tried again: everything that is safe, unless they say less or more', () => {
    for (const [given, meant] of [
      [undefined, true],
      ['', true],
      ['true', true],
      [false, false],
      ['false', false],
      ['all', 'all'],
    ] as const)
      assert.equal(readRetryAlert({ retryAlert: given }), meant);
    assert.throws(() => readRetryAlert({ retryAlert: 'no' }), wrong(/retryAlert must be true, false or all/));
    assert.equal(retryOf({ retryAlert: 'no' }), false);
  });

  it('are told while it is idle; what they cannot say is told as usual', () => {
    const { priority, drill, ...rest } = idleOf({ priority: '8', drill: true });
    assert.deepEqual([priority, drill], [8, true]);
    assert.deepEqual(rest, { state: 'idle', since: null, devices: [], unknown: [], failed: [], waiting: [] });
    assert.equal(idleOf({ priority: 'high' }).priority, 5);
  });
});
