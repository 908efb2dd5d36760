import assert from 'node:assert/strict';
import { LocalizedMessage } from '../../../src/catalogue/localized-message';
import { findTargets } from '../../../src/runtime/device/targets';
import { sentence, wording } from '../../fixtures/wording';

/** What a message's `device` leads to where no device has any of its names. */
function lost(device: unknown): { asked: string; message: string }[] {
  const { list } = findTargets({ target: 'msg' }, { device });
  return list.map(({ asked = '', error }) => ({ asked, message: String(error?.message) }));
}

describe('the targets of a hostile message', () => {
  const tooMany = /more than 200000 names/;

  it('are none where a list is too long, which is seen by its length', () => {
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    for (const list of [new Array(1_000_000).fill('Gate'), new Array(200_001).fill('group:Gate'), sparse]) {
      const [only, ...others] = lost(list);
      assert.equal(others.length, 0);
      assert.match(String(only?.message), tooMany);
    }
  });

  it('are read once from a list that answers without end', () => {
    let reads = 0;
    const endless = (length: () => unknown) =>
      new Proxy([] as unknown[], {
        has: () => true,
        get(_, name) {
          if (name === 'length') return length();
          reads += 1;
          return 'Gate';
        },
      });
    for (const length of [Number.POSITIVE_INFINITY, Number.NaN, 2 ** 53]) {
      assert.match(String(lost(endless(() => length))[0]?.message), tooMany);
    }
    assert.equal(reads, 0);
    let asked = 0;
    // It is longer each time.
    lost(endless(() => (asked++ === 0 ? 2 : 2 ** 53)));
    assert.equal(reads, 2);
    assert.equal(asked, 1);
  });

  it('have a receipt each up to 1,000 unknown ones, and one that counts the others', () => {
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => `${['', 'group:', 'tag:'][index % 3]}${index}`);
    assert.deepEqual(
      lost(names(1_000)).map(({ asked }) => asked),
      names(1_000),
    );
    for (const [count, others] of [
      [1_001, 1],
      [200_000, 199_000],
    ] as const) {
      const all = lost(names(count));
      assert.deepEqual(
        all.slice(0, 1_000).map(({ asked }) => asked),
        names(1_000),
      );
      const where = `"${others} more names"`;
      const message = sentence(`${others} more names match no device`, where, wording('reasons:nothingSent'));
      assert.deepEqual(all.slice(1_000), [{ asked: `${others} more names`, message }]);
    }
    assert.equal(lost(new Array(200_000).fill({})).length, 1_001);
  });

  it('have no sentences where nobody asks why they lead nowhere', () => {
    const inEnglish = LocalizedMessage.prototype.toString;
    let sentences = 0;
    LocalizedMessage.prototype.toString = function (this: LocalizedMessage) {
      sentences += 1;
      return inEnglish.call(this);
    };
    try {
      const device = Array.from({ length: 100 }, (_, index) => `Unknown ${index}`);
      const { list } = findTargets({ target: 'msg' }, { device });
      assert.equal(list.length, 100);
      assert.equal(sentences, 0);
      assert.equal(list[0]?.error, list[0]?.error);
      assert.ok(sentences > 0);
    } finally {
      LocalizedMessage.prototype.toString = inEnglish;
    }
  });

  it('leave out the holes of a list', () => {
    const list: unknown[] = [];
    list[2] = 'nobody';
    assert.deepEqual(
      lost(list).map(({ asked }) => asked),
      ['nobody'],
    );
  });

  for (const prefix of ['', 'group:', 'tag:']) {
    it(`are told in short, in one line, where a name is long or odd: "${prefix}"`, () => {
      const odd = [
        '\u0000\u001b[2J',
        '\u0085\u2028\u2029',
        '\u202e',
        '\ud800',
        '\n<b>',
        'x'.repeat(10_000_000),
      ];
      for (const name of odd) {
        const [{ asked, message } = { asked: '', message: '' }] = lost(`${prefix}${name}`);
        for (const text of [asked, message]) {
          assert.ok(text.length < 300, `${text.length} characters`);
          assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/u);
        }
      }
    });
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      it(`lead nowhere by ${prefix}${name}`, () => {
        const [only, ...others] = lost([`${prefix}${name}`]);
        assert.equal(others.length, 0);
        assert.match(String(only?.message), /no (?:device|group) has this (?:name|tag)/);
      });
    }
  }
});
