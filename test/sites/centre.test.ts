import assert from 'node:assert/strict';
import { Centre, type CentreAction } from '../../src/sites/centre';
import type { JobMessage, Kind } from '../../src/sites/wire';
import { fasterThanLinear } from '../fixtures/faster-than-linear';
import { receipt } from './site-instance';

const job: JobMessage = {
  v: 2,
  id: 'j',
  site: 'north',
  at: 'now',
  command: { operation: 'tone/start', parameters: {} },
  devices: ['A'],
};

/** A centre that has asked for 5 s; what happens then, and what it says of it. */
function verdictOf(
  story: (receive: (kind: Kind, message?: object) => void, centre: Centre) => void,
): string[] {
  const centre = new Centre({ now: () => 'now' });
  const actions: CentreAction[] = [];
  actions.push(...centre.connected(0), ...centre.ask(0, { job, ttlMs: 5_000, isIdempotent: false }));
  story((kind, message) => {
    const payload = message ? JSON.stringify({ v: 2, ...message }) : '';
    actions.push(...centre.message(5_010, { site: 'north', kind, id: 'j' }, payload));
  }, centre);
  actions.push(...centre.tick(7_900), ...centre.tick(8_000));
  return actions.flatMap((action) =>
    action.do === 'publish' ? [] : action.result.receipts.map(({ outcome }) => `${action.do} ${outcome}`),
  );
}

const claim = { instance: 'a', nodeId: 'a', seq: 1 };

describe('a verdict of the centre', () => {
  it('is expired where the emptying came back and nobody had claimed', () => {
    const found = verdictOf((receive, centre) => {
      centre.tick(5_000);
      receive('job');
    });
    assert.deepEqual(found, ['answer expired']);
  });

  it('is unknown where the emptying did not come back', () => {
    assert.deepEqual(
      verdictOf((_hear, centre) => void centre.tick(5_000)),
      ['answer unknown'],
    );
  });

  it('is unknown where it was claimed', () => {
    const found = verdictOf((receive, centre) => {
      receive('claim', claim);
      centre.tick(5_000);
      receive('job');
    });
    assert.deepEqual(found, ['answer unknown']);
  });

  it('is unknown where the connection was lost meanwhile', () => {
    const found = verdictOf((receive, centre) => {
      centre.disconnected();
      centre.connected(2_000);
      centre.tick(5_000);
      receive('job');
    });
    assert.deepEqual(found, ['answer unknown']);
  });

  it('is the answer, and what comes later is told as such', () => {
    const found = verdictOf((receive) => {
      receive('result', { instance: 'a', at: '1', receipts: [receipt] });
      receive('result', { instance: 'b', at: '2', receipts: [{ ...receipt, outcome: 'failed' }] });
    });
    assert.deepEqual(found, ['answer accepted', 'late failed']);
  });
});

describe('a job that may be done twice', () => {
  /** What becomes of it where an instance was heard last so long before it was asked. */
  const receiveFrom = (silentMs: number) => {
    const centre = new Centre({ now: () => 'now' });
    const at = 60_000;
    centre.connected(0);
    const state = { v: 2, instance: 'a', nodeId: 'a', rank: 0, seq: 1, ready: true };
    const about = { site: 'north', kind: 'state', id: 'a' } as const;
    centre.message(at - silentMs, about, JSON.stringify(state));
    centre.ask(at, { job, ttlMs: 20_000, isIdempotent: true });
    centre.tick(at + 20_000);
    centre.message(at + 20_010, { site: 'north', kind: 'job', id: 'j' }, '');
    return centre
      .tick(at + 23_000)
      .flatMap((action) => (action.do === 'answer' ? action.result.receipts[0]?.outcome : []));
  };

  it('is unknown where an instance lived when it was asked, and was not heard any more', () => {
    assert.deepEqual(receiveFrom(1_500), ['unknown']);
    assert.deepEqual(receiveFrom(6_000), ['expired']);
  });
});

