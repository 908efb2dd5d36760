import assert from 'node:assert/strict';
import type { DeviceAction, StartRequest } from '../../src/runtime/alert/alert';
import type { Engine } from '../../src/runtime/alert/engine';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

/** A process over what another one has left. */
const restarted = (journal: Map<string, unknown>, clock = new Clock()) => boot(clock, journal);
const shown = (engine: Engine, id = 'a') =>
  clearIn(engine, id).map(({ kind, alert, device }) => `${kind} ${alert} ${device.id}`);
/** The same device by one of its names. */
const named = (id: string) => ({
  ...deviceAction,
  action: { ...deviceAction.action, retry: 'always' as const },
  device: { id, name: id, where: 'http://wall' },
});

describe('what an alert reads back after a restart', () => {
  /** An alert that is on. */
  function isOn(
    deviceActions: readonly DeviceAction[] = [deviceAction],
    startRequest: StartRequest = about,
  ): Engine {
    const engine = boot(new Clock());
    for (const { ticket } of engine.start(startRequest, deviceActions))
      if (ticket) engine.answered(ticket, 'taken');
    return engine;
  }

  it('is over at the time that it was to be over, or at once where that has passed', () => {
    const journal = kept(isOn([deviceAction], { ...about, endAfterMs: 10_000 }));
    const early = new Clock();
    early.ms = 4_000;
    const engine = restarted(journal, early);
    assert.deepEqual([engine.nextAt, engine.overdue()], [10_000, []]);
    const late = new Clock();
    late.ms = 15_000;
    assert.deepEqual(restarted(journal, late).overdue(), ['a']);
  });

  it('is still a dry run where it was one', () => {
    const journal = kept(isOn([{ ...deviceAction, dryRun: true }]));
    assert.deepEqual(
      clearIn(restarted(journal), 'a').map(({ output }) => output.dryRun),
      [true],
    );
  });

  it('speaks to a device by the name that each alert was started with', () => {
    const [one, two] = [named('one'), named('two')];
    const engine = isOn([one]);
    const [answer] = engine.start({ ...about, id: 'b' }, [two]);
    // On its way when the process died, so that what it was to replace may still be on.
    const second = restarted(kept(engine));
    assert.deepEqual([shown(second, 'a'), shown(second, 'b')], [['return b two'], ['end b two']]);
    if (answer?.ticket) engine.answered(answer.ticket, 'taken');
    const third = restarted(kept(engine));
    assert.deepEqual([shown(third, 'a'), shown(third, 'b')], [[], ['end b two']]);
    for (const { ticket } of engine.start(about, [one])) if (ticket) engine.answered(ticket, 'taken');
    assert.deepEqual(shown(restarted(kept(engine)), 'a'), ['return b two']);
  });

  it('is ended where the clear was stored, and not yet what it was cleared of', () => {
    const engine = isOn();
    const before = kept(engine).get('alert/at/d/strobe');
    clearIn(engine, 'a');
    const second = restarted(kept(engine).set('alert/at/d/strobe', before));
    assert.deepEqual([second.state('a')?.state, second.state('a')?.pending], ['clearing', ['D']]);
    assert.deepEqual(
      second.due().map(({ kind }) => kind),
      ['end'],
    );
  });

  it('is ended where nothing is known any more of the alert that has started it', () => {
    const journal = kept(isOn());
    journal.delete('alert/is/a');
    assert.deepEqual(
      restarted(journal)
        .due()
        .map(({ kind, device }) => `${kind} ${device.id}`),
      ['end d'],
    );
  });

  it('is older than whatever is started from now on', () => {
    const engine = isOn([deviceAction, { ...deviceAction, deviceOutput: 'text' }]);
    const [answer] = engine.start(about, [{ ...deviceAction, deviceOutput: 'relay' }]);
    if (answer?.ticket) engine.answered(answer.ticket, 'refused');
    const journal = kept(engine);
    const [other] = restarted(journal).start({ ...about, id: 'b' }, [deviceAction]);
    assert.equal(other?.heldBy, undefined);
    const second = restarted(kept(isOn([deviceAction, { ...deviceAction, deviceOutput: 'text' }])));
    second.start(about, [deviceAction]);
    assert.deepEqual(
      clearIn(second, 'a').map(({ output }) => output.deviceOutput),
      ['strobe', 'text'],
    );
  });

  const whole = () => Object.fromEntries(kept(isOn()));
  const isAt = 'alert/at/d/strobe';
  const output = whole()[isAt] as Record<string, unknown>;
  const alert = whole()['alert/is/a'] as Record<string, unknown>;
  const [[, claim] = []] = output.claims as [string, Record<string, unknown>][];
  const [on] = output.starts as Record<string, unknown>[];
  const right = deviceAction.action;
  const wrong: [what: string, value: unknown][] = [
    ['nothing', null],
    ['a number', 7],
    ['no device', { ...output, device: undefined }],
    ['a device without a name', { ...output, device: { id: 'd' } }],
    ['no device output', { ...output, deviceOutput: 1 }],
    ['no dry run', { ...output, dryRun: undefined }],
    ['claims that are none', { ...output, claims: {} }],
    ['a claim that is none', { ...output, claims: [null] }],
    ['a claim without a device', { ...output, claims: [['a', { ...claim, device: undefined }]] }],
    ['a claim of an unknown problem', { ...output, claims: [['a', { ...claim, problem: 'tired' }]] }],
    ['starts that are none', { ...output, starts: undefined }],
    ['one start alone', { ...output, starts: undefined, on }],
    ['a start without a device', { ...output, starts: [{ ...on, device: undefined }] }],
    ...[2 ** 53, 1e300, -1, 0.5].map((number): [string, unknown] => [
      `the number ${number}`,
      { ...output, starts: [{ ...on, number }] },
    ]),
    ...(
      [
        ['nothing', null],
        ['without an operation', { ...right, operation: undefined }],
        ['without parameters', { ...right, parameters: null }],
        ['of parameters that are none', { ...right, parameters: 'all' }],
        ['of an end that is nothing', { ...right, end: null }],
        ['of an end without an operation', { ...right, end: { parameters: {} } }],
        ['of an end without parameters', { ...right, end: { operation: 'strobe/stop' } }],
      ] as [string, unknown][]
    ).map(([what, action]): [string, unknown] => [
      `an action ${what}`,
      { ...output, starts: [], underWay: [{ ...on, action }] },
    ]),
  ];
  for (const [what, value] of wrong) {
    it(`leaves out a place with ${what}, and keeps the others`, () => {
      const other = { ...output, deviceOutput: 'text' };
      const engine = restarted(
        new Map([...Object.entries(whole()), [isAt, value], ['alert/at/d/text', other]]),
      );
      assert.deepEqual(shown(engine), ['end a d']);
    });
  }

  for (const [what, value] of [
    ['nothing', null],
    ['no id', { ...alert, id: undefined }],
    ['no name', { ...alert, name: 7 }],
    ['no beginning', { ...alert, since: undefined }],
    ['no priority', { ...alert, priority: 'high' }],
    ['no order', { ...alert, order: undefined }],
    ['no targets', { ...alert, targets: 'all' }],
    ['no run', { ...alert, run: undefined }],
    ['no time of its request', { ...alert, asked: undefined }],
    ['no limit', { ...alert, maxParallel: undefined }],
    ['an end that is no time', { ...alert, ends: { at: 'noon', afterMs: 1 } }],
    ['an end of no length', { ...alert, ends: { at: 1 } }],
    ['an end that is nothing', { ...alert, ends: null }],
  ] as [string, unknown][]) {
    it(`takes an alert with ${what} for none, and ends what it has started`, () => {
      const engine = restarted(new Map([...Object.entries(whole()), ['alert/is/a', value]]));
      assert.equal(engine.alerts.size, 0);
      assert.deepEqual(
        engine.due().map(({ kind }) => kind),
        ['end'],
      );
    });
  }
});
