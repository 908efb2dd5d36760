/** `npm run bench`: see `arguments.mjs`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from '../scripts/demo/build-if-needed.mjs';
import { help, readArguments } from './arguments.mjs';
import { checkouts, contestants, versions } from './contestants/index.mjs';
import { writePage } from './report/page.mjs';
import { tableOf } from './report/table.mjs';
import { measure, openBench, roundsOf } from './rounds.mjs';
import { scripts } from './scripts.mjs';
import { works } from './works/index.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFile = path.join(root, 'docs', 'benchmark.json');

/** Who takes part when it has to be quick. */
const quickContestants = ['stock', 'bare', 'ours'];

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  console.error(process.env.DEBUG ? error : error.message);
  process.exitCode = 1;
}

async function main(options) {
  if (options.help) return console.log(help);
  if (options.list) return console.log([...works, ...scripts].map(lineOf).join('\n'));
  if (options.page) return publish(JSON.parse(await readFile(resultsFile, 'utf8')));
  const script = scripts.find(({ name }) => name === options.names[0]);
  const chosen = script ? [] : choose(options);
  if ((await buildIfNeeded(root)) !== 0) throw new Error('The build failed');
  if (script) return runScript(script, options.names.slice(1));
  if (options.quick) console.log(quickNote(chosen, options));
  const results = { ...circumstances(), quick: options.quick, works: {} };
  const began = performance.now();
  const bench = await openBench(options.quick);
  try {
    for (const { work, who, rounds } of chosen) {
      try {
        results.works[work.name] = await measure(bench, work, who, rounds);
        console.log(`${tableOf(work, results.works[work.name])}\n`);
      } catch (error) {
        // What was measured before and will be after is worth having all the same.
        console.error(`${work.title}: ${error.message}\n`);
        process.exitCode = 1;
      }
    }
  } finally {
    await bench.close();
  }
  results.minutes = (performance.now() - began) / 60_000;
  if (process.exitCode || options.quick || options.against || options.only || options.names.length > 0)
    return;
  await publish(results);
}

function lineOf({ name, title }) {
  return `${name.padEnd(18)}${title}`;
}

/** What is measured by a script of its own. */
function runScript({ file }, args) {
  const { node } = versions();
  const flags = ['--expose-gc', path.join(root, 'bench', file), ...args];
  const env = { ...process.env, ALGO_NODE_RED: process.env.ALGO_NODE_RED ?? 'node-red' };
  process.exitCode = spawnSync(node, flags, { stdio: 'inherit', env }).status ?? 1;
}

/** Writes the results and the page about them, as the linter wants what is in the repository. */
async function publish(results) {
  await mkdir(path.dirname(resultsFile), { recursive: true });
  await writeFile(resultsFile, JSON.stringify(results));
  await writePage(root, works, results);
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const written = ['docs/benchmark.json', 'docs/benchmark.md'];
  const { status } = spawnSync(process.execPath, [biome, 'format', '--write', ...written], { cwd: root });
  if (status !== 0) throw new Error('What was written could not be formatted');
}

/** What is not as the titles say. */
function quickNote(chosen, { names, only }) {
  const isChosen = (name) => chosen.some(({ work }) => work.name === name);
  const left = works.map(({ name }) => name).filter((name) => names.length === 0 && !isChosen(name));
  const others = only ? [] : Object.keys(contestants).filter((name) => !quickContestants.includes(name));
  const all = [...left, ...others].join(', ');
  return `Quick: fewer rounds, messages and devices than the titles say; left out: ${all || 'nobody'}.\n`;
}

/** Works with who takes part in them, and how often. */
function choose(options) {
  const { names, against } = options;
  const unknown = names.filter((name) => !works.some((work) => work.name === name));
  if (unknown.length > 0) throw new Error(`There is no work named ${unknown.join(', ')}; --list names all`);
  if (against && !existsSync(path.join(against, 'dist', 'nodes', 'device.js')))
    throw new Error(`${against} is not a built checkout of this package`);
  const strangers = options.only?.filter((name) => !Object.hasOwn(contestants, name)) ?? [];
  if (strangers.length > 0)
    throw new Error(
      `There is no contestant named ${strangers.join(', ')}, only ${Object.keys(contestants).join(', ')}`,
    );
  const chosen = works
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((work) => (against ? { ...work, base: 'there' } : work))
    .map((work) => ({ work, who: whoOf(work, options), rounds: roundsOf(work, options) }));
  return chosen.filter(({ who, rounds }) => rounds > 0 && Object.keys(who).length > 0);
}

function whoOf(work, { against, only, quick }) {
  if (against) return checkouts(against);
  const wanted = only ?? (quick && quickContestants);
  const names = work.contestants.filter((name) => !wanted || wanted.includes(name));
  return Object.fromEntries(names.map((name) => [name, contestants[name]]));
}

/** Where and when it was measured. */
function circumstances() {
  const { node, node4, ...rest } = versions();
  const versionOf = (executable) => String(spawnSync(executable, ['--version']).stdout).trim();
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: os.cpus().length,
    load: os.loadavg()[1],
    platform: `${os.platform()} ${os.arch()}`,
    node: versionOf(node),
    node4: versionOf(node4),
    ...rest,
  };
}