describe('a job that must not be done twice', () => {
  const alive = (instance: string) =>
    JSON.stringify({ v: 2, instance, nodeId: instance, rank: 0, seq: 1, ready: true });
  /** What a job on its way says of the instances. */
  const publishedJobs = (actions: readonly CentreAction[]) =>
    actions.flatMap((action) => {
      if (action.do !== 'publish' || !action.message) return [];
      const { eligible, maybeClaimedBy } = action.message as JobMessage;
      return [{ eligible, maybeClaimedBy }];
    });

  it('names who may claim it, whoever comes later, and all of them when the connection was lost', () => {
    const centre = new Centre({ now: () => 'now', isSigned: true });
    const receive = (now: number, instance: string) =>
      centre.message(now, { site: 'north', kind: 'state', id: instance }, alive(instance));
    centre.connected(0);
    receive(0, 'a');
    const ask = { job, ttlMs: 60_000, isIdempotent: false };
    assert.deepEqual(publishedJobs(centre.ask(1_000, ask)), [{ eligible: ['a'], maybeClaimedBy: undefined }]);
    assert.deepEqual(publishedJobs(receive(2_000, 'a')), []);
    assert.deepEqual(publishedJobs(receive(8_500, 'b')), [
      { eligible: ['a', 'b'], maybeClaimedBy: undefined },
    ]);
    centre.disconnected();
    assert.deepEqual(publishedJobs(centre.connected(20_000)), [
      { eligible: ['a', 'b'], maybeClaimedBy: ['a', 'b'] },
    ]);
    assert.deepEqual(
      publishedJobs(centre.ask(20_000, { ...ask, job: { ...job, id: 'k' }, isIdempotent: true })),
      [{ eligible: undefined, maybeClaimedBy: undefined }],
    );
  });

  it('may be claimed by anybody where it is not signed, and all that were heard are named after a loss', () => {
    const centre = new Centre({ now: () => 'now' });
    const receive = (now: number, instance: string) =>
      centre.message(now, { site: 'north', kind: 'state', id: instance }, alive(instance));
    centre.connected(0);
    const asked = centre.ask(1_000, { job, ttlMs: 60_000, isIdempotent: false });
    assert.deepEqual(publishedJobs(asked), [{ eligible: undefined, maybeClaimedBy: undefined }]);
    assert.deepEqual(publishedJobs(receive(2_000, 'a')), []);
    centre.disconnected();
    assert.deepEqual(publishedJobs(centre.connected(3_000)), [
      { eligible: undefined, maybeClaimedBy: ['a'] },
    ]);
  });
});

describe('an all-clear for all instances of a site', () => {
  const command = { alert: 'Lockdown', action: 'clear' } as const;
  const receiveFrom = (centre: Centre, now: number, kind: Kind, id: string, message: object) =>
    centre.message(now, { site: 'north', kind, id }, JSON.stringify({ v: 2, ...message }));
  const alive = (instance: string) => ({ instance, nodeId: instance, rank: 0, seq: 1, ready: true });

  it('is answered when all that live have done it, and when who has not is dead', () => {
    const centre = new Centre({ now: () => 'now' });
    centre.connected(0);
    for (const instance of ['a', 'b']) receiveFrom(centre, 0, 'state', instance, alive(instance));
    centre.ask(1_000, { job: { ...job, command }, ttlMs: 30_000, isIdempotent: true });
    const cleared = { alert: 'Lockdown', at: 'now' };
    const result = { instance: 'a', at: '1', receipts: [receipt], doneBy: ['a'], cleared };
    const answers = (actions: CentreAction[]) => actions.filter((action) => action.do === 'answer').length;
    assert.equal(answers(receiveFrom(centre, 1_100, 'result', 'j', result)), 0);
    assert.equal(answers(centre.tick(5_000)), 0);
    receiveFrom(centre, 5_500, 'state', 'a', alive('a'));
    assert.equal(centre.wakeAt(5_500), 6_000);
    assert.equal(answers(centre.tick(5_900)), 0);
    assert.equal(answers(centre.tick(6_000)), 1);
  });
});

