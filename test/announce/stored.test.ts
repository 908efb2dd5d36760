import assert from 'node:assert/strict';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import { StoredFiles } from '../../src/runtime/announce/stored-files';
import { ToneLengths } from '../../src/runtime/announce/tone-lengths';

const megabyte = 1_024 * 1_024;

describe('the files and the lengths of tones that announcements remember', () => {
  const entries = new Map<string, unknown>();
  const journal = {
    entries: () => entries.entries(),
    put: async (key: string, value: unknown) => void entries.set(key, value),
    delete: async (key: string) => void entries.delete(key),
  } as unknown as SharedJournal;
  const isNeeded =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);
  let files: StoredFiles;
  beforeEach(() => {
    entries.clear();
    files = new StoredFiles(journal);
  });

  it('makes room of 50 MB per device: unused for longest first, never a file that is needed', async () => {
    await files.note('horn', 'old.wav', 20 * megabyte, 1);
    await files.note('horn', 'middle.wav', 10 * megabyte, 2);
    await files.note('horn', 'young.wav', 20 * megabyte, 3);
    await files.note('hall', 'other.wav', 20 * megabyte, 0);
    assert.deepEqual(files.surplus('horn', 1, isNeeded()), ['old.wav']);
    assert.deepEqual(files.surplus('horn', 20 * megabyte + 1, isNeeded()), ['old.wav', 'middle.wav']);
    assert.deepEqual(files.surplus('horn', 1, isNeeded('old.wav')), ['middle.wav']);
    assert.deepEqual(files.surplus('hall', 30 * megabyte, isNeeded()), []);
    assert.equal(files.surplus('horn', 1, isNeeded('old.wav', 'middle.wav', 'young.wav')), undefined);
    await files.note('horn', 'old.wav', 20 * megabyte, 4);
    assert.deepEqual(files.surplus('horn', 1, isNeeded()), ['middle.wav']);
  });

  it('knows after a restart which uploads were confirmed', async () => {
    await files.note('horn', 'one.wav', 1, 1);
    await files.note('horn', 'two.wav', 1, 2);
    await files.forget('horn', 'one.wav');
    const again = new StoredFiles(journal);
    assert.deepEqual([again.has('horn', 'one.wav'), again.has('horn', 'two.wav')], [false, true]);
    await again.forget('horn', 'two.wav');
    assert.equal(entries.size, 0);
  });

  it('forgets the length of a tone after a day, and when the file changes', async () => {
    let now = 0;
    const lengths = new ToneLengths({ monotonic: () => now });
    await lengths.read('horn', 'gong.wav', async () => ({ ms: 700 }));
    await lengths.read('hall', 'gong.wav', async () => ({ ms: 800 }));
    lengths.forget('hall', 'gong.wav');
    assert.deepEqual([lengths.get('horn', 'gong.wav'), lengths.get('hall', 'gong.wav')], [700, undefined]);
    now = 24 * 3_600_000 - 1;
    assert.equal(lengths.get('horn', 'gong.wav'), 700);
    now += 1;
    assert.equal(lengths.get('horn', 'gong.wav'), undefined);
    const forgetting = lengths.read('horn', 'gong.wav', async () => ({ ms: 700 }));
    lengths.forget('horn', 'gong.wav');
    await forgetting;
    assert.equal(lengths.get('horn', 'gong.wav'), undefined);
  });
});
