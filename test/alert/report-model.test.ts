import assert from 'node:assert/strict';
import { countOf, firstSeed } from '../fixtures/histories';
import { drawHistory, type Event, type Outcome, shrink } from './report-histories';
import { ReportModel } from './report-model';

const [strobe, tone] = ['strobe/start', 'tone/start'];
const at = (ms: number) => new Date(ms).toISOString();

/** A start of both actions at these devices, or of the strobe alone. */
function start(
  ms: number,
  id: number,
  devices: string,
  more: Partial<Extract<Event, { type: 'start' }>> = {},
): Event {
  const actions = [{ operation: strobe }, { operation: tone }];
  const targets = devices.split(' ').map((device) => ({ device, actions }));
  return { at: ms, type: 'start', id, by: 'Ada', drill: false, priority: 5, targets, ...more };
}

const strobeAt = (...devices: string[]) => ({
  targets: devices.map((device) => ({ device, actions: [{ operation: strobe }] })),
});

function receipt(
  ms: number,
  id: number,
  device: string,
  operation: string,
  outcome: Outcome,
  code?: string,
): Event {
  const error = code === undefined ? {} : { code, reason: code, message: `${code}.` };
  return { at: ms, type: 'receipt', start: id, device, operation, outcome, ...error };
}

function held(ms: number, id: number, device: string, operation: string): Event {
  return { at: ms, type: 'receipt', start: id, device, operation, outcome: 'skipped', heldBy: 'Fire' };
}

const accepted = (ms: number, id: number, device: string, operation = strobe) =>
  receipt(ms, id, device, operation, 'accepted');
const clear = (ms: number, by?: string, drill?: boolean): Event => ({
  ...{ at: ms, type: 'clear' },
  ...(by !== undefined && { by }),
  ...(drill !== undefined && { drill }),
});
const ended = (ms: number, device: string, operation = strobe): Event => ({
  at: ms,
  type: 'ended',
  device,
  operation,
});
const acknowledge = (ms: number, by?: unknown, answer?: unknown): Event => ({
  at: ms,
  type: 'acknowledge',
  by,
  answer,
});
const restart = (ms: number, downMs: number): Event => ({ at: ms, type: 'restart', downMs });
const tick = (ms: number): Event => ({ at: ms, type: 'tick' });

function play(events: readonly Event[], acknowledgeWithinMs?: number) {
  const model = new ReportModel(events, { acknowledgeWithinMs });
  const notifications = model.notifications.map(({ at, event }) => `${at} ${event}`);
  const [report, ...others] = model.reports;
  assert.ok(report, 'there is no report');
  return { model, told: notifications, report, others };
}

