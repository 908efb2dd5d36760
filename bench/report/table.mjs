/** Results on a terminal. */
import { shown, withSpread } from './numbers.mjs';
import { ratioOf, spreadOf } from './statistics.mjs';

/**
 * One line for each contestant and metric.
 * @param results for each contestant and metric what each round gave
 */
export function tableOf(work, results) {
  const base = results[work.base];
  const rows = Object.entries(results).flatMap(([name, values]) =>
    work.metrics.map(({ key, title, unit, compared }, index) => {
      const isCompared = compared && base && base !== values;
      return [
        index === 0 ? name : '',
        title,
        withSpread(spreadOf(values[key]), unit),
        isCompared ? `${ratioText(values[key], base[key])} ${work.base}` : '',
      ];
    }),
  );
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`);
  return [work.title, ...lines.map((line) => line.trimEnd())].join('\n');
}

function ratioText(values, baseValues) {
  const { median, least, most } = ratioOf(values, baseValues);
  return `${shown(median)} (${shown(least)} to ${shown(most)}) times`;
}
