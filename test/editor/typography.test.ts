import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { read, textsIn } from './pages';

/** What a text has besides words for people: code, values, places for values, addresses, the head of a property. */
const code =
  /`[^`]*`|"[^"]*":?|^ {4}.*$|^\s*: \*?[\w.]+\*? \([^)]*\) :|__\w+?__|https?:\/\/|\b(?:group|tag):|:port\b/gm;

function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(`locales/${language}`)) {
    if (file.endsWith('.html')) texts.set(file, read('locales', language, file));
    else for (const [key, text] of textsIn('locales', language, file)) texts.set(`${file} ${key}`, text);
  }
  return texts;
}

function wrongIn(language: string, wrong: RegExp): string[] {
  const texts = textsOf(language);
  assert.ok(texts.size > 1_000, String(texts.size));
  return [...texts].flatMap(([place, text]) => {
    const found = text.replace(code, 'x').match(wrong);
    return found ? [`${place}: ${found[0]}`] : [];
  });
}

describe('the typography of a language', () => {
  it('keeps French signs with the word before them, by a space that does not break', () => {
    assert.deepEqual(wrongIn('fr', /.{0,20}(?:[^\u202f][;!?]|[^\u00a0]:|[^\u00a0]»)(?=\s|$).{0,10}/), []);
    assert.deepEqual(wrongIn('fr', /.{0,20}«[^\u00a0].{0,10}/), []);
  });

  it('opens what Spanish asks, and German and Spanish quote labels in their own way', () => {
    assert.deepEqual(wrongIn('es', /^[^¿]*[\p{L}\d)]\?|«\s|\s»|«[^»]*(?:«|$)/u), []);
    assert.deepEqual(wrongIn('de', /„[^“]*(?:„|$)|«|»/), []);
  });
});
