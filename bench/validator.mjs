/** The catalogue's validator beside ajv, on the same schemas and values: `npm run bench -- validator`. */
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const { everyGroup } = require('../dist/src/catalogue');
const { coerceParameters } = require('../dist/src/catalogue/coerce');
const { compile } = require('../dist/src/catalogue/compile');
const { objectSchema } = require('../dist/src/catalogue/schema');
const { checkParameters } = require('../dist/src/catalogue/validate');
const { ajvCheck } = require('../dist/test/catalogue/ajv');

/** So many times each is measured, in turns, since the machine has other work too; the median counts. */
const rounds = 41;

const bell = (_, index) => ({
  event_type: 'play_tone',
  name: `Bell ${index}`,
  audio: 'chime.wav',
  start_date: '2026-09-01',
  start_time: '08:00',
  rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  tag: 'school',
});

const cases = [
  ["a door's parameters", 'door', 'unlock', { doorid: 'local' }, 10_000],
  ['200 events', 'scheduler', 'apply', { events: Array.from({ length: 200 }, bell) }, 10],
];

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Microseconds a call, of each function. */
function measure(functions, times) {
  const spent = functions.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, run] of functions.entries()) {
      const start = performance.now();
      for (let count = 0; count < times; count += 1) run();
      spent[place].push(((performance.now() - start) * 1000) / times);
    }
  }
  return spent.map(median);
}

for (const [title, resource, id, given, times] of cases) {
  const { operations } = everyGroup.find((group) => group.resource === resource);
  const operation = operations.find((one) => one.id === id);
  const schema = objectSchema(operation);
  const parameters = coerceParameters(operation, given);
  const [ajv, ours] = [ajvCheck(schema), compile(schema)];
  const [whole, byUs, byAjv] = measure(
    [() => checkParameters(operation, given), () => ours(parameters), () => ajv(parameters)],
    times,
  );
  console.log(
    `${title}: ${whole.toFixed(2)} µs in all; the schema alone ${byUs.toFixed(2)} µs, ${(byUs / byAjv).toFixed(2)} times ajv`,
  );
}
