import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { knownFolders, knownSettings } from '../../src/catalogue/known-names';
import type { AnswerCache } from '../../src/editor/browser/tools/answer-cache';
import { browserDirectory, bundle } from '../../src/editor/bundle';
import { read } from './pages';

describe('what a dialog offers', () => {
  it('of settings and folders has names that stand in the documents', () => {
    const documents = read('docs', 'interface.md') + read('docs', 'field-notes.md');
    const isThere = (name: string) => documents.includes(`\`${name}\``);
    assert.deepEqual(
      [...knownSettings, ...knownFolders].filter((name) => !isThere(name)),
      [],
    );
  });
});

describe('an answer to a dialog', () => {
  let now = 0;
  let asked: string[];
  let kept: AnswerCache<string>;

  beforeEach(async () => {
    const contents = "import { AnswerCache } from './tools/answer-cache'; window.AnswerCache = AnswerCache;";
    const window: { AnswerCache?: typeof AnswerCache } = {};
    const code = await bundle({ stdin: { contents, resolveDir: browserDirectory } });
    runInNewContext(code, { window });
    const Class = window.AnswerCache ?? assert.fail();
    asked = [];
    kept = new Class(
      (answer) => answer !== 'bad',
      () => now,
    );
  });

  const get = (question: string, answer: string, isFresh = false) =>
    kept.get(question, isFresh, async () => {
      asked.push(question);
      return answer;
    });

  it('counts for a minute, and then it is asked for again', async () => {
    assert.equal(await get('tones', 'first'), 'first');
    now += 59_999;
    assert.equal(await get('tones', 'second'), 'first');
    assert.equal(await get('files', 'others'), 'others');
    now += 1;
    assert.equal(await get('tones', 'third'), 'third');
    now += 59_999;
    assert.equal(await get('tones', 'fourth'), 'third');
    assert.deepEqual(asked, ['tones', 'files', 'tones']);
  });

  it('counts no more where a person asks again', async () => {
    await get('tones', 'first');
    assert.equal(await get('tones', 'second', true), 'second');
    assert.equal(await get('tones', 'third'), 'second');
  });

  it('is not kept where it went wrong, however that is said', async () => {
    assert.equal(await get('tones', 'bad'), 'bad');
    assert.equal(await get('tones', 'good'), 'good');
    await assert.rejects(kept.get('files', false, () => Promise.reject(new Error('away'))));
    assert.equal(await get('files', 'there'), 'there');
  });

  it('is asked for once, however often somebody wants it meanwhile', async () => {
    const all = [get('tones', 'first'), get('tones', 'second')];
    assert.deepEqual(await Promise.all(all), ['first', 'first']);
    assert.deepEqual(asked, ['tones']);
  });
});
