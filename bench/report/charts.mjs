/** Which results become plots. */
import { withUnit } from './numbers.mjs';
import { ratioOf, spreadOf } from './statistics.mjs';

const names = {
  'one-at-a-time': 'one at a time',
  'in-flight': '32 devices in flight',
  'all-devices': '500 devices, one message',
  'burst-100': 'a burst of 100',
  'burst-5000': 'a burst of 5,000',
  'burst-20000': 'a burst of 20,000',
  'burst-50000': 'a burst of 50,000',
  editor: '32 in flight, an editor open',
  watch: 'a reading, 1,000 devices watched',
};

/** Medians of a metric of some works; works that were not measured are left out. */
function groupsOf(results, { series, works, key, toShown }) {
  return works
    .filter((name) => results.works[name])
    .map((name) => ({
      label: names[name],
      values: series.map((who) => {
        const values = results.works[name][who]?.[key];
        return values && toShown(values, results.works[name].bare[key]);
      }),
    }));
}

const median = (values) => spreadOf(values).median;

/** All plots, by the name of their files. */
export function chartsOf(results) {
  const ordinary = ['one-at-a-time', 'in-flight', 'all-devices', 'burst-5000', 'editor', 'watch'];
  const burstNames = ['burst-100', 'burst-5000', 'burst-20000', 'burst-50000'];
  const charts = [
    {
      name: 'cpu',
      title: 'Processor time, as a multiple of the bare node’s',
      series: ['stock', 'bare', 'ours'],
      works: ordinary,
      key: 'cpu',
      toShown: (values, base) => ratioOf(values, base).median,
      unit: '×',
    },
    {
      name: 'bursts',
      title: 'Processor time for each message, as bursts to one device grow',
      series: ['bare', 'ours'],
      works: burstNames,
      key: 'cpu',
      toShown: median,
      unit: 'µs',
    },
    {
      name: 'hold',
      title: 'Longest turn of the event loop in a burst; empty is Node-RED’s own part',
      series: ['empty', 'bare', 'ours'],
      works: burstNames,
      key: 'hold',
      toShown: median,
      unit: 'ms',
    },
  ];
  return charts
    .map(({ unit, ...chart }) => ({
      ...chart,
      groups: groupsOf(results, chart),
      shown: (value) => withUnit(value, unit),
    }))
    .filter(({ groups }) => groups.length > 0);
}
