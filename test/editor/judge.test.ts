import assert from 'node:assert/strict';
import { coerceParameters } from '../../src/catalogue/coerce';
import type { Operation } from '../../src/catalogue/operation';
import { english } from '../../src/catalogue/phrases';
import { checkParameters } from '../../src/catalogue/validate';
import { chooseVariant } from '../../src/catalogue/variants';
import { judge, takes, unknown } from '../../src/editor/judge';
import { operationNamed } from '../catalogue/check';
import { books } from '../contract';

function shapeOf(operation: Operation, parameters: Readonly<Record<string, unknown>>) {
  const chosen = chooseVariant(operation, coerceParameters(operation, parameters));
  return 'shape' in chosen ? chosen.shape : undefined;
}

describe('what a dialog says about parameters', () => {
  it('is what the runtime says, sentence by sentence, for everything that the transcripts ask', () => {
    let [seen, refused] = [0, 0];
    for (const { title, ask } of Object.values(books).flat()) {
      if (!ask) continue;
      const operation = operationNamed(ask.operation);
      const shape = shapeOf(operation, ask.parameters);
      if (!shape) continue;
      const known = operation.variants ? { ...shape, variants: operation.variants } : shape;
      const found = judge(known, ask.parameters, english).map(({ sentence }) => sentence);
      const checked = checkParameters(operation, ask.parameters);
      // What an operation wants at least is no matter of the schema.
      const sentences = checked.ok
        ? []
        : checked.findings.filter(
            (one) => !one.endsWith('give at least one') && !one.startsWith('a parameter is required'),
          );
      assert.deepEqual([...found].sort(), [...sentences].sort(), `${ask.operation}: ${title}`);
      seen += 1;
      refused += found.length > 0 ? 1 : 0;
    }
    assert.ok(seen > 450 && refused > 200, `${seen}, ${refused}`);
  });

  const update = operationNamed('audio/mcast-update');
  const address = { mode: 'sender', address: '224.0.2.60', port: '50002' };

  it('names the reason of a rule, by the labels of the rows', () => {
    const labels: Readonly<Record<string, string>> = { type: 'Multicast type', group: 'Poly group' };
    const findings = judge(
      update,
      { ...address, type: 'rtp', group: 7 },
      english,
      ([name = '']) => labels[name],
    );
    assert.deepEqual(findings, [
      { path: ['type'], sentence: 'Multicast type must be poly when Poly group is given; got "rtp"' },
    ]);
  });

  it('is nothing about what only a message will tell', () => {
    assert.deepEqual(judge(update, { ...address, type: unknown, group: 7 }, english), []);
    assert.deepEqual(judge(update, { ...address, type: 'rtp', group: unknown }, english).length, 1);
    const apply = operationNamed('scheduler/apply');
    assert.deepEqual(judge(apply, { events: unknown }, english), []);
    const show = operationNamed('screen/start');
    const template = { type: 'template', template: 'reminder' };
    const shape = shapeOf(show, template);
    assert.ok(shape);
    assert.deepEqual(judge(shape, { ...template, strobeFlash: unknown }, english), []);
    assert.equal(judge(shape, { ...template, strobeFlash: 3 }, english).length, 2);
    assert.deepEqual(judge(shape, { ...template, strobeFlash: 15 }, english), []);
    assert.deepEqual(
      judge(shape, { ...template, strobeFlash: 3, strobeColor: unknown, strobeLedlvl: unknown }, english),
      [],
    );
  });

  it('takes a value as the runtime does', () => {
    const date = { type: 'string', title: '', description: '', format: 'date' } as const;
    assert.ok(takes(date, '2028-02-29'));
    assert.ok(!takes(date, '2026-02-29'));
    const whole = { type: 'integer', title: '', description: '' } as const;
    assert.ok(takes(whole, '12') && takes(whole, unknown));
    assert.ok(!takes(whole, '1e3') && !takes(whole, '0100'));
  });
});
