import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { callFailures } from '../../../src/virtual-device/calls/result';
import { faultKinds } from '../../../src/virtual-device/faults/fault';
import { read, textsIn } from '../../editor/pages';

const folder = 'src/virtual-device/panel';

/** What the page and its server say, by the keys that stand in their sources; the beginnings of those put together. */
function keysUsed(): { readonly whole: ReadonlySet<string>; readonly begun: readonly string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const all = files
    .filter((file) => /\.(?:js|ts|html)$/.test(file))
    .map((file) => read(folder, file))
    .join('\n');
  const quoted = [...all.matchAll(/'([a-zA-Z]+(?:\.[\w-]+)*)'|\{\{([\w.]+)\}\}/g)];
  return {
    whole: new Set(quoted.map(([, key, place]) => key ?? place ?? '')),
    begun: [...all.matchAll(/\btranslate\(`([\w.]+\.)\$\{/g)].map(([, start = '']) => start),
  };
}

describe('the words of the panel', () => {
  const english = textsIn('locales', 'en-US', 'panel.json');
  const { whole, begun } = keysUsed();

  it('are all that its page and its server say', () => {
    assert.ok(begun.length > 10, begun.join());
    const groups = new Set([...english.keys()].map((key) => key.split('.', 1)[0]));
    const usedKeys = [...whole].filter((key) => key.includes('.') && groups.has(key.split('.', 1)[0]));
    assert.ok(usedKeys.length > 100, String(usedKeys.length));
    assert.deepEqual(
      usedKeys.filter((key) => !english.has(key)),
      [],
    );
    assert.deepEqual(
      begun.filter((start) => ![...english.keys()].some((key) => key.startsWith(start))),
      [],
    );
    for (const kind of faultKinds) assert.ok(english.has(`fault.kinds.${kind}`), kind);
    for (const outcome of ['answered', ...callFailures])
      assert.ok(english.has(`outgoing.outcome.${outcome}`), outcome);
  });

  it('are all said somewhere', () => {
    const silent = [...english.keys()].filter(
      (key) => !whole.has(key) && !begun.some((start) => key.startsWith(start)),
    );
    assert.deepEqual(silent, []);
  });

  it('reach the build, whole in each language', () => {
    const languages = readdirSync('locales');
    assert.ok(languages.length > 3);
    for (const language of languages)
      assert.deepEqual(
        Object.entries(JSON.parse(read(`dist/${folder}/words`, `${language}.json`))).sort(),
        [...textsIn('locales', language, 'panel.json')].sort(),
      );
  });
});
