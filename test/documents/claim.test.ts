import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../fixtures/pack';

/** Microseconds of processor time in each round, by contestant. */
type Work = Readonly<Record<string, { readonly cpu: readonly number[] }>>;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { works } = JSON.parse(read('docs/benchmark.json')) as { works: Readonly<Record<string, Work>> };

/** The median of what this package takes, as a multiple of what another contestant takes in the same round. */
function ratioTo(other: string, name: string): number {
  const { ours, [other]: base } = works[name] ?? {};
  assert.ok(ours && base, `${name} has not measured ${other}`);
  const ratios = ours.cpu.map((value, round) => value / (base.cpu[round] ?? Number.NaN));
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  assert.ok(median !== undefined && median > 0);
  return median;
}

/** Every work in which messages go to devices that answer. */
const measured = [
  'one-at-a-time',
  'in-flight',
  'all-devices',
  'in-turn',
  'editor',
  'editor-rate',
  'editor-all',
  'editor-burst',
  'burst-100',
  'burst-5000',
  'burst-20000',
  'burst-50000',
  'sustained',
];

describe('what the README claims of the cost of a message', () => {
  it('is what was measured, beside a bare node', () => {
    const [, ...claimed] =
      /It takes (\d\.\d) to (\d\.\d) times as much as a node that only signs/.exec(read('README.md')) ?? [];
    const ratios = measured.map((name) => ratioTo('bare', name));
    assert.deepEqual(
      claimed,
      [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(1)),
    );
  });

  it('is what was measured, beside a function node with an http request node', () => {
    assert.match(
      read('README.md'),
      /20 to 65 % of the processor time that a function node plus an http request node needs/,
    );
    const ratios = measured.filter((name) => works[name]?.stock).map((name) => ratioTo('stock', name));
    const inTwentieths = [Math.min(...ratios), Math.max(...ratios)].map(
      (ratio) => Math.round(ratio * 20) / 20,
    );
    assert.deepEqual(inTwentieths, [0.2, 0.65]);
  });
});
