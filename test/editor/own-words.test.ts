import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { browserDirectory, bundle } from '../../src/editor/bundle';
import { read, resources, textsIn, wordsOfNode } from './pages';

/** Node-RED's own, as its editor has it. */
const i18next: I18next = createRequire(require.resolve('@node-red/util'))('i18next');

interface I18next {
  createInstance(): I18next;
  init(options: object): Promise<unknown>;
  addResourceBundle(language: string, namespace: string, words: object): void;
  t(key: string): string;
}

const languages = readdirSync('locales');

describe('the words of a node', () => {
  it('are whole with those of the plugin, in every language', () => {
    for (const language of languages) {
      const shared = textsIn('locales', language, 'shared.json');
      assert.ok(shared.size > 150);
      for (const resource of resources) {
        const known = wordsOfNode(language, resource);
        const missing = [...shared.keys()].filter((key) => !known.get(key));
        assert.deepEqual(missing, [], `${language}/${resource}.json`);
      }
    }
  });

  it('are in its own file as far as its page shows them, since the plugin may be disabled', () => {
    let seen = 0;
    for (const resource of resources) {
      const own = textsIn('dist', 'nodes', 'locales', 'en-US', `${resource}.json`);
      const page = read('dist', 'nodes', `${resource}.html`);
      for (const [, key = ''] of page.matchAll(/data-i18n="(?:\[\w+\])?([\w.-]+)"/g)) {
        assert.ok(own.has(key), `${resource}: ${key}`);
        seen += 1;
      }
    }
    assert.ok(seen > 500);
  });

  it('are in the file of the node where Node-RED itself looks for them', () => {
    for (const language of languages) {
      const sections = (resource: string) =>
        Object.keys(JSON.parse(read('dist', 'nodes', 'locales', language, `${resource}.json`)));
      for (const name of ['status', 'state'])
        assert.ok(sections('relay-input').includes(name), `${language}: ${name}`);
      assert.ok(sections('door').includes('status'));
    }
  });

  it('are loaded once where all nodes have them', () => {
    for (const language of languages) {
      const files = readdirSync(`dist/nodes/locales/${language}`).filter((file) => file.endsWith('.json'));
      const sizes = files.map((file) => readFileSync(`dist/nodes/locales/${language}/${file}`).length);
      const sum = sizes.reduce((before, size) => before + size);
      assert.ok(files.length > 20 && sum <= 212_000, `${language}: ${sum} bytes`);
    }
  });
});

describe('what all nodes have in common', () => {
  const set = '@openpaging/node-red-algo/door';
  const plugin = '@openpaging/node-red-algo/algo-forms';
  const events = new EventEmitter();
  const types = new Map<string, { readonly set?: { readonly id: string } }>();
  let words: I18next;
  let script: string;

  before(async () => {
    const contents = "import { shareWords } from './language/node-words.ts'; shareWords();";
    script = await bundle({ stdin: { contents, resolveDir: browserDirectory } });
  });

  beforeEach(async () => {
    words = i18next.createInstance();
    await words.init({ lng: 'de', fallbackLng: ['en-US'], resources: {}, showSupportNotice: false });
    events.removeAllListeners();
    types.clear();
  });

  function load(id: string, own: { readonly de: object; readonly english: object }): void {
    words.addResourceBundle('de', id, own.de);
    words.addResourceBundle('en-US', id, own.english);
  }

  const loadNode = () =>
    load(set, { de: { form: { name: 'Eigener Name' } }, english: { form: { name: 'Own name' } } });

  const loadPlugin = () =>
    load(plugin, {
      de: { shared: { form: { name: 'Name', add: 'Feld dazu' } } },
      english: { shared: { form: { name: 'Name', add: 'Add a field', search: 'Search' } } },
    });

  function runPlugin(): void {
    const nodes = {
      registry: { getNodeTypes: () => [...types.keys()] },
      getType: (type: string) => types.get(type),
    };
    runInNewContext(script, { window: {}, i18next: words, RED: { nodes, events } });
  }

  function translations(): string[] {
    return ['form.name', 'form.add', 'form.search'].map((key) => words.t(`${set}:${key}`));
  }

  const whole = ['Eigener Name', 'Feld dazu', 'Search'];

  it('is said by a node that comes after the plugin, and by nobody else', () => {
    loadPlugin();
    runPlugin();
    types.set('inject', { set: { id: 'node-red/inject' } }).set('algo-door', { set: { id: set } });
    loadNode();
    events.emit('registry:node-type-added', 'inject');
    assert.notDeepEqual(translations(), whole);
    events.emit('registry:node-type-added', 'algo-door');
    assert.deepEqual(translations(), whole);
    assert.equal(words.t('node-red/inject:form.add'), 'form.add');
  });

  it('is said by a node that was there before the plugin', () => {
    types.set('inject', { set: { id: 'node-red/inject' } }).set('subflow:1', {});
    types.set('algo-door', { set: { id: set } });
    loadNode();
    loadPlugin();
    runPlugin();
    assert.deepEqual(translations(), whole);
    assert.equal(words.t('node-red/inject:form.add'), 'form.add');
  });
});
