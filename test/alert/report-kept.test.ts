import assert from 'node:assert/strict';
import { entryIn } from '../../src/runtime/alert/alert-store';
import { Engine } from '../../src/runtime/alert/engine';
import type { Answer } from '../../src/runtime/alert/output-state';
import type { ActionReceipt } from '../../src/runtime/alert/reports';
import { about, Clock, deviceAction } from './engine-parts';

describe('the reports of alerts in the journal', () => {
  let clock: Clock;
  let journal: Map<string, unknown>;
  let engine: Engine;
  beforeEach(() => {
    clock = new Clock();
    journal = new Map();
    engine = new Engine(clock);
  });
  const write = () => {
    for (const [key, value] of engine.takeChanges()) {
      if (value === undefined) journal.delete(key);
      else journal.set(key, JSON.parse(JSON.stringify(value)));
    }
  };
  const boot = () => {
    const found = [...journal].filter(([key, value]) => entryIn(value, key) !== undefined);
    engine = new Engine(clock, found);
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
    for (const ticket of engine.clear('a')) engine.answered(ticket, 'taken');
  };

  it('are there after a restart, with what they count', () => {
    answer(start());
    write();
    const before = engine.reports('a');
    assert.deepEqual([before[0]?.reached, before[0]?.firstMs], [1, 20]);
    boot();
    assert.deepEqual(engine.reports('a'), before);
    clear();
    write();
    const closed = engine.reports('a');
    boot();
    assert.deepEqual(engine.reports('a'), closed);
    assert.deepEqual(
      [...journal.keys()].map((key) => key.split('/')[1]),
      ['report'],
    );
  });

  it('count each alert once, wherever a crash cuts off what is written of its end', () => {
    answer(start());
    write();
    const before = new Map(journal);
    clear();
    const changes = engine.takeChanges();
    const [report] = engine.reports('a');
    for (let lines = 0; lines <= changes.length; lines += 1) {
      journal = new Map(before);
      for (const [key, value] of changes.slice(0, lines)) {
        if (value === undefined) journal.delete(key);
        else journal.set(key, JSON.parse(JSON.stringify(value)));
      }
      boot();
      if (engine.state('a')) clear();
      write();
      const { reached, targets, missed } = engine.reports('a')[0] ?? {};
      assert.deepEqual(
        [reached, targets, missed, engine.reports('a').length],
        [1, 1, [], 1],
        `${lines} lines`,
      );
      boot();
      assert.equal(engine.reports('a')[0]?.startedAt, report?.startedAt);
    }
  });

  it('are left as they are where they are not understood, and the others work', () => {
    answer(start());
    clear();
    write();
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
      journal.set(`alert/result/a/odd/${index}`, value);
    }
    const before = new Map([...journal].filter(([name]) => name.includes('odd')));
    boot();
    assert.equal(engine.reports('a').length, 1);
    for (let count = 0; count < 25; count += 1) {
      answer(start());
      clear();
    }
    write();
    assert.equal(engine.reports('a').length, 20);
    assert.deepEqual(new Map([...journal].filter(([name]) => name.includes('odd'))), before);
    assert.ok(!journal.has(key));
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
      const { index: _, latencyMs: __, ...retried } = receipt({ target: ticket.device });
      engine.answered(ticket, 'taken', retried);
    }
    const [report] = engine.reports('a');
    assert.deepEqual([report?.targets, report?.reached, report?.missed, report?.firstMs], [2, 2, [], null]);
  });
});
