/** Which results become plots. */
import { shown } from './numbers.mjs';
import { ratioOf, spreadOf } from './statistics.mjs';

const series = ['stock', 'bare', 'ours'];

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
function groupsOf(results, works, key, toShown) {
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
  const times = (value) => `${shown(value)} ×`;
  const ordinary = ['one-at-a-time', 'in-flight', 'all-devices', 'burst-5000', 'editor', 'watch'];
  const burstNames = ['burst-100', 'burst-5000', 'burst-20000', 'burst-50000'];
  const charts = {
    cpu: {
      title: 'Processor time, as a multiple of the bare node’s',
      groups: groupsOf(results, ordinary, 'cpu', (values, base) => ratioOf(values, base).median),
      shown: times,
    },
    bursts: {
      title: 'Processor time for each message, as bursts to one device grow',
      groups: groupsOf(results, burstNames, 'cpu', median),
      shown: (value) => `${shown(value)} µs`,
    },
    hold: {
      title: 'Longest turn of the event loop in a burst',
      groups: groupsOf(results, burstNames, 'hold', median),
      shown: (value) => `${shown(value)} ms`,
    },
  };
  return Object.entries(charts)
    .filter(([, { groups }]) => groups.length > 0)
    .map(([name, chart]) => ({ name, series, ...chart }));
}
