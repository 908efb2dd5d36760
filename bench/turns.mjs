/**
 * The longest turn of the event loop that a question of the bells' dialog takes, in processor time, beside what it
 * takes to parse the question, which is 1 in each table: `npm run bench -- turns [words of one input]`. For the most that may be asked.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const at = (name) => require(`../dist/${name}`);
const { readBells } = at('src/bells/bell');
const { findingsIn } = at('src/bells/findings');
const { planOf } = at('src/bells/plan');
const { unverifiedDaysOf } = at('src/bells/unverified-days');
const { warningsOf } = at('src/bells/warnings');
const { predictCalendar } = at('src/bells/predict-calendar');
const { dayOf, dateOf } = at('src/bells/calendar');
const { jsonOf } = at('src/runtime/admin/guard');
const { isHeavier, lengthInJson } = at('src/json');

const today = dayOf('2030-01-01');
const days = 366;
const two = (number) => String(number).padStart(2, '0');
const timeOf = (index) => `${two(Math.floor(index / 60) % 24)}:${two(index % 60)}`;
const usual = (index) => ({
  name: `Bell ${index}`,
  time: timeOf(index),
  days: 'daily',
  audio: 'bell.wav',
  from: '2030-01-01',
});
const dates = (count) => Array.from({ length: count }, (_, index) => dateOf(today + 2 * index));
const inputs = {
  '4,000 bells': Array.from({ length: 4000 }, (_, i) => usual(i)),
  '4,000 bells of one minute': Array.from({ length: 4000 }, (_, i) => ({ ...usual(0), name: `Bell ${i}` })),
  '4,000 bells of one name and time': Array.from({ length: 4000 }, () => usual(0)),
  '20 bells of one name with 3,660 exceptions': Array.from({ length: 20 }, (_, i) => ({
    ...usual(0),
    audio: `${i}.wav`,
    except: dates(3660),
  })),
  '800 bells, 20 of a name, each with ten years of exceptions': Array.from({ length: 800 }, (_, i) => ({
    ...usual(Math.floor(i / 20)),
    audio: `${i}.wav`,
    except: [{ start: '2030-01-02', end: '2039-12-31' }, '2040-01-01'],
  })),
};
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
};
async function longestTurn(work) {
  let [last, longest, running, turns] = [cpuMs(), 0, true, 0];
  const tick = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    turns += 1;
    last = cpuMs();
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise(setImmediate);
  const result = await work();
  await new Promise(setImmediate);
  running = false;
  return { longest, turns, result };
}
const databaseOf = (plan) => ({
  groups: [],
  events: (plan.post?.events ?? []).map((e, i) => ({ ...e, evid: i, color: 'red' })),
});
const only = process.argv[2];
for (const [title, bells] of Object.entries(inputs)) {
  if (only && !title.includes(only)) continue;
  const body = { operation: 'preview', parameters: { tag: 'a', bells, from: '2030-01-01', days } };
  const text = JSON.stringify(body);
  let unit = 0;
  const show = async (what, work) => {
    const before = cpuMs();
    const { longest, turns, result } = await longestTurn(work);
    unit ||= longest;
    const times = (longest / unit).toFixed(1).padStart(7);
    const all = ((cpuMs() - before) / unit).toFixed(0).padStart(6);
    console.log(
      `${title.padEnd(50)} ${what.padEnd(26)} longest turn ${times} (${longest.toFixed(1)} ms), all ${all}, ${turns} turns`,
    );
    return result;
  };
  const parsed = (await show('JSON.parse', async () => JSON.parse(text))).parameters.bells;
  await show('weight', async () => isHeavier(body, 1024 * 1024, lengthInJson));
  await show('findings', async () => findingsIn({ bells: parsed, tag: 'a' }));
  const read = await show('readBells', () => readBells([...parsed]));
  if (read.findings.length) console.log(String(read.findings[0]));
  const plan = await show('plan, nothing there', () =>
    planOf({ groups: [], events: [] }, 'a', read.bells, today),
  );
  await show('warnings', () => warningsOf(plan.rung, { day: today, seconds: 0 }, ['x.wav']));
  const database = databaseOf(plan);
  const same = await show('plan, all there', () => planOf(database, 'a', read.bells, today));
  const other = {
    groups: [],
    events: database.events.map((e) => ({ ...e, audio: `x${e.audio}`, exdate: undefined })),
  };
  const changed = await show('plan, all different', () => planOf(other, 'a', read.bells, today));
  await show('doubts', () => unverifiedDaysOf(changed.rung, today, days));
  const empty = await show('would be, nothing there', () =>
    predictCalendar({ groups: [], events: [] }, plan, 'a', {}, today, days),
  );
  const calendar = Object.fromEntries(
    Object.entries(empty.events).map(([d, l]) => [d, l.map((one, i) => ({ ...one, evid: i }))]),
  );
  await show('would be, all there', () => predictCalendar(database, same, 'a', calendar, today, days));
  await show('would be, all different', () => predictCalendar(other, changed, 'a', calendar, today, days));
  await show('the answer as JSON', async () => {
    let n = 0;
    for await (const part of jsonOf({ device: 'a', answer: empty })) n += part.length;
    return n;
  });
}
