import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { AudioReader, maxAudioBytes } from '../../src/runtime/announce/audio';
import { mpegLength } from '../../src/runtime/announce/mpeg-frames';
import { wording } from '../fixtures/wording';
import { chunk, high, id3, low, middle, mp3, wav } from './sounds';

const frameMs = (1_152 / 44_100) * 1_000;

describe('the kind and the length of audio', () => {
  const reader = new AudioReader();
  const read = (content: Buffer) => reader.read(content);
  const roundedMs = async (content: Buffer) => Math.round((await read(content)).ms);
  const refused = (content: Buffer, reason: string) =>
    assert.rejects(read(content), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.ok(error.message.includes(reason), error.message);
      return true;
    });
  const unreadable = (content: Buffer, reason: string) => refused(content, reason);

  it('names a file by the first 16 digits of its checksum', async () => {
    const digest = createHash('md5').update(wav(1_000)).digest('hex');
    assert.equal((await read(wav(1_000))).file, `algo-${digest.slice(0, 16)}.wav`);
    assert.match((await read(mp3(Array(10).fill(middle)))).file, /^algo-[0-9a-f]{16}\.mp3$/);
  });

  it('takes the bytes of a WAV file that are there, whatever its header says', async () => {
    assert.equal((await read(wav(1_500))).ms, 1_500);
    for (const claimed of [0xffffffff, 0x7ffff000, 16_000 * 3_600, 0])
      for (const ms of [10, 1_500]) assert.equal((await read(wav(ms, { claimed }))).ms, ms);
  });

  it('takes no more than the header of a WAV file says', async () => {
    assert.equal((await read(wav(1_500, { claimed: 16_000 }))).ms, 1_000);
  });

  it('goes by the block align and the sample rate, whatever the bytes per second are', async () => {
    for (const bytesPerSecond of [0, 1, 8_000, 128_000, 0xffffffff])
      assert.equal((await read(wav(3_000, { bytesPerSecond }))).ms, 3_000);
    // 4 channels of 16 bits at 16 kHz: 128 bytes for each ms.
    assert.equal((await read(wav(3_000, { blockAlign: 8, sampleRate: 16_000 }))).ms, 375);
    for (const format of [1, 3, 6, 7, 0xfffe]) assert.equal((await read(wav(3_000, { format }))).ms, 3_000);
  });

  it('passes over other chunks, also of an odd size, with and without the byte that fills it up', async () => {
    const list = chunk('LIST', 25);
    const before = [list, chunk('fact', 4)];
    assert.equal((await read(wav(1_500, { before, after: [list] }))).ms, 1_500);
    assert.equal((await read(wav(1_500, { before: [list.subarray(0, -1)] }))).ms, 1_500);
  });

  it('finds no audio in an empty chunk that another chunk follows', async () => {
    const reason = wording('reasons:wavWithoutAudio');
    const after = [chunk('LIST', 26), chunk('id3 ', 11)];
    for (const content of [wav(0), wav(0, { after }), wav(0, { claimed: 0xffffffff })])
      await unreadable(content, reason);
    await unreadable(Buffer.from('RIFF....WAVE'), reason);
  });

  it('says why a WAV file cannot be read', async () => {
    await unreadable(wav(1_000, { format: 17 }), wording('reasons:wavFormat', { format: '17' }));
    const extensible = chunk('fmt ', 40);
    extensible.writeUInt16LE(0xfffe, 8);
    extensible.writeUInt16LE(2, 8 + 24);
    const content = wav(1_000);
    const compressed = Buffer.concat([content.subarray(0, 12), extensible, content.subarray(36)]);
    await unreadable(compressed, wording('reasons:wavFormat', { format: '2' }));
    for (const zero of [{ blockAlign: 0 }, { sampleRate: 0 }])
      await unreadable(wav(1_000, zero), wording('reasons:wavHeader'));
    await unreadable(
      Buffer.concat([content.subarray(0, 12), content.subarray(36)]),
      wording('reasons:wavHeader'),
    );
  });

  it('adds up the frames of an MP3 file, with a constant and a variable bit rate', async () => {
    assert.equal(await roundedMs(mp3(Array(100).fill(middle))), Math.round(100 * frameMs));
    const variable = Array.from({ length: 100 }, (_, index) => (index < 40 ? low : high));
    assert.equal(await roundedMs(mp3(variable)), Math.round(100 * frameMs));
  });

  it('believes no length that an encoder has left empty, and counts what a cut-off file has', async () => {
    const content = mp3(Array(100).fill(middle));
    // The place of the tag in a frame with one channel.
    content.write('Xing', 4 + 17);
    content.writeUInt32BE(1, 4 + 17 + 4);
    assert.equal(await roundedMs(content), Math.round(100 * frameMs));
    const cut = content.subarray(0, content.length / 2 + 5);
    assert.equal(await roundedMs(cut), Math.round(50 * frameMs));
  });

  it('finds the first frame of an MP3 file that another one follows', async () => {
    const frames = mp3(Array(100).fill(middle));
    const lone = mp3([low]);
    const oldTag = Buffer.alloc(128);
    oldTag.write('TAG');
    const junk = Buffer.alloc(2 ** 16, 0xa5);
    lone.copy(junk, 1_000);
    const others: Record<string, Buffer[]> = {
      'a long tag': [id3(2 ** 18), frames],
      'two tags': [id3(100), id3(5_000), frames],
      'zeros in front': [Buffer.alloc(5_000), frames],
      'zeros, a tag and zeros': [Buffer.alloc(417), id3(100), Buffer.alloc(2_000), frames],
      'junk behind a tag': [id3(300), junk, frames],
      'junk in front': [junk, frames],
      'a tag that looks like frames': [id3(0).fill(2, 9), lone.subarray(0, 2), frames],
      'a tag at the end': [frames, oldTag],
      'a tag in the middle': [
        frames.subarray(0, frames.length / 2),
        id3(500),
        frames.subarray(frames.length / 2),
      ],
    };
    for (const [name, parts] of Object.entries(others))
      assert.equal(await roundedMs(Buffer.concat(parts)), Math.round(100 * frameMs), name);
  });

  it('says why an MP3 file cannot be read', async () => {
    const reason = wording('reasons:mp3WithoutFrames');
    for (const content of [id3(5_000), Buffer.concat([id3(100), Buffer.alloc(4_000, 0xa5)])])
      await unreadable(content, reason);
  });

  it('refuses content that is neither WAV nor MP3', async () => {
    const layer2 = mp3(Array(10).fill(middle)).map((byte) => (byte === 0xfb ? 0xfd : byte));
    const frame = Buffer.from([0xff, 0xfb, 0x90]);
    const strayFrame = Buffer.concat([Buffer.alloc(2_000_000, 0xa5), mp3(Array(10).fill(middle))]);
    const others = [
      Buffer.alloc(0),
      Buffer.from('hello'),
      Buffer.from('ID3'),
      frame,
      Buffer.from(layer2),
      strayFrame,
    ];
    for (const content of others) await unreadable(content, wording('reasons:noSound'));
  });

  it('refuses audio of more than 10 minutes, and of more than 20 MB', async () => {
    await refused(wav(600_001), wording('reasons:audioTooLong', { minutes: '10.0' }));
    assert.equal((await read(wav(600_000))).ms, 600_000);
    assert.deepEqual(await reader.lengthOf(wav(600_001)), { ms: 600_001 });
    await refused(Buffer.alloc(maxAudioBytes + 1), wording('reasons:audioTooLarge', { size: '20.0' }));
  });

  it('pauses while it reads a long file, so that nothing else waits', async () => {
    let [looks, pauses] = [0, 0];
    const slices = {
      isOverAt: (steps: number) => {
        looks += 1;
        return looks % steps === 0;
      },
      next: async () => {
        pauses += 1;
      },
    };
    await mpegLength(mp3(Array(50_000).fill(low)), slices);
    assert.deepEqual([looks >= 50_000, pauses >= 5], [true, true]);
  });
});
