import assert from 'node:assert/strict';
import { ownWords, readBody } from '../../src/client/response';
import { wordingIn } from '../fixtures/wording';

function answer(body: string | Buffer, type?: string) {
  return { body: Buffer.from(body), headers: type === undefined ? {} : { 'content-type': type } };
}

describe('reading an answer', () => {
  it('parses JSON only when there is text', () => {
    for (const kind of ['none', 'json', 'text', undefined] as const) {
      assert.equal(readBody(answer('', 'application/json'), kind), undefined);
      assert.equal(readBody(answer(' \r\n', 'application/json'), kind), undefined);
    }
    assert.deepEqual(readBody(answer('{"a":1}', 'application/json; charset=utf-8'), 'json'), { a: 1 });
    assert.deepEqual(readBody(answer('\ufeff{"a":1}', 'application/json'), 'json'), { a: 1 });
    assert.deepEqual(readBody(answer('{"a":1}', 'application/octet-stream'), 'json'), { a: 1 });
    assert.deepEqual(readBody(answer('{"a":1}'), 'json'), { a: 1 });
  });

  it('refuses what is not the JSON it should be', () => {
    assert.throws(() => readBody(answer('<h1>Busy</h1>', 'text/html'), 'json'), {
      code: 'UNREADABLE',
      message: wordingIn('reasons:noJson', { words: 'Busy' }),
    });
    assert.throws(() => readBody(answer('{"a":', 'application/json'), 'json'), { code: 'UNREADABLE' });
    assert.throws(() => readBody(answer(Buffer.from([0xff, 0xfe, 0]), 'image/png'), 'json'), {
      code: 'UNREADABLE',
      message: wordingIn('reasons:noJsonBytes', { count: 3 }),
    });
  });

  it('refuses a web page in the place of an answer', () => {
    for (const kind of ['none', 'text'] as const) {
      for (const page of ['<!DOCTYPE html><title>Sign in</title>', '\n<html lang="en">Sign in</html>']) {
        assert.throws(() => readBody(answer(page, 'text/html'), kind), {
          code: 'UNREADABLE',
          message: wordingIn('reasons:webPage', { words: 'Sign in' }),
        });
      }
    }
    assert.match(String(readBody(answer('<html>Sign in</html>', 'text/html'), undefined)), /Sign in/);
  });

  it('takes whatever comes where the document shows nothing', () => {
    assert.deepEqual(readBody(answer('{"ok":true}', 'application/json'), 'none'), { ok: true });
    assert.deepEqual(readBody(answer('["a"]'), 'none'), ['a']);
    assert.equal(readBody(answer('<p>done</p>', 'text/html'), 'none'), '<p>done</p>');
    assert.equal(readBody(answer('done'), 'none'), 'done');
    assert.equal(readBody(answer('{half', 'application/json'), 'none'), '{half');
  });

  it('refuses JSON that would hold Node-RED, and reads what is nearly as large', () => {
    const listOf = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]`;
    const most = 4 * 1024 * 1024;
    const large = listOf(most + 1);
    const refused = { code: 'TOO_LARGE', message: wordingIn('reasons:tooLarge', { size: '4 MiB' }) };
    for (const kind of ['none', 'json', 'text', undefined] as const) {
      assert.ok(Array.isArray(readBody(answer(listOf(most), 'application/json'), kind)));
      assert.throws(() => readBody(answer(large, 'application/json'), kind), refused);
    }
    assert.throws(() => readBody(answer(large, 'text/plain'), 'json'), refused);
    // A body without a JSON type is a text, and a file is a file.
    assert.equal(readBody(answer(large, 'text/plain'), undefined), large);
    assert.ok(Buffer.isBuffer(readBody(answer(`{"filelist":${large}}`, 'application/json'), 'file')));
  });

  it('takes JSON of more than a hundred levels as a text, in lists and in objects', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = (levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`;
      assert.equal(typeof readBody(answer(deep(100), 'application/json'), 'none'), 'object');
      assert.equal(readBody(answer(deep(101), 'application/json'), 'none'), deep(101));
    }
    const wide = `[${new Array(150).fill('[[]]').join()}]`;
    assert.equal((readBody(answer(wide, 'application/json'), 'none') as unknown[]).length, 150);
  });

  it('keeps files as they are', () => {
    const bytes = Buffer.from([0x52, 0x49, 0x46, 0x46, 0, 0xff]);
    assert.deepEqual(readBody(answer(bytes, 'audio/wav'), 'file'), bytes);
    assert.deepEqual(readBody(answer('text', 'text/plain'), 'file'), Buffer.from('text'));
    assert.deepEqual(readBody(answer('', 'text/plain'), 'file'), Buffer.alloc(0));
    assert.deepEqual(readBody(answer('{"a":1}', 'application/json'), 'file'), Buffer.from('{"a":1}'));
    assert.deepEqual(readBody(answer('{"filelist":["x"]}'), 'file'), { filelist: ['x'] });
    assert.ok(Buffer.isBuffer(readBody(answer('{"filelist":["x"],"y":1}'), 'file')));
  });

  it('goes by the content type for requests made by hand', () => {
    const bytes = Buffer.from([0xff, 0xd8, 0]);
    assert.deepEqual(readBody(answer(bytes, 'image/jpeg'), undefined), bytes);
    assert.deepEqual(readBody(answer(bytes), undefined), bytes);
    assert.equal(readBody(answer('plain', 'text/plain'), undefined), 'plain');
    assert.equal(readBody(answer('Stopped 1 event(s).', 'text/plain'), 'text'), 'Stopped 1 event(s).');
    assert.equal(readBody(answer('Stopped', 'application/octet-stream'), 'text'), 'Stopped');
    assert.equal(readBody(answer('5', 'application/json'), undefined), 5);
  });
});

