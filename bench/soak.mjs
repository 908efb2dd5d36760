/**
 * Thousands of messages of every operation over misbehaving devices, in a real Node-RED, held against a model.
 * `node bench/soak.mjs [--messages 30000] [--devices 50] [--deploys 12] [--seed n] [--node-red 4|5] [--quick]
 * [--except 'silent,400 of tags'] [--keep file]`, and `--judge file` looks at a kept run once more.
 */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { chooseRuntime } from '../scripts/node-runtime.mjs';

const require = createRequire(import.meta.url);
const { values } = parseArgs({
  options: {
    messages: { type: 'string' },
    devices: { type: 'string', default: '50' },
    deploys: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    except: { type: 'string', default: '' },
    'node-red': { type: 'string' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'string' },
    judge: { type: 'string' },
  },
});
/** A message is known by a number in it, which may be a port. */
const mostMessages = 65_535;
if (Number(values.messages) > mostMessages) throw new RangeError(`--messages goes up to ${mostMessages}`);
if (values['node-red'] === '4') process.env.ALGO_NODE = 'own';
const { node, nodeRed } = chooseRuntime();
const settings = {
  seed: Number(values.seed),
  messages: Number(values.messages ?? (values.quick ? 2000 : 30_000)),
  devices: Number(values.devices),
  deploys: Number(values.deploys ?? (values.quick ? 4 : 12)),
  except: values.except.split(','),
  node,
  nodeRed,
};
const { version } = require(`${nodeRed}/package.json`);
console.log(
  `seed ${settings.seed}, ${settings.messages} messages, ${settings.devices} devices, Node-RED ${version}`,
);

const { run } = require('../dist/bench/soak/run.js');
const { judge } = require('../dist/bench/soak/model.js');
const { summary, accusations } = require('../dist/bench/soak/report.js');
const result = values.judge ? deserialize(readFileSync(values.judge)) : await run(settings);
if (values.keep) writeFileSync(values.keep, serialize(result));
const violations = judge(result.history);
console.log(summary(result));
console.log(accusations(violations, result.history));
process.exitCode = violations.length > 0 ? 1 : 0;
