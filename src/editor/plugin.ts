import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The shared script's parts; each needs only those before it. */
const parts = ['check', 'entry', 'definition', 'node', 'row', 'device', 'dialog'];

/**
 * The page of the editor plugin: styles and the shared script, inline, since a script file that cannot be
 * loaded would stop the whole editor. The parts are modules for linter and tests; here they share one scope,
 * so their imports and exports go.
 */
export async function renderPlugin(directory: string): Promise<string> {
  const style = await readFile(path.join(directory, 'form.css'), 'utf8');
  const sources = await Promise.all(
    parts.map((part) => readFile(path.join(directory, `${part}.mjs`), 'utf8')),
  );
  const script = sources
    .map((source) => source.replace(/^import .*\n/gm, '').replace(/^export /gm, ''))
    .join('\n');
  return `<style>
${style}</style>
<script type="text/javascript">
(function () {
'use strict';
${script}})();
</script>
`;
}
