import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../fixtures/package';

interface Spread {
  median: number;
  least: number;
  most: number;
}

interface Chart {
  title: string;
  series: string[];
  groups: { label: string; values: (number | undefined)[] }[];
  shown(value: number): string;
}

/** A part of the bench, which is no TypeScript. */
function load<T>(file: string): Promise<T> {
  return import(pathToFileURL(path.join(root, 'bench', file)).href);
}

describe('the report of the bench', () => {
  it('takes the middle of the rounds, and says from where to where they went', async () => {
    const { spreadOf } = await load<{ spreadOf(values: number[]): Spread }>('report/statistics.mjs');
    assert.deepEqual(spreadOf([30, 10, 20]), { median: 20, least: 10, most: 30 });
    assert.deepEqual(spreadOf([4, 100, 2, 8]), { median: 6, least: 2, most: 100 });
    assert.deepEqual(spreadOf([7]), { median: 7, least: 7, most: 7 });
  });

  it('compares within a round, so that a slow hour makes no difference', async () => {
    const { ratioOf } = await load<{ ratioOf(values: number[], base: number[]): Spread }>(
      'report/statistics.mjs',
    );
    assert.deepEqual(ratioOf([200, 2000, 30], [100, 1000, 10]), { median: 2, least: 2, most: 3 });
  });

  it('shows three digits', async () => {
    const { shown } = await load<{ shown(value: number): string }>('report/numbers.mjs');
    const wanted: [number, string][] = [
      [0, '0'],
      [0.123, '0.12'],
      [1.5, '1.5'],
      [12.34, '12.3'],
      [20, '20'],
      [99.96, '100'],
      [360.6, '361'],
      [-12.34, '-12.3'],
      [12_881.2, '12,881'],
      [Number.NaN, '–'],
    ];
    for (const [value, text] of wanted) assert.equal(shown(value), text);
  });

  it('draws bars as long as their values, in the same places on light and dark', async () => {
    const { barChart } = await load<{ barChart(chart: Chart, theme: string): string }>('report/bars.mjs');
    const chart = {
      title: 'Less < more',
      series: ['bare', 'ours'],
      groups: [
        { label: 'one', values: [10, 5] },
        { label: 'two', values: [undefined, 2.5] },
      ],
      shown: (value: number) => `${value} µs`,
    };
    const svg = barChart(chart, 'light');
    const widths = [...svg.matchAll(/<rect x="250" y="\d+" width="([\d.]+)" height="15"/g)].map(([, width]) =>
      Number(width),
    );
    assert.deepEqual(widths, [420, 210, 105]);
    assert.match(svg, /<title>Less &lt; more<\/title>/);
    assert.match(svg, />2\.5 µs<\/text>/);
    const withoutColors = (text: string) => text.replaceAll(/#[0-9a-f]{6}/g, '');
    const dark = barChart(chart, 'dark');
    assert.notEqual(dark, svg);
    assert.equal(withoutColors(dark), withoutColors(svg));
  });
});
