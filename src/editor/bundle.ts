import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** In a page there are no Buffers; the few uses in the catalogue ask whether something is one, and make one. */
const bytes = `class Bytes {}
const Buffer = { isBuffer: (value) => value instanceof Bytes, from: () => new Bytes() };`;

/**
 * Compiled modules as one script for a page, so that a dialog runs the very code that the runtime runs: a list
 * of functions, called in an order in which each finds what it needs, and what `entry` exports as constants.
 * @throws Error when a module needs a package: none of them is made for a page
 */
export async function bundle(entry: string): Promise<string> {
  const sources = new Map<string, string>();
  await collect(entry, sources);
  const names = new Map([...sources.keys()].map((file, index) => [file, `module${index}`]));
  const modules = [...sources].map(([file, source]) => {
    const body = source.replace(/\brequire\("(\.[^"]+)"\)/g, (_, from: string) =>
      String(names.get(resolve(file, from))),
    );
    return `const ${names.get(file)} = {};\n(function (exports) {\n${body}\n})(${names.get(file)});`;
  });
  const exported = Object.keys(require(entry) as object).join(', ');
  return [bytes, ...modules, `const { ${exported} } = ${names.get(entry)};`].join('\n');
}

/** A module goes in after those that it needs. */
async function collect(file: string, sources: Map<string, string>): Promise<void> {
  if (sources.has(file)) return;
  const text = await readFile(file, 'utf8');
  const source = text.replace(/^\/\/# sourceMappingURL=.*$/m, '').trim();
  for (const [, from = ''] of source.matchAll(/\brequire\("([^"]+)"\)/g)) {
    if (!from.startsWith('.'))
      throw new Error(`${path.basename(file)} needs ${from}, which a page does not have`);
    await collect(resolve(file, from), sources);
  }
  sources.set(file, source);
}

function resolve(file: string, from: string): string {
  return `${path.resolve(path.dirname(file), from)}.js`;
}
