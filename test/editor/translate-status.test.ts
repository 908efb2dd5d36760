import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Script } from 'node:vm';
import { browserDirectory, bundle } from '../../src/editor/bundle';
import { resources, textsIn } from './pages';

const packageName = '@openpaging/node-red-algo';

interface Shown {
  readonly text?: string;
}

/** The texts of these files, each of which is asked for with every status. */
const known = new Map<string, ReturnType<typeof textsIn>>();

function textsOf(language: string, file: string): ReturnType<typeof textsIn> {
  const texts = known.get(`${language}/${file}`) ?? textsIn('dist', 'nodes', 'locales', language, file);
  known.set(`${language}/${file}`, texts);
  return texts;
}

/** A node in an editor of a language, and what stands under it once a status has come. */
async function underNode(script: Script, language: string, resource: string, text: string): Promise<unknown> {
  const own = textsOf(language, `${resource}.json`);
  const english = textsOf('en-US', `${resource}.json`);
  const translate = (key: string, values: Readonly<Record<string, string>> = {}) =>
    (own.get(key) ?? key).replace(/__(\w+)__/g, (_, name: string) => values[name] ?? '?');
  const section = (name: string) =>
    Object.fromEntries(
      [...english].flatMap(([key, one]) =>
        key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), one]] : [],
      ),
    );
  const node: { status?: Shown; [property: string]: unknown } = {
    type: `algo-${resource}`,
    _def: { _: translate, set: { id: `${packageName}/${resource}` } },
  };
  let publish: (topic: string, news: Shown) => void = () => {};
  const RED = {
    _: () => language,
    nodes: { node: () => node },
    comms: {
      subscribe: (_topic: string, listener: typeof publish) => {
        publish = listener;
      },
    },
    view: { redrawStatus: () => {} },
  };
  const i18next = { getResource: (_language: string, _namespace: string, name: string) => section(name) };
  script.runInNewContext({ window: {}, RED, i18next, queueMicrotask });
  const news = { text };
  publish('status/1', news);
  node.status = news;
  await Promise.resolve();
  return node.status.text;
}

describe('what stands under a node', () => {
  let script: Script;

  before(async () => {
    const contents =
      "import { translateStatuses } from './language/translate-status.ts'; translateStatuses();";
    script = new Script(await bundle({ stdin: { contents, resolveDir: browserDirectory } }));
  });

  const samples: Readonly<Record<string, string>> = {
    operation: 'munlock',
    missed: '1/3',
  };
  const filled = (text: string) => text.replace(/__(\w+)__/g, (_, name: string) => samples[name] ?? '7');

  it('is said in every language, whatever it is', async () => {
    let seen = 0;
    for (const language of readdirSync('locales').filter((one) => one !== 'en-US')) {
      for (const resource of resources) {
        const own = textsOf(language, `${resource}.json`);
        for (const [key, text] of textsOf('en-US', `${resource}.json`)) {
          if (!/^(?:status|state)\./.test(key)) continue;
          const statusText = await underNode(script, language, resource, `${filled(text)} 14:02:07`);
          const meant = `${filled(own.get(key) ?? '')} 14:02:07`;
          // Where two are alike in English, the other one's words will do.
          const alike = [...textsOf('en-US', `${resource}.json`)].filter(
            ([, one]) => filled(one) === filled(text),
          );
          const meanings = alike.map(([one]) => `${filled(own.get(one) ?? '')} 14:02:07`);
          assert.ok(
            meanings.includes(meant) && meanings.includes(String(statusText)),
            `${language}/${resource} ${key}: ${statusText}`,
          );
          seen += 1;
        }
      }
    }
    assert.ok(seen > 1000, `${seen}`);
  });

  it('is left to core in an English editor, by words that the plugin has before any node has its own', () => {
    for (const language of readdirSync('locales')) {
      const own = textsOf(language, 'algo-forms.json');
      const translated = (key: string) => own.get(key.replace(`${packageName}/algo-forms:`, '')) ?? key;
      let isTold = false;
      const comms = {
        subscribe: () => {
          isTold = true;
        },
      };
      script.runInNewContext({ window: {}, RED: { _: translated, comms } });
      assert.equal(isTold, language !== 'en-US', language);
    }
  });

  it('stays as it is where it is no sentence of ours', async () => {
    const texts = [
      'Panic of Hall',
      '5.7.2',
      'of',
      '',
      'accepted it',
      '2 of 3 doors',
      'x'.repeat(100_000),
      '14:02:07',
    ];
    for (const text of texts) assert.equal(await underNode(script, 'de', 'door', text), text);
    assert.equal(await underNode(script, 'de', 'door', '2 of 3 done'), '2/3 fertig');
  });
});
