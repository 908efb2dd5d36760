import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { NodeAPI } from 'node-red';
import {
  type AlertMessage,
  type AlertProperties,
  idleOf,
  type PriorityProperties,
  readActions,
  readDrill,
  readOperation,
  readPriority,
  readSettings,
  retryOf,
} from '../../src/runtime/alert/properties';

const ofNodeRed = createRequire(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));
const { util } = ofNodeRed('@node-red/util') as NodeAPI;

const actions = [
  { operation: 'strobe/start', form: { pattern: { type: 'num', value: '1' } } },
  { operation: 'door/unlock', form: undefined },
];

const wrong = (words: RegExp) => ({ code: 'INVALID_PARAMETER', message: words });

describe('the properties of an alert', () => {
  for (const [properties, message, priority] of [
    [{}, {}, 5],
    [{ priority: '', priorityType: 'num' }, {}, 5],
    [{ priority: 0 }, {}, 0],
    [{ priority: '10', priorityType: '' }, {}, 10],
    // Mail and push nodes set this property to other things.
    [{ priority: 9, priorityType: 'num' }, { priority: 'high' }, 9],
    [{}, { priority: 9 }, 5],
    [{ priority: 'priority', priorityType: 'msg' }, { priority: 0 }, 0],
    [{ priority: 'payload.level', priorityType: 'msg' }, { payload: { level: '2.5' } }, 2.5],
    [{ priority: 'level', priorityType: 'msg' }, { level: '' }, 5],
    [{ priority: 'level', priorityType: 'msg' }, { level: null }, 5],
    [{ priority: 'payload.level', priorityType: 'msg' }, {}, 5],
  ] as [PriorityProperties, object, number][]) {
    it(`has priority ${priority} by ${JSON.stringify([properties, message])}`, () => {
      assert.equal(readPriority(util, properties, message), priority);
    });
  }

  for (const value of [-1, -0.1, 10.1, Number.NaN, ' ', 'high', true, [5], {}]) {
    it(`has no priority ${JSON.stringify(value)}, and says where it stood`, () => {
      const ofMessage = { priority: 'level', priorityType: 'msg' };
      assert.throws(() => readPriority(util, ofMessage, { level: value }), wrong(/msg\.level must be/));
      assert.throws(() => readPriority(util, { priority: value }, {}), wrong(/^priority must be/));
    });
  }

  for (const [what, properties, words] of [
    [
      'another type',
      { priority: 5, priorityType: 'flow' },
      /priorityType must be one of num, msg: alert; got "flow"/,
    ],
    ['no name', { priority: '', priorityType: 'msg' }, /priority must be the name of a message property/],
    ['a name that is none', { priority: 'a[', priorityType: 'msg' }, /priority must be the name of .* "a\["/],
    ['a number for a name', { priority: 7, priorityType: 'msg' }, /priority must be the name of .* 7/],
  ] as const) {
    it(`refuses ${what} for the priority`, () => {
      assert.throws(() => readPriority(util, properties, { priority: 5, 7: 5 }), wrong(words));
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
      assert.throws(() => readDrill({}, { drill: value }), wrong(/msg\.drill must be one of true, false/));
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
      assert.equal(readSettings({ actions, endAfter }).endAfterMs, ms);
    });
  }

  for (const endAfter of [0, '0', -1, ' ', 'soon', 31_536_001, Number.POSITIVE_INFINITY, true]) {
    it(`has no end after ${JSON.stringify(endAfter)}`, () => {
      assert.throws(() => readSettings({ actions, endAfter }), wrong(/endAfter must be a number of seconds/));
    });
  }

  it('are asked to start where nothing is said', () => {
    assert.deepEqual(
      [undefined, null, '', 'start', 'clear', 'acknowledge', 'state', 'report'].map((operation) =>
        readOperation({ operation }),
      ),
      [...['start', 'start', 'start', 'start', 'clear', 'acknowledge', 'state', 'report']],
    );
    for (const asked of ['Start', 'stop', 'acknowledged', 'reports', 0, false, ['clear']]) {
      assert.throws(
        () => readOperation({ operation: asked }),
        wrong(/msg\.operation must be one of start, clear, acknowledge, state, report: alert;/),
      );
    }
  });

  it('have their actions as a list, or as the text of one', () => {
    assert.deepEqual(readActions({ actions }), actions);
    assert.deepEqual(readActions({ actions: JSON.stringify([actions[0]]) }), [actions[0]]);
    for (const none of [undefined, null, [], '', '[]', '{}', 'strobe/start', {}]) {
      assert.throws(() => readActions({ actions: none }), wrong(/actions must be a list that is not empty/));
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
      assert.deepEqual(
        [readSettings({ actions, retryAlert: given }).retryAlert, retryOf({ retryAlert: given })],
        [meant, meant],
      );
    assert.throws(
      () => readSettings({ actions, retryAlert: 'no' }),
      wrong(/retryAlert must be one of true, false, all/),
    );
    assert.equal(retryOf({ retryAlert: 'no' }), false);
  });

  it('are told while it is idle; what they cannot say is told as usual', () => {
    const { priority, drill, ...rest } = idleOf(util, { priority: '8', drill: true });
    assert.deepEqual([priority, drill], [8, true]);
    assert.deepEqual(rest, {
      ...{ state: 'idle', since: null, active: [], unknown: [], failed: [], pending: [] },
      ...{ dryRun: 0, by: null, clearedBy: null, acknowledged: [] },
    });
    assert.equal(idleOf(util, { priority: 'high' }).priority, 5);
    assert.equal(idleOf(util, { priority: 'level', priorityType: 'msg' }).priority, 5);
  });
});
