/** Messages that hold much. */
import { actionFlow } from '../contestants/flow.mjs';
import { file, schedule } from '../contestants/jobs.mjs';
import { failuresMetric, holdMetric } from './metrics.mjs';

const cpuOfAll = { key: 'cpu', title: 'CPU', unit: 'ms', compared: true };
const duration = { key: 'ms', title: 'duration', unit: 'ms', compared: true };

function bell(index) {
  const minute = String(index % 60).padStart(2, '0');
  return {
    event_type: 'play_tone',
    name: `Bell ${index}`,
    audio: 'bell-na.wav',
    start_date: '2026-09-01',
    start_time: `08:${minute}`,
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    color: '#ff8800',
  };
}

function largeWork({ job, makeMessage, ...work }) {
  return {
    base: 'bare',
    contestants: ['stock', 'bare', 'bare-core', 'ours'],
    rounds: { full: 9, quick: 3 },
    ...work,
    start: (bench, contestant) =>
      bench.nodeRed(
        contestant,
        actionFlow(contestant.kind, bench.addresses.slice(0, 1), [{ job, targets: [0] }]),
      ),
    async sample(_bench, subject) {
      const { cpu, ...rest } = await subject.ask('drive', { count: 1, message: { payload: makeMessage() } });
      return { ...rest, cpu: cpu / 1000 };
    },
  };
}

export const schedules = largeWork({
  name: 'scheduler',
  title: '2,000 scheduler events in one message',
  job: schedule,
  metrics: [cpuOfAll, duration, holdMetric, failuresMetric],
  makeMessage: () => ({ events: Array.from({ length: 2000 }, (_, index) => bell(index)) }),
});

export const files = largeWork({
  name: 'file',
  title: 'A file of 20 MB',
  job: file,
  metrics: [cpuOfAll, duration, holdMetric, failuresMetric],
  makeMessage: () => ({ path: 'tones/long.wav', content: Buffer.alloc(20_000_000, 'algo') }),
});