describe('an all-clear of what an instance has started that is not there', () => {
  const clear: JobMessage = {
    ...job,
    at: '2026-11-22T10:05:00.000Z',
    command: { alert: 'Lockdown', action: 'clear' },
  };
  const alert = 'Lockdown';
  const started = { alert, at: '2026-11-22T10:00:00.000Z', nodeId: 'first' };
  const start = {
    instance: 'a',
    at: '1',
    receipts: [receipt, { ...receipt, device: 'B', outcome: 'superseded' }],
    started,
  };
  const cleared = (...nodeIds: string[]) => ({
    instance: 'b',
    at: '2',
    receipts: [],
    doneBy: ['b'],
    cleared: { alert, at: clear.at, nodeIds },
  });

  const shown = (actions: readonly CentreAction[]) =>
    actions.flatMap((action) =>
      action.do === 'answer'
        ? action.result.receipts.map(({ device, outcome }) => `${device} ${outcome}`)
        : [],
    );

  /** What a centre answers that has heard these results, of which the last is of its own question. */
  const answered = (...results: (readonly [id: string, result: object])[]) => {
    const centre = new Centre({ now: () => 'now' });
    const asking = { job: clear, ttlMs: 30_000, isIdempotent: true };
    const actions = [...centre.connected(0), ...centre.ask(7_000, asking)];
    for (const [id, result] of results) actions.push(...receiveResult(centre, 7_010, id, result));
    return shown(actions);
  };

  const receiveResult = (centre: Centre, now: number, id: string, result: object) =>
    centre.message(now, { site: 'north', kind: 'result', id }, JSON.stringify({ v: 2, ...result }));

  for (const [what, last, expected] of [
    ['waits for it', cleared('second', 'first'), []],
    ['waits for it in vain', undefined, ['A unknown']],
  ] as const) {
    it(`${what} where the centre has just been started, and cannot know yet who lives`, () => {
      const centre = new Centre({ now: () => 'now' });
      centre.connected(0);
      receiveResult(centre, 5, 's', start);
      centre.ask(100, { job: clear, ttlMs: 30_000, isIdempotent: true });
      assert.equal(receiveResult(centre, 110, 'j', cleared('second')).length, 0);
      assert.equal(centre.tick(5_500).filter((action) => action.do === 'answer').length, 0);
      const actions = last ? receiveResult(centre, 5_900, 'j', last) : centre.tick(11_000);
      assert.equal(actions.filter((action) => action.do === 'answer').length, 1);
      assert.deepEqual(shown(actions), expected);
    });
  }

  it('is unknown for each device where it may be on', () => {
    assert.deepEqual(answered(['s', start], ['j', cleared('second')]), ['A unknown']);
  });

  it('is done where a later life of that instance has cleared it', () => {
    assert.deepEqual(answered(['s', start], ['j', cleared('second', 'first')]), []);
  });

  it('is unknown where another has started it since, and has cleared only what it has started', () => {
    const at = '2026-11-22T10:02:00.000Z';
    const again = { ...start, started: { ...started, at, nodeId: 'second' } };
    assert.deepEqual(answered(['t', again], ['s', start], ['j', cleared('second')]), ['A unknown']);
    assert.deepEqual(answered(['t', again], ['s', start], ['j', cleared('second', 'first')]), []);
  });

  for (const [outcome, code, isRest] of [
    ['accepted', undefined, true],
    ['confirmed', undefined, true],
    ['unknown', 'TIMEOUT', true],
    // The instance tries again until it clears the alert.
    ['failed', 'UNREACHABLE', true],
    ['failed', 'REFUSED', true],
    ['expired', 'EXPIRED', true],
    // Another alert holds it back until that one ends.
    ['skipped', undefined, true],
    ['skipped', 'NOT_SUPPORTED', false],
    ['failed', 'INVALID_PARAMETER', false],
    ['failed', 'NOT_CONFIGURED', false],
    ['superseded', 'SUPERSEDED', false],
    ['dry-run', undefined, false],
  ] as const) {
    it(`is ${isRest ? 'unknown' : 'done'} where its start is ${outcome} ${code ?? ''}`, () => {
      const error = code && { error: { code, reason: '', message: '' } };
      const receipts = [{ ...receipt, operation: 'strobe/start', outcome, ...error }];
      const rest = answered(['s', { ...start, receipts }], ['j', cleared('second')]);
      assert.deepEqual(rest, isRest ? ['A unknown'] : []);
    });
  }

  it('is done where the job did not become an alert', () => {
    for (const outcome of ['failed', 'expired', 'superseded']) {
      const receipts = [{ ...receipt, operation: 'alert/start', outcome }];
      assert.deepEqual(answered(['s', { ...start, receipts }], ['j', cleared('second')]), []);
    }
  });

  it('is done of a drill that was cleared as one, and not of a real start', () => {
    const [drill, of] = [true, (message: object, at: string) => ({ ...message, at })];
    const later = of({ ...started, drill }, '2026-11-22T10:02:00.000Z');
    const held = { ...start, started: later };
    const over = cleared('first');
    const drillOver = { ...over, cleared: { ...of(over.cleared, '2026-11-22T10:03:00.000Z'), drill } };
    const last = ['j', cleared('second')] as const;
    assert.deepEqual(answered(['d', held], last), ['A unknown']);
    assert.deepEqual(answered(['d', held], ['c', drillOver], last), []);
    assert.deepEqual(answered(['s', start], ['d', held], ['c', drillOver], last), ['A unknown']);
  });

  it('of a drill is unknown where the drill may be on, and says nothing of a real start', () => {
    const last = [
      'j',
      { ...cleared('second'), cleared: { ...cleared('second').cleared, drill: true } },
    ] as const;
    assert.deepEqual(answered(['s', start], last), []);
    assert.deepEqual(answered(['s', { ...start, started: { ...started, drill: true } }], last), [
      'A unknown',
    ]);
  });

  it('is done where it was cleared before', () => {
    const before = cleared('first');
    before.cleared.at = '2026-11-22T10:01:00.000Z';
    assert.deepEqual(answered(['c', before], ['s', start], ['j', cleared('second')]), []);
  });

  it('stays unknown when it is asked for once more', () => {
    const before = cleared('second');
    before.cleared.at = '2026-11-22T10:01:00.000Z';
    assert.deepEqual(answered(['s', start], ['c', before], ['j', cleared('second')]), ['A unknown']);
  });
});

describe('what the centre does', () => {
  it('costs the same for each message, whatever waits for an answer', () => {
    const ask = (count: number) => {
      const centre = new Centre({ now: () => 'now' });
      centre.connected(0);
      for (let index = 0; index < count; index += 1) {
        centre.ask(index / 10, { job: { ...job, id: `j${index}` }, ttlMs: 60_000, isIdempotent: false });
        centre.wakeAt(index / 10);
      }
    };
    assert.equal(
      fasterThanLinear((size) => size / 10, ask),
      undefined,
    );
  });
});
