import assert from 'node:assert/strict';
import type { Engine } from '../../src/runtime/alert/engine';
import type { Answer } from '../../src/runtime/alert/output-state';
import type { ActionReceipt } from '../../src/runtime/alert/reports';
import { about, boot, Clock, clearIn, deviceAction, journalOf } from './engine-parts';

describe('the reports of alerts in the journal', () => {
  let clock: Clock;
  let engine: Engine;
  beforeEach(() => {
    clock = new Clock();
    engine = boot(clock);
  });
  const restart = (journal = journalOf(engine)) => {
    engine = boot(clock, journal);
  };
  const receipt = (more: Partial<ActionReceipt> = {}): ActionReceipt => ({
    ...{ target: deviceAction.device, device: 'D', operation: 'strobe/start', outcome: 'accepted', index: 0 },
    ...{ latencyMs: 20, ...more },
  });
  const start = () => engine.start(about, [deviceAction]);
  const answer = (answers: readonly Answer[], more?: Partial<ActionReceipt>) => {
    for (const { ticket } of answers) if (ticket) engine.answered(ticket, 'taken', receipt(more));
  };
  const clear = () => {
    for (const ticket of clearIn(engine, 'a')) engine.answered(ticket, 'taken');
  };

  it('are there after a restart, with what they count', () => {
    answer(start());
    const before = engine.reports('a');
    assert.deepEqual([before[0]?.reached, before[0]?.firstMs], [1, 20]);
    restart();
    assert.deepEqual(engine.reports('a'), before);
    clear();
    const closed = engine.reports('a');
    restart();
    assert.deepEqual(engine.reports('a'), closed);
    assert.deepEqual(
      [...journalOf(engine).keys()].map((key) => key.split('/')[1]),
      ['report'],
    );
  });

  it('count the time from the message to a first receipt, and of no update', () => {
    answer(start());
    answer(start(), { latencyMs: 7 });
    const [report] = engine.reports('a');
    assert.deepEqual([report?.updates, report?.reached, report?.firstMs, report?.lastMs], [1, 1, 20, 20]);
    clear();
    answer(start(), { latencyMs: 7 });
    assert.deepEqual([engine.reports('a')[0]?.firstMs, engine.reports('a')[0]?.lastMs], [7, 7]);
  });

  it('are left as they are where they are not understood, and the others work', () => {
    answer(start());
    clear();
    const journal = journalOf(engine);
    const [[key = '', whole] = []] = [...journal];
    const { report } = whole as { report: object };
    const odd: unknown[] = [
      ...[null, 7, 'text', [], {}, { ...Object(whole), run: 7 }, { ...Object(whole), report: null }],
      ...Object.keys(report).map((name) => ({
        ...Object(whole),
        report: { ...report, [name]: { odd: true } },
      })),
    ];
    for (const [index, value] of odd.entries()) {
      journal.set(`alert/report/a/odd${index}`, value);
      journal.set(`alert/receipt/a/odd/${index}`, value);
    }
    const before = new Map([...journal].filter(([name]) => name.includes('odd')));
    restart(journal);
    assert.equal(engine.reports('a').length, 1);
    for (let count = 0; count < 25; count += 1) {
      answer(start());
      clear();
    }
    assert.equal(engine.reports('a').length, 20);
    assert.deepEqual(new Map([...journalOf(engine)].filter(([name]) => name.includes('odd'))), before);
    assert.ok(!journalOf(engine).has(key));
  });

  it('count a device as reached under all its names when a retry reaches it', () => {
    const where = 'http://wall';
    const named = (id: string) => ({
      ...deviceAction,
      device: { id, name: id.toUpperCase(), where },
      action: { ...deviceAction.action, retry: 'always' as const },
    });
    const two = { ...about, targets: ['d', 'row'], retryAlert: true };
    for (const [index, { ticket }] of engine.start(two, [named('d'), named('row')]).entries()) {
      const target = named(index === 0 ? 'd' : 'row').device;
      const failed = receipt({ target, device: target.name, outcome: 'failed', code: 'UNREACHABLE' });
      if (ticket) engine.answered(ticket, 'missed', failed);
    }
    assert.deepEqual([engine.reports('a')[0]?.missed.length, engine.reports('a')[0]?.reached], [2, 0]);
    clock.ms = 60_000;
    for (const ticket of engine.due()) {
      engine.answered(ticket, 'taken', receipt({ target: ticket.device }));
    }
    const [report] = engine.reports('a');
    assert.deepEqual([report?.targets, report?.reached, report?.missed, report?.firstMs], [2, 2, [], null]);
  });
});
