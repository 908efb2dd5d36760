import assert from 'node:assert/strict';
import { commentsNotYet, textsNotYet } from './not-yet';
import { commented, type ReadText, readable, unplainIn } from './wording';

type Files = ReadonlyMap<string, () => Iterable<ReadText>>;

/** Returns the sentences of these files that are not plain, by file. */
function findings(files: Files): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, texts] of files) {
    const sentences = [...texts()].flatMap(({ place, text }) =>
      unplainIn(text).map((name) => `${file}, ${place}: ${name}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`),
    );
    if (sentences.length > 0) found.set(file, sentences);
  }
  return found;
}

function holds(files: Files, notYet: readonly string[]): void {
  const found = findings(files);
  const wrong = [...found].flatMap(([file, sentences]) => (notYet.includes(file) ? [] : sentences));
  assert.equal(wrong.length, 0, wrong.join('\n'));
  const done = notYet.filter((file) => !found.has(file));
  assert.deepEqual(done, [], 'these are plain now, or gone: take them off the list in not-yet.ts');
}

describe('the wording', () => {
  it('of texts is plain, but in files that are listed as not done yet', () => {
    const files = readable();
    assert.ok(files.size > 400, String(files.size));
    holds(files, textsNotYet);
  });

  it('of comments is plain, but in files that are listed as not done yet', () => {
    const files = commented();
    assert.ok(files.size > 400, String(files.size));
    holds(files, commentsNotYet);
  });

  it('is judged by words and by how sentences begin', () => {
    assert.deepEqual(unplainIn('The device accepted what `deed` names.'), []);
    assert.deepEqual(unplainIn('It was surely not done'), ['surely']);
    assert.deepEqual(unplainIn('- What waits is dropped'), ['begins with What']);
    assert.deepEqual(unplainIn('What waits is dropped'), ['begins with What']);
    assert.deepEqual(unplainIn('A wrapped line\nof a paragraph'), []);
    assert.deepEqual(unplainIn('It waits. What waits is dropped'), ['begins with What']);
    assert.deepEqual(unplainIn('what msg.device names'), ['begins with what']);
    assert.deepEqual(unplainIn('seconds, 10 unless given'), ['unless given']);
  });
});
