import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { AudioReader, maxAudioBytes } from '../../src/runtime/announce/audio';
import { chunk, high, low, middle, mp3, wav } from './sounds';

const frameMs = (1_152 / 44_100) * 1_000;

describe('the kind and the length of audio', () => {
  const reader = new AudioReader();
  after(() => reader.close());
  const read = (content: Buffer) => reader.read(content);
  const refused = (content: Buffer, words: RegExp) =>
    assert.rejects(read(content), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.match(error.message, words);
      return true;
    });

  it('names a file by the first 16 digits of its checksum', async () => {
    const digest = createHash('md5').update(wav(1_000)).digest('hex');
    assert.equal((await read(wav(1_000))).file, `algo-${digest.slice(0, 16)}.wav`);
    assert.match((await read(mp3(Array(10).fill(middle)))).file, /^algo-[0-9a-f]{16}\.mp3$/);
  });

  it('takes the bytes of a WAV file that are there, whatever its header says', async () => {
    assert.equal((await read(wav(1_500))).ms, 1_500);
    for (const claimed of [0xffffffff, 0x7ffff000, 16_000 * 3_600])
      assert.equal((await read(wav(1_500, claimed))).ms, 1_500);
  });

  it('takes no more than the header of a WAV file says', async () => {
    assert.equal((await read(wav(1_500, 16_000))).ms, 1_000);
  });

  it('passes over other chunks', async () => {
    assert.equal((await read(wav(1_500, undefined, [chunk('LIST', 25), chunk('fact', 4)]))).ms, 1_500);
  });

  it('adds up the frames of an MP3 file, with a constant and a variable bit rate', async () => {
    assert.equal(Math.round((await read(mp3(Array(100).fill(middle)))).ms), Math.round(100 * frameMs));
    const variable = Array.from({ length: 100 }, (_, index) => (index < 40 ? low : high));
    assert.equal(Math.round((await read(mp3(variable))).ms), Math.round(100 * frameMs));
  });

  it('believes no length that an encoder has left empty, and counts what a cut-off file has', async () => {
    const content = mp3(Array(100).fill(middle));
    // The place of the tag in a frame with one channel.
    content.write('Xing', 4 + 17);
    content.writeUInt32BE(1, 4 + 17 + 4);
    assert.equal(Math.round((await read(content)).ms), Math.round(100 * frameMs));
    const cut = content.subarray(0, content.length / 2 + 5);
    assert.equal(Math.round((await read(cut)).ms), Math.round(50 * frameMs));
  });

  it('passes over a long tag in front of an MP3 file', async () => {
    const tag = Buffer.alloc(10 + 2 ** 18);
    tag.write('ID3');
    tag.set([4, 0, 0, 0, 16, 0, 0], 3);
    const content = Buffer.concat([tag, mp3(Array(100).fill(middle))]);
    assert.equal(Math.round((await read(content)).ms), Math.round(100 * frameMs));
  });

  it('refuses content that is neither WAV nor MP3', async () => {
    const others = [
      Buffer.alloc(0),
      Buffer.from('hello'),
      Buffer.from('ID3'),
      wav(0),
      wav(10).subarray(0, 30),
    ];
    for (const content of [...others, Buffer.from('RIFF....WAVE'), Buffer.from([0xff, 0xfb, 0x90])])
      await refused(content, /WAV or an MP3/);
  });

  it('refuses audio of more than 10 minutes, and of more than 20 MB', async () => {
    await refused(wav(600_001), /10 minutes/);
    assert.equal((await read(wav(600_000))).ms, 600_000);
    assert.equal(await reader.lengthOf(wav(600_001)), 600_001);
    await refused(Buffer.alloc(maxAudioBytes + 1), /20 MB/);
  });

  it('ends a thread that takes too long, and reads the next file', async () => {
    const limits = { limitMs: 0, idleMs: 60_000 };
    const impatient = new AudioReader(limits);
    const content = mp3(Array(20).fill(middle));
    await assert.rejects(impatient.read(content));
    limits.limitMs = 600_000;
    assert.equal(Math.round((await impatient.read(content)).ms), Math.round(20 * frameMs));
    await impatient.close();
    assert.equal(Math.round((await read(content)).ms), Math.round(20 * frameMs));
  });
});