describe("the device's own words", () => {
  it('are found under the usual names', () => {
    assert.equal(ownWords({ error: 'no such door' }), 'no such door');
    assert.equal(ownWords({ message: 'no such door' }), 'no such door');
    assert.equal(ownWords({ code: 7, status: 'busy' }), 'busy');
    assert.equal(ownWords({ detail: 'late' }), 'late');
    assert.equal(ownWords({ error: { message: 'deep' } }), 'deep');
    assert.equal(ownWords({ code: 7 }), '{"code":7}');
    assert.equal(ownWords('just text\n'), 'just text');
    assert.equal(ownWords(undefined), '');
    assert.equal(ownWords(Buffer.from('x')), '');
  });

  it('lose their HTML', () => {
    const page =
      '<html><head><title>400</title><style>p{color:red}</style></head><body><h1>Bad Request</h1>\n<p>a &lt; b &amp; c</p></body></html>';
    assert.equal(ownWords(page), 'Bad Request a < b & c');
    assert.equal(
      ownWords('<h1>Busy</h1><script>if (1<2) { go("<b>") }</script><p>a <b>while</b>'),
      'Busy a while',
    );
    assert.equal(ownWords('<title>Busy</title><script>without an end'), 'Busy');
    assert.equal(ownWords('<!-- a > b -->1 < 2, he said <br'), 'b -->1 < 2, he said <br');
    assert.equal(ownWords('<html><head><title>Not Found</title></head><body></body></html>'), 'Not Found');
  });

  it('lose what a terminal or a browser would obey', () => {
    const words = 'a\u001b[2J\u0007b\r\n\u0000c\u009b31m\u202ed\u2066e\u007f';
    assert.equal(ownWords({ error: words }), 'a [2J b c 31m d e');
    assert.equal(ownWords('é ü “x” 你好 🔔'), 'é ü “x” 你好 🔔');
  });

  it('are cut at 200 characters', () => {
    const words = ownWords('x'.repeat(500));
    assert.equal(words.length, 200);
    assert.ok(words.endsWith('…'));
    assert.equal(ownWords('x'.repeat(200)), 'x'.repeat(200));
  });
});
