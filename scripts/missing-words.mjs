/**
 * Prints the missing texts of a language of the editor with their English, file by file and ready to be
 * translated: `node scripts/missing-words.mjs de`, after a build. `node scripts/missing-words.mjs de
 * door.json` prints those of one file. Mistakes in existing texts follow: stale texts, unknown keys, wrong
 * placeholders, help pages.
 *
 * A text is stale if its English changed after the translation. If the translation still fits, accept it:
 * `node scripts/missing-words.mjs de --accept shared.json delivery.retryForHelp`. Without keys, all texts of
 * the file are accepted. `page` is the key of a help page.
 *
 * A language is a folder `locales/<language>/`, without a country (`de`, not `de-DE`). Its files:
 *
 * - `shared.json`: words of every dialog and status. English: `locales/en-US/shared.json`
 * - `<resource>.json`: words of one node, its operations and fields (`operation.<id>.title`,
 *   `field.<name>.label`). English: `locales/en-US/<resource>.json` and the catalogue
 * - `<resource>.html`: the help of one node, with its `<script>` element. English: the end of
 *   `nodes/<resource>.html`
 * - `reasons.json`: reasons of refusals, notes and warnings. English: `src/catalogue/reasons.ts`
 * - `phrases.json`: sentences about values and fields. English: `src/catalogue/phrases.ts`
 * - `values.json`: names of the values of choices, such as `red`. English: the catalogue
 * - `panel.json`: the panel of a virtual device. English: `locales/en-US/panel.json`
 * - `help.json`: sentences that the help takes from the catalogue. English: `locales/en-US/help.json`
 * - `source.json`: a hash of the English of each translated text, written by `--accept`
 *
 * Never translate keys, names of the wire, ids of operations, and texts in `{{double braces}}`, `{braces}` or
 * `__underlines__`.
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
