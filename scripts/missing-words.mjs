/**
 * Prints the missing texts of a language of the editor with their English, file by file and ready to be
 * translated: `node scripts/missing-words.mjs de`, after a build. `node scripts/missing-words.mjs de
 * door.json` prints those of one file. Mistakes in existing texts follow: stale texts, unknown keys, wrong
 * placeholders, help pages.
 *
 * A text is stale if its English changed after the translation. If the translation still fits, accept it:
 * `node scripts/missing-words.mjs de --accept shared.json delivery.retryForHelp`. Without keys, all texts of
 * the file are accepted. `page` is the key of a help page.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { acceptTranslation, gapsOf } = require('../dist/src/editor/translation.js');

const [language, only, ...more] = process.argv.slice(2);
if (!language) {
  console.error('Which language? For example: node scripts/missing-words.mjs de');
  process.exit(1);
}
const root = fileURLToPath(new URL('..', import.meta.url));
if (only === '--accept') {
  const [file, ...keys] = more;
  if (!file)
    throw new Error('Which file? For example: node scripts/missing-words.mjs de --accept shared.json');
  acceptTranslation(root, language, file, keys);
  process.exit(0);
}
const { missing, sentences } = gapsOf(root, language);
for (const [file, words] of Object.entries(missing)) {
  if (!only || only === file) console.log(`${language}/${file} lacks\n${JSON.stringify(words, null, 2)}\n`);
}
const wrong = sentences.filter(
  (one) => !one.endsWith(' is missing') || one.endsWith('the help page is missing'),
);
const shown = wrong.filter((one) => !only || one.startsWith(`${language}/${only}:`));
if (shown.length > 0) console.log(shown.join('\n'));
console.log(
  sentences.length === 0
    ? `${language}: nothing is missing or wrong`
    : `${language}: ${sentences.length} gaps`,
);