describe('algo-alert: the model of acknowledgements and reports', () => {
  it('counts the last receipt of each action at each device', () => {
    const {
      model,
      told: notifications,
      report,
    } = play([
      start(1_000, 1, 'Hall Wall Door'),
      accepted(1_040, 1, 'Hall'),
      receipt(1_090, 1, 'Hall', tone, 'confirmed'),
      accepted(1_100, 1, 'Wall'),
      receipt(1_300, 1, 'Wall', tone, 'unknown', 'TIMEOUT'),
      receipt(1_500, 1, 'Door', strobe, 'failed', 'UNREACHABLE'),
      receipt(1_600, 1, 'Door', tone, 'expired', 'EXPIRED'),
      receipt(2_700, 1, 'Door', strobe, 'failed', 'REFUSED'),
      accepted(9_000, 1, 'Door'),
      clear(20_000, 'Ben'),
      ended(20_100, 'Hall', tone),
      ended(20_200, 'Hall'),
      ended(20_300, 'Door'),
      ended(20_400, 'Wall', tone),
      ended(20_450, 'Wall'),
    ]);
    assert.deepEqual(report, {
      name: 'Alert',
      drill: false,
      priority: 5,
      startedAt: at(1_000),
      startedBy: 'Ada',
      clearedAt: at(20_000),
      clearedBy: 'Ben',
      targets: 3,
      reached: 1,
      held: 0,
      dryRun: 0,
      missed: [
        {
          device: 'Wall',
          operation: tone,
          outcome: 'unknown',
          code: 'TIMEOUT',
          reason: 'TIMEOUT',
          message: 'TIMEOUT.',
        },
        {
          device: 'Door',
          operation: tone,
          outcome: 'expired',
          code: 'EXPIRED',
          reason: 'EXPIRED',
          message: 'EXPIRED.',
        },
      ],
      // From the message, not from the first request; the try at 9,000 does not count.
      firstMs: 40,
      lastMs: 100,
      clearMs: 450,
      updates: 0,
      acknowledged: [],
    });
    assert.deepEqual(notifications, ['1600 started', '9000 reached', '20450 cleared']);
    assert.deepEqual(model.notifications.at(-1)?.report, report);
  });

  it('counts a dry run by itself, and has null for the times where no device accepted the first start', () => {
    const { report } = play([
      start(0, 1, 'Hall', strobeAt('Hall')),
      receipt(30, 1, 'Hall', strobe, 'dry-run'),
    ]);
    assert.deepEqual([report.reached, report.dryRun, report.firstMs, report.lastMs], [0, 1, null, null]);
    const late = play([
      start(0, 1, 'Hall', strobeAt('Hall')),
      receipt(30, 1, 'Hall', strobe, 'failed', 'UNREACHABLE'),
      accepted(5_000, 1, 'Hall'),
      start(6_000, 2, 'Hall', strobeAt('Hall')),
      accepted(6_020, 2, 'Hall'),
    ]);
    assert.deepEqual([late.report.reached, late.report.firstMs, late.report.lastMs], [1, null, null]);
    assert.deepEqual(late.told, ['30 started', '5000 reached', '6020 updated']);
  });

  it('counts a target as held only if everything is held back, and as reached once its start comes through', () => {
    const events = [
      start(0, 1, 'Hall Wall Door'),
      held(10, 1, 'Hall', strobe),
      held(11, 1, 'Hall', tone),
      held(12, 1, 'Wall', strobe),
      accepted(50, 1, 'Wall', tone),
      // An action that the model of the device does not support does not count.
      held(60, 1, 'Door', strobe),
      receipt(61, 1, 'Door', tone, 'skipped'),
    ];
    const { report } = play(events);
    assert.deepEqual([report.targets, report.reached, report.held, report.missed], [3, 1, 2, []]);
    const { report: later, told: notifications } = play([...events, accepted(8_000, 1, 'Hall')]);
    assert.deepEqual([later.targets, later.reached, later.held], [3, 2, 1]);
    assert.deepEqual(notifications, ['61 started', '8000 reached']);
  });

  it('keeps clearedAt null until nothing is pending, and takes the moment of the clear then', () => {
    const events = [
      start(0, 1, 'Hall', strobeAt('Hall')),
      accepted(20, 1, 'Hall'),
      clear(5_000, 'Ben'),
      clear(6_000, 'Cem'),
    ];
    const { report, model } = play(events);
    assert.deepEqual([report.clearedAt, report.clearMs, model.state], [null, null, 'clearing']);
    const { report: closed } = play([...events, ended(9_000, 'Hall')]);
    assert.deepEqual([closed.clearedAt, closed.clearedBy, closed.clearMs], [at(5_000), 'Ben', 4_000]);
  });

  it('tells the pending devices 1 s after the clear at the earliest, then each change, then cleared alone', () => {
    const targets = strobeAt('Hall', 'Wall', 'Door', 'Yard');
    const { model } = play([
      start(0, 1, '', targets),
      ...['Hall', 'Wall', 'Door', 'Yard'].map((device, index) => accepted(10 + index, 1, device)),
      clear(5_000),
      ended(5_300, 'Hall'),
      ended(7_000, 'Wall'),
      ended(8_000, 'Door'),
      ended(9_000, 'Yard'),
      tick(20_000),
    ]);
    assert.deepEqual(
      model.notifications.map(({ at, event, pending }) => [at, event, pending?.join()]),
      [
        [13, 'started', undefined],
        [6_000, 'pending', 'Door,Wall,Yard'],
        [7_000, 'pending', 'Door,Yard'],
        [8_000, 'pending', 'Yard'],
        [9_000, 'cleared', undefined],
      ],
    );
    const quick = play([
      start(0, 1, '', strobeAt('Hall')),
      accepted(10, 1, 'Hall'),
      clear(500),
      ended(900, 'Hall'),
      tick(9_000),
    ]);
    assert.deepEqual(quick.told, ['10 started', '900 cleared']);
  });

  it('takes a start while clearing for a new alert: started without cleared, and nothing acknowledged', () => {
    const {
      told: notifications,
      report,
      others,
      model,
    } = play(
      [
        start(0, 1, '', strobeAt('Hall')),
        accepted(20, 1, 'Hall'),
        acknowledge(500, 'Dea', 'safe'),
        clear(2_000, 'Ben'),
        start(2_400, 2, '', { ...strobeAt('Hall'), by: 'Cem', priority: 9 }),
        accepted(2_450, 2, 'Hall'),
        tick(60_000),
      ],
      10_000,
    );
    assert.deepEqual(notifications, [
      '20 started',
      '500 acknowledged',
      '2450 started',
      '12400 unacknowledged',
    ]);
    const [old] = others;
    assert.deepEqual([old?.clearedAt, old?.clearedBy, old?.clearMs], [at(2_000), 'Ben', null]);
    assert.deepEqual(old?.acknowledged, [{ by: 'Dea', at: at(500), answer: 'safe' }]);
    assert.deepEqual(
      [report.startedBy, report.priority, report.updates, report.clearedAt],
      ['Cem', 9, 0, null],
    );
    const acknowledged: never[] = [];
    assert.deepEqual(model.alert, {
      ...{ state: 'active', drill: false, priority: 9, by: 'Cem', clearedBy: null, acknowledged },
    });
  });

  it('takes a start while the alert is on for an update: same report, same acknowledgements, same time', () => {
    const { told: notifications, report } = play(
      [
        start(0, 1, '', strobeAt('Hall')),
        accepted(20, 1, 'Hall'),
        start(4_000, 2, '', { ...strobeAt('Hall', 'Wall'), by: 'Cem', priority: 7 }),
        receipt(4_010, 2, 'Hall', strobe, 'failed', 'UNREACHABLE'),
        accepted(4_600, 2, 'Wall'),
        tick(60_000),
      ],
      5_000,
    );
    assert.deepEqual(notifications, ['20 started', '4600 updated', '5000 unacknowledged']);
    const { startedAt, startedBy, priority, updates, targets, reached, missed, firstMs, lastMs } = report;
    assert.deepEqual([startedAt, startedBy, priority, updates], [at(0), 'Ada', 7, 1]);
    // The last receipt at Hall is the failed one, although the strobe was accepted before.
    assert.deepEqual([targets, reached, missed.length, firstMs, lastMs], [2, 1, 1, 20, 20]);
  });

  it('records one acknowledgement for each person, and refuses it where it cannot count', () => {
    const { model, told: notifications } = play(
      [
        acknowledge(10, 'Ada'),
        start(100, 1, '', strobeAt('Hall')),
        accepted(150, 1, 'Hall'),
        acknowledge(200, 'Ada', 'hurt'),
        acknowledge(300, 'Ben'),
        acknowledge(400, 'Ada', 'safe'),
        acknowledge(500),
        acknowledge(600, 'y'.repeat(201), 'safe'),
        acknowledge(700, 'Cem', 'x'.repeat(201)),
        acknowledge(800, 'Cem', 5),
        clear(5_000),
        acknowledge(5_100, 'Cem'),
      ],
      1_000,
    );
    assert.deepEqual(model.alert.acknowledged, [
      { by: 'Ada', at: at(200), answer: 'safe' },
      { by: 'Ben', at: at(300) },
    ]);
    assert.deepEqual(model.refused, [10, 500, 600, 700, 800, 5_100]);
    assert.deepEqual(notifications, [
      '150 started',
      '200 acknowledged',
      '300 acknowledged',
      '400 acknowledged',
    ]);
  });

  it('records 500 people at most, whose answers may still be replaced', () => {
    const people = Array.from({ length: 501 }, (_, index) => acknowledge(100 + index, `Person ${index}`));
    const { model } = play([
      start(0, 1, '', strobeAt('Hall')),
      ...people,
      acknowledge(900, 'Person 7', 'safe'),
    ]);
    assert.equal(model.alert.acknowledged.length, 500);
    assert.deepEqual(model.alert.acknowledged[7], { by: 'Person 7', at: at(107), answer: 'safe' });
    assert.deepEqual(model.refused, [600]);
  });

  it('tells unacknowledged once for each alert, over restarts, and not after the clear', () => {
    const on = [start(0, 1, '', strobeAt('Hall')), accepted(20, 1, 'Hall')];
    const { told: notifications } = play(
      [
        ...on,
        restart(9_000, 6_000),
        restart(20_000, 500),
        start(25_000, 2, '', strobeAt('Hall')),
        tick(90_000),
      ],
      5_000,
    );
    assert.deepEqual(notifications, ['20 started', '9000 unacknowledged', '26000 updated']);
    const known = play([...on, acknowledge(100, 'Ada'), restart(9_000, 6_000), tick(90_000)], 5_000);
    assert.deepEqual(known.told, ['20 started', '100 acknowledged']);
    assert.equal(known.report.acknowledged.length, 1);
    assert.deepEqual(play([...on, clear(3_000), tick(9_000)], 5_000).told, ['20 started', '4000 pending']);
  });

  it('ignores a drill of a real alert, and makes a drill real by a real start', () => {
    const { told: notifications, report } = play([
      start(0, 1, '', { ...strobeAt('Hall'), drill: true, priority: 2 }),
      accepted(20, 1, 'Hall'),
      start(3_000, 2, '', { ...strobeAt('Hall'), priority: 6 }),
      accepted(3_020, 2, 'Hall'),
      start(4_000, 3, '', { ...strobeAt('Hall', 'Wall'), drill: true, priority: 9 }),
      receipt(4_001, 3, 'Hall', strobe, 'skipped'),
      receipt(4_002, 3, 'Wall', strobe, 'skipped'),
      clear(5_000, 'Ben', true),
      tick(9_000),
    ]);
    assert.deepEqual(notifications, ['20 started', '3020 updated']);
    const { drill, priority, updates, targets, reached, clearedBy } = report;
    assert.deepEqual([drill, priority, updates, targets, reached, clearedBy], [false, 6, 1, 1, 1, null]);
  });

  it('leaves a closed report of a start that was refused everywhere, behind the open one', () => {
    const refused = (ms: number, id: number, code: string) => [
      start(ms, id, '', { ...strobeAt('Hall', 'Wall'), isRefused: code !== 'REFUSED' }),
      receipt(ms + 1, id, 'Hall', strobe, 'failed', code),
      receipt(ms + 2, id, 'Wall', strobe, 'failed', code),
    ];
    const { told: notifications, report, model } = play(refused(1_000, 1, 'NOT_SUPPORTED'));
    assert.deepEqual([notifications, model.state], [[], 'idle']);
    assert.deepEqual([report.targets, report.reached, report.missed.length], [2, 0, 2]);
    assert.deepEqual([report.clearedAt, report.clearMs, report.firstMs], [at(1_002), null, null]);
    // The devices may come back, so the alert is on.
    assert.deepEqual(play(refused(1_000, 1, 'REFUSED')).told, ['1002 started']);
    const meanwhile = play([
      start(0, 1, '', strobeAt('Hall')),
      accepted(20, 1, 'Hall'),
      clear(500),
      ...refused(1_000, 2, 'INVALID_PARAMETER'),
    ]);
    assert.deepEqual([meanwhile.report.startedAt, meanwhile.report.clearedAt], [at(0), null]);
    assert.equal(meanwhile.others[0]?.startedAt, at(1_000));
  });

  it('waits 1 s for the receipts of a start, and for a start that is under way at the clear', () => {
    const { told: notifications, report } = play([
      start(0, 1, '', strobeAt('Hall', 'Wall')),
      accepted(20, 1, 'Hall'),
      accepted(1_700, 1, 'Wall'),
      start(3_000, 2, '', strobeAt('Wall')),
      clear(3_050),
      ended(3_100, 'Hall'),
      ended(3_150, 'Wall'),
      receipt(3_200, 2, 'Wall', strobe, 'superseded', 'SUPERSEDED'),
    ]);
    // The answer at 1,700 is that of the start: no `reached`, and it counts for `lastMs`.
    assert.deepEqual(notifications, ['1000 started', '3050 updated', '3200 cleared']);
    assert.deepEqual([report.firstMs, report.lastMs, report.clearMs], [20, 1_700, 150]);
    // The last receipt at Wall is neither a success nor missed.
    assert.deepEqual([report.targets, report.reached, report.missed], [2, 1, []]);
  });

  it('still misses a device whose retry the clear cancelled', () => {
    const { report } = play([
      start(0, 1, '', strobeAt('Hall')),
      receipt(20, 1, 'Hall', strobe, 'failed', 'UNREACHABLE'),
      clear(500),
      receipt(510, 1, 'Hall', strobe, 'superseded', 'SUPERSEDED'),
    ]);
    assert.deepEqual([report.reached, report.missed.map(({ code }) => code)], [0, ['UNREACHABLE']]);
  });

  it('keeps the last 20 reports, newest first', () => {
    const events = Array.from({ length: 22 }, (_, index) => {
      const ms = index * 10_000;
      return [
        start(ms, index, '', strobeAt('Hall')),
        accepted(ms + 20, index, 'Hall'),
        clear(ms + 100),
        ended(ms + 150, 'Hall'),
      ];
    });
    const { model } = play(events.flat());
    assert.deepEqual(
      model.reports.map(({ startedAt }) => startedAt),
      Array.from({ length: 20 }, (_, index) => at((21 - index) * 10_000)),
    );
  });

  const count = countOf({ defaultCount: 2_000 });
  it(`keeps to itself in ${count} histories from ALGO_SEED=${firstSeed} on`, () => {
    const seen = new Set<string>();
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const { events, acknowledgeWithinMs } = drawHistory(seed);
      const model = new ReportModel(events, { acknowledgeWithinMs });
      for (const { event } of model.notifications) seen.add(event);
      const wrong = wrongIn(model, events);
      assert.equal(wrong, undefined, `ALGO_SEED=${seed}: ${wrong}`);
    }
    const all = ['acknowledged', 'cleared', 'pending', 'reached', 'started', 'unacknowledged', 'updated'];
    if (count >= 500) assert.deepEqual([...seen].sort(), all);
  });

  it('shrinks a history to the events that a failure needs', async () => {
    const { events } = drawHistory(4);
    const isCleared = (fewer: readonly Event[]) =>
      new ReportModel(fewer).notifications.some(({ event }) => event === 'cleared');
    assert.ok(isCleared(events));
    const left = await shrink(events, isCleared);
    assert.ok(isCleared(left));
    assert.ok(left.length <= 4, `${left.length} events are left`);
    for (const event of left) assert.ok(!isCleared(left.filter((other) => other !== event)), event.type);
  });
});

/** A sentence of the contract that does not hold in this history. */
function wrongIn(
  { notifications, reports, state }: ReportModel,
  events: readonly Event[],
): string | undefined {
  if (events.some(({ at }, index) => index > 0 && at <= (events[index - 1]?.at ?? 0)))
    return 'two events at the same time';
  const of = (name: string) => notifications.filter(({ event }) => event === name).length;
  const open = reports.filter(({ clearedAt }) => clearedAt === null);
  if (open.length !== (state === 'idle' ? 0 : 1)) return 'not one open report for an alert that is on';
  if (open[0] && open[0] !== reports[0]) return 'the open report is not the first';
  if (of('unacknowledged') > of('started')) return 'unacknowledged twice for one alert';
  if (of('cleared') !== reports.filter(({ clearMs }) => clearMs !== null).length)
    return 'a report without cleared';
  const sums = reports.filter(({ targets, reached, held, firstMs, lastMs }) => {
    return (
      reached + held > targets || (firstMs ?? 0) > (lastMs ?? 0) || (firstMs === null) !== (lastMs === null)
    );
  });
  return sums.length > 0 ? `counts of ${sums[0]?.startedAt}` : undefined;
}
