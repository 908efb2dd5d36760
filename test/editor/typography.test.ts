import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import ts from 'typescript';
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

/** Texts of a source that only join others, with a sign that French writes otherwise. */
function joinedIn(source: string): string[] {
  const found: string[] = [];
  const look = (node: ts.Node) => {
    const isJoined = ts.isTemplateMiddle(node) || ts.isTemplateTail(node) || ts.isStringLiteral(node);
    if (isJoined && /^[:;!?]\s/.test(node.text)) found.push(node.text);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('file.ts', source, ts.ScriptTarget.ES2022, true));
  return found;
}

describe('the typography of a language', () => {
  it('keeps French signs with the word before them, by a space that does not break', () => {
    assert.deepEqual(wrongIn('fr', /.{0,20}(?:[^\u202f][;!?]|[^\u00a0]:|[^\u00a0]»)(?=\s|$).{0,10}/), []);
    assert.deepEqual(wrongIn('fr', /.{0,20}«[^\u00a0].{0,10}/), []);
  });

  it('is never written by the code of the editor, which joins words with the colon of the language', () => {
    const root = 'src/editor/browser';
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((one) => /\.ts$/.test(one));
    assert.ok(files.length > 80, String(files.length));
    const found = files.flatMap((file) => joinedIn(read(root, file)).map((text) => `${file}: ${text}`));
    assert.deepEqual(found, []);
    assert.deepEqual(joinedIn("const a = `${b}: ${c}`; const d = [e].join('; '); f(g, ': ');"), [
      ': ',
      '; ',
      ': ',
    ]);
  });

  it('opens what Spanish asks, and German and Spanish quote labels in their own way', () => {
    assert.deepEqual(wrongIn('es', /^[^¿]*[\p{L}\d)]\?|«\s|\s»|«[^»]*(?:«|$)/u), []);
    assert.deepEqual(wrongIn('de', /„[^“]*(?:„|$)|«|»/), []);
  });
});
