import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../fixtures/pack';

const page = readFileSync(path.join(root, 'docs', 'library.md'), 'utf8');
const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** The examples of `docs/library.md`, in their order. */
export const [script, onMessage, onStop] = [exampleAt(0), exampleAt(1), exampleAt(2)];

/** An example, pointed at a device that is there. */
export function pointedAt(address: string, example: string): string {
  const pointed = example.replaceAll("'192.0.2.10'", JSON.stringify(address));
  assert.notEqual(pointed, example, 'the example has no address');
  return pointed;
}

function exampleAt(index: number): string {
  const block = blocks[index];
  assert.ok(block, `docs/library.md has no example ${index + 1}`);
  return block;
}
