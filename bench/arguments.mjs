import path from 'node:path';
import { parseArgs } from 'node:util';

export const help = `npm run bench -- [options] [work ...]

Measures this package against what people would build instead, on this machine alone.
Without a work it measures all, and a full run writes docs/benchmark.md with its plots.

  --quick           fewer rounds and messages, and the dearest works and half of the contestants left out
  --against <dir>   this checkout and another one, which is built, against each other
  --only <a,b>      only these contestants
  --rounds <n>      so many rounds, whatever the work says
  --list            what there is to measure; the last ones are scripts, which take what follows their name
  --page            write the page again from the last full run`;

/**
 * @param {string[]} args
 * @throws Error whose message is meant for a person
 */
export function readArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      against: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      list: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error('--rounds wants a number');
  return {
    ...values,
    rounds,
    only: values.only?.split(','),
    against: values.against && path.resolve(values.against),
    names: positionals,
  };
}
