import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { read } from './pages';

const [terms = [], mistakes = []] = read('docs', 'glossary.md')
  .split(/\n\n(?=\|)/)
  .slice(1)
  .map((table) =>
    (table.split('\n\n', 1)[0] ?? '')
      .split('\n')
      .slice(2)
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );

/** All that a language says, on one line. */
function allOf(language: string): string {
  return readdirSync(`locales/${language}`)
    .map((file) => read('locales', language, file))
    .join(' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

describe('the glossary', () => {
  const languages = ['fr', 'es', 'de'];
  const all = new Map(languages.map((language) => [language, allOf(language)]));

  it('has words that the translations use', () => {
    assert.ok(terms.length >= 40, String(terms.length));
    const unused = terms.flatMap(([english, ...words]) =>
      words.flatMap((cell, index) =>
        cell
          .split(', ')
          .filter((word) => !all.get(languages[index] ?? '')?.includes(word.toLowerCase()))
          .map((word) => `${english}: ${word}`),
      ),
    );
    assert.deepEqual(unused, []);
  });

  it('has mistakes that the translations no longer make', () => {
    assert.ok(mistakes.length >= 15, String(mistakes.length));
    for (const [language = '', wrong = '', right = ''] of mistakes) {
      assert.ok(languages.includes(language) && right !== '', wrong);
      assert.ok(!all.get(language)?.includes(wrong.toLowerCase()), `${language}: ${wrong}`);
    }
  });
});
