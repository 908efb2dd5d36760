import { deepStrictEqual, ok } from 'node:assert/strict';
import { DurableMap } from '../../src/kernel/durable-map';
import { SupervisionEngine } from '../../src/runtime/supervision/engine';
import { persistedDevice } from '../../src/runtime/supervision/finding';
import { metricsOf } from '../../src/runtime/supervision/metrics';
import { MemoryJournal } from '../kernel/memory-journal';

describe('the metrics of supervised devices', () => {
  it('are in seconds, and say that a device is not up while it is offline or unknown, also where it is masked', () => {
    const engine = new SupervisionEngine(
      { misses: 1, initial: false },
      new DurableMap(new MemoryJournal(), '', persistedDevice),
    );
    const names = ['good', 'gone', 'new', 'hidden'];
    engine.setDevices(
      names.map((name) => ({ id: name, name, address: '' })),
      0,
    );
    const contact = { check: 'contact', reason: '', message: '', expected: null, actual: null } as const;
    engine.record('good', { kind: 'answered', findings: [], notChecked: [] }, 1);
    for (const name of ['gone', 'hidden']) engine.record(name, { kind: 'missed', finding: contact }, 1);
    engine.mask('hidden', 10);
    const measured = { record: { clockOffsetMs: -4_500, roundTripMs: 120 }, outcomes: undefined };
    const text = metricsOf(engine.views().map((view) => ({ ...view, ...measured })));
    deepStrictEqual(
      names.map(
        (name) => new RegExp(`^algo_device_up\\{device="${name}",address=""\\} (\\d)$`, 'm').exec(text)?.[1],
      ),
      ['1', '0', '0', '0'],
    );
    const lines = text.split('\n');
    for (const line of ['algo_clock_offset_seconds{LABELS} -4.5', 'algo_round_trip_seconds{LABELS} 0.12'])
      ok(lines.includes(line.replace('LABELS', 'device="good",address=""')), text);
  });
});
