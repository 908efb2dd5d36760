import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Attacked } from './attack';

const folder = path.resolve(__dirname, '../../../test/expressions');
const file = path.join(folder, 'attacked.json');

/** The attack itself: expressions that withstood another one are attacked again. */
const attack = ['attack.ts', 'samples.ts', '../fixtures/faster-than-linear.ts']
  .map((name) => readFileSync(path.join(folder, name), 'utf8'))
  .join('');

/** Returns what identifies an expression and the attack on it. */
export function hashOf({ expression, splits = false }: Attacked): string {
  return createHash('sha256').update(`${expression} ${splits} ${attack}`).digest('hex').slice(0, 16);
}

/** The expressions that withstood the attack before. `ALGO_EVERYTHING` attacks all of them again. */
export const attackedBefore: ReadonlySet<string> = new Set(
  process.env.ALGO_EVERYTHING ? [] : (JSON.parse(readFileSync(file, 'utf8')) as string[]),
);

/** Keeps those that withstood it for the next time, if `ALGO_RECORD` says so. */
export function recordAttacked(hashes: readonly string[]): void {
  if (process.env.ALGO_RECORD) writeFileSync(file, `${JSON.stringify(hashes.toSorted(), null, 2)}\n`);
}
