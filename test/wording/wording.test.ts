import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commented, type ReadText, readable, unplainIn } from './wording';

type Files = ReadonlyMap<string, () => Iterable<ReadText>>;

/** The sentences of these files that are not plain. */
function unplain(files: Files): string[] {
  assert.ok(files.size > 400, String(files.size));
  return [...files].flatMap(([file, texts]) =>
    [...texts()].flatMap(({ place, text }) =>
      unplainIn(text).map((name) => `${file}, ${place}: ${name}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`),
    ),
  );
}

describe('the wording', () => {
  it('of texts is plain', () => {
    const wrong = unplain(readable());
    assert.equal(wrong.length, 0, wrong.join('\n'));
  });

  it('of comments is plain', () => {
    const wrong = unplain(commented());
    assert.equal(wrong.length, 0, wrong.join('\n'));
  });

  it('of labels and hints names the thing, and is no indirect question', () => {
    const texts = [...readable()].filter(([file]) => /^(?:src\/catalogue|locales\/en-US)\//.test(file));
    const questions = texts.flatMap(([file, read]) =>
      [...read()].flatMap(({ place, text }) =>
        /^(?:How|Which|Whether|Why|When) .*[^?]$/s.test(text) ? `${file}, ${place}: ${text}` : [],
      ),
    );
    assert.deepEqual(questions, []);
  });

  it('of the contract has no long paragraphs, bullets or rows', () => {
    const contract = readFileSync(path.resolve(__dirname, '../../../docs/contract.md'), 'utf8');
    const parts = contract.replace(/```.*?```/gs, '').split(/\n\s*\n|\n\s*- |\n\||\n\d+\. /);
    assert.ok(parts.length > 400, String(parts.length));
    assert.deepEqual(
      parts.filter((part) => part.trim().split(/\s+/).length > 80),
      [],
    );
  });

  it('of the contract is short enough to be read, and kept', () => {
    const contract = readFileSync(path.resolve(__dirname, '../../../docs/contract.md'), 'utf8');
    const words = contract.split(/\s+/).length;
    assert.ok(words > 5_000 && words <= 11_500, `${words} words`);
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

  it('leaves its own severity to a message of the Common Alerting Protocol', () => {
    assert.deepEqual(unplainIn('{"messageType":"Alert","severity":"Severe"}'), []);
    assert.deepEqual(unplainIn("({ msgType, severity }) => severity === 'Extreme'"), []);
    assert.deepEqual(unplainIn('{"severity":"Severe"}'), ['severity']);
    assert.deepEqual(unplainIn('The severity of an alert'), ['severity']);
  });
});
