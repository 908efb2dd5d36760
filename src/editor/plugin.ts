import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { browserDirectory, bundle } from './bundle';
import { renderDeliveryRows } from './delivery';

/**
 * The page of the editor plugin: styles and the shared script, inline, since a script file that cannot be
 * loaded would stop the whole editor.
 */
export async function renderPlugin(): Promise<string> {
  const styles = ['form.css', 'group.css', 'alert.css', 'fields.css'].map((file) =>
    readFile(path.join(browserDirectory, file), 'utf8'),
  );
  const { code: style } = await transform((await Promise.all(styles)).join('\n'), {
    loader: 'css',
    minify: true,
    charset: 'utf8',
  });
  const script = await bundle({ entryPoints: [path.join(browserDirectory, 'algo-form.ts')], minify: true });
  if (/<\/script/i.test(script)) throw new Error('The shared script would end its own element');
  return `<style>${style}</style>\n${renderDeliveryRows().replace(/^ +/gm, '')}\n<script type="text/javascript">${script}</script>\n`;
}
