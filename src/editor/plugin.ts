import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Script } from 'node:vm';
import { bundle } from './bundle';

/** The shared script's parts; each needs only those before it. */
const parts = [
  ...['check', 'entry', 'variant', 'definition', 'problems', 'node', 'models', 'kinds', 'naming', 'row'],
  ...['others', 'section', 'options', 'device', 'dialog'],
];

/**
 * The page of the editor plugin: styles and the shared script, inline, since a script file that cannot be
 * loaded would stop the whole editor. The parts are modules for linter and tests; here they share one scope,
 * so their imports and exports go. What they import from this package's
 * build, the catalogue's own checks, goes in front of them.
 */
export async function renderPlugin(directory: string): Promise<string> {
  const style = await readFile(path.join(directory, 'form.css'), 'utf8');
  const sources = await Promise.all(
    parts.map((part) => readFile(path.join(directory, `${part}.mjs`), 'utf8')),
  );
  const judge = await bundle(path.join(__dirname, 'judge.js'));
  const bodies = sources.map((text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, ''));
  const script = `(function () {\n'use strict';\n${judge}\n${bodies.join('\n')}})();`;
  refuseBroken(script);
  return `<style>\n${style}</style>\n<script type="text/javascript">\n${script}\n</script>\n`;
}

/** Throws a SyntaxError here, in the build, where a browser would only lose the whole script. */
function refuseBroken(script: string): void {
  new Script(script);
  if (/<\/script/i.test(script)) throw new Error('The shared script would end its own element');
}
