import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { memoizeTranslate } from '../../src/catalogue/memoize-translate';
import type { Translate } from '../../src/runtime/message/status';

const ofNodeRed = createRequire(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));
const { i18n } = ofNodeRed('@node-red/util') as { i18n: I18n };

interface I18n {
  init(settings: object): Promise<void>;
  registerMessageCatalog(namespace: string, folder: string, file: string): Promise<void>;
  _: (key: string, values: object) => string;
}

const namespace = 'algo-looked-up-once';

/** Node-RED's own words of the statuses, counted. */
function counted(): { translate: Translate; asked: string[] } {
  const asked: string[] = [];
  const translate: Translate = (key, values = {}) => {
    asked.push(key);
    return i18n._(`${namespace}:${key}`, values);
  };
  return { translate, asked };
}

describe('words that are looked up once', () => {
  before(async () => {
    await i18n.init({});
    await i18n.registerMessageCatalog(namespace, 'locales', 'shared.json');
  });

  it('are those of Node-RED, each time, with the values of that time', () => {
    const { translate } = counted();
    const words = memoizeTranslate(translate);
    const all: [string, Record<string, string>?][] = [
      ['status.sending', { operation: 'unlock' }],
      ['status.sending', { operation: 'lock' }],
      ['status.sending', { operation: '$& $1 <b>' }],
      ['status.several', { done: '2', all: '3' }],
      ['status.several', { done: '3', all: '3' }],
      ['status.underWay', { ended: '7', all: '500' }],
      ['status.accepted'],
      ['status.accepted'],
    ];
    const texts = all.map(([key, values]) => words(key, values));
    assert.deepEqual(
      texts,
      all.map(([key, values]) => translate(key, values)),
    );
    assert.equal(texts[0], 'unlock…');
    assert.equal(texts[3], '2 of 3 done');
  });

  it('are asked for once, however often they are shown', () => {
    const { translate, asked } = counted();
    const words = memoizeTranslate(translate);
    for (let count = 0; count < 100; count += 1) {
      words('status.accepted');
      words('status.underWay', { ended: String(count), all: '100' });
    }
    assert.deepEqual(asked, ['status.accepted', 'status.underWay']);
  });
});
