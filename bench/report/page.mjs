/** The page about the benchmark, from the results of a full run. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { barChart } from './bars.mjs';
import { chartsOf } from './charts.mjs';
import { shown, withUnit } from './numbers.mjs';
import { ratioOf, spreadOf } from './statistics.mjs';

const columns = ['stock', 'stock-kept', 'bare', 'bare-core', 'ours', 'ours-4.1', 'empty'];

/**
 * Writes `docs/benchmark.md` and its plots.
 * @param {string} root the package's directory
 */
export async function writePage(root, works, results) {
  const docs = path.join(root, 'docs');
  await mkdir(path.join(docs, 'images'), { recursive: true });
  const charts = chartsOf(results);
  for (const chart of charts) {
    for (const theme of ['light', 'dark']) {
      await writeFile(path.join(docs, imageOf(chart.name, theme)), barChart(chart, theme));
    }
  }
  await writeFile(path.join(docs, 'benchmark.md'), pageOf(works, results, charts));
}

const imageOf = (name, theme) => `images/benchmark-${name}-${theme}.svg`;

function pageOf(works, results, charts) {
  return [
    '# Benchmark',
    '',
    ...introduction(results),
    ...charts.flatMap(pictureOf),
    '## All numbers',
    '',
    'Medians of the rounds. The last column is the ratio to the bare node within each round: its median, and from where to where the rounds went. Quantities that are not compared have none.',
    '',
    ...tableOf(works, results),
    '',
    ...method,
  ].join('\n');
}

function introduction({ date, platform, cores, load, minutes, node, node4, nodeRed, nodeRed4, undici }) {
  return [
    'Processor time and memory that this package takes, compared with the alternatives that people would build. `npm run bench` measures all of it again, on your machine and against nothing else, in fifteen to twenty-five minutes; `npm run bench -- --quick` in two, without the dearest works and half of the contestants.',
    '',
    '- **stock**: a function node that signs and the http request node, as they come with Node-RED; **stock-kept** keeps its connections.',
    '- **bare**: a node that signs and sends over undici and calls `done`: it checks nothing, keeps no receipt, shows nothing, keeps no order. It is the floor. **bare-core** does the same over the http of Node itself.',
    '- **ours**: this package, with checks, receipts, order and status. **ours-4.1** is the same on Node-RED 4.1 and an older Node.',
    '- **empty**: a node that does nothing. That much of each number is Node-RED and the bench.',
    '',
    `Measured on ${date}: ${platform}, ${cores} cores, Node ${node.slice(1)} with Node-RED ${nodeRed} (ours-4.1: Node ${node4.slice(1)} with Node-RED ${nodeRed4}), undici ${undici}, ${shown(minutes)} minutes, a load of ${shown(load)} when it began.`,
    '',
    '**Only ratios mean anything elsewhere.** Absolute numbers vary by half from one machine to the next, and from one hour to the next on a machine that has other work. The contestants take turns, so what disturbs one disturbs all.',
    '',
  ];
}

function pictureOf({ name, title }) {
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${imageOf(name, 'dark')}">`,
    `  <img alt="${title}; the table below has the numbers" src="${imageOf(name, 'light')}">`,
    '</picture>',
    '',
  ];
}

function tableOf(works, results) {
  const head = ['', ...columns, 'ours to bare'];
  const lines = works
    .filter(({ name }) => results.works[name])
    .flatMap((work) => {
      const measured = results.works[work.name];
      const title = [`**${work.title}**`, ...head.slice(1).map(() => '')];
      return [title, ...work.metrics.filter(isTold(measured)).map((metric) => rowOf(metric, measured))];
    });
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

/** Failures are told where there were any. */
function isTold(measured) {
  return ({ key }) =>
    key !== 'failures' ||
    Object.values(measured).some((values) => values.failures.some((count) => count > 0));
}

function rowOf({ key, title, unit, compared }, measured) {
  const cells = columns.map((name) => {
    const values = measured[name]?.[key];
    return values ? withUnit(spreadOf(values).median, unit) : '';
  });
  return [title, ...cells, compared && measured.bare && measured.ours ? ratioText(key, measured) : ''];
}

function ratioText(key, { ours, bare }) {
  const { median, least, most } = ratioOf(ours[key], bare[key]);
  return `${shown(median)} (${shown(least)} to ${shown(most)})`;
}

const method = [
  '## How it is measured',
  '',
  '- Every contestant is a Node-RED in a process of its own, with the same nodes before and behind what it is made of. They take turns, round by round, in changing order, after one round that does not count.',
  '- Devices are plain servers in a further process. They answer as little as a device does, and refuse the first request of a connection when it is not signed rightly.',
  '- CPU is all the processor time of the contestant’s process, garbage collection included, divided by the messages. A turn of the event loop is measured in processor time as well. Durations are by the clock, so a busy machine makes them longer.',
  '- Memory is what is in use after garbage collection, in the heap and outside of it; the memory of one device is deducted.',
  '- Behind: how old the time was, at most, that a node showed in its status ten times a second, when an open editor got it.',
  '- A burst, and what waits ahead of an emergency, is sent in one turn of the event loop. At a rate, what was due while the loop was busy is sent as soon as it is not.',
  '- An alert, bells, many sites, dialogs and the check of parameters are measured by scripts of their own, run by their names (`npm run bench -- alert`); [what they said](../bench/README.md).',
  '',
  'One work alone: `npm run bench -- in-flight` (`--list` names all). Two checkouts against each other, the other one built: `npm run bench -- --against ../other in-flight`.',
  '',
];
