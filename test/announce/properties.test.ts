import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import { PropertyFinding } from '../../src/kernel/property';
import {
  type AnnounceProperties,
  readAnnounceOperation,
  readAudio,
  readSettings,
} from '../../src/runtime/announce/properties';

const util = {
  getMessageProperty: (message: Record<string, unknown>, name: string) => message[name],
} as unknown as NodeAPI['util'];

describe('the properties of an announcement', () => {
  const read = (properties: AnnounceProperties = {}, message: object = {}) =>
    readSettings({ util }, properties, message);
  const isRefused = (task: () => unknown, words: string) =>
    assert.throws(task, (error: { code?: string }) => error.code === 'INVALID_PARAMETER', words);

  it('have defaults', () => {
    const { repeat, intervalMs, togetherMs, ttlMs, priority, overlap, volume, text, chime } = read();
    assert.deepEqual(
      [repeat, intervalMs, togetherMs, ttlMs, priority, overlap, volume, text, chime],
      [1, 2_000, 5_000, 600_000, 5, 'queue', undefined, undefined, undefined],
    );
    assert.equal(readAnnounceOperation(undefined, 'operation'), 'play');
  });

  it('have ranges', () => {
    const refused: AnnounceProperties[] = [
      ...[0, 11, 1.5, 'x'].map((repeat) => ({ repeat })),
      ...[-1, 601].map((interval) => ({ interval })),
      ...['-13dB', '-48dB', '3dB', 11, -1, 5.5, '5.5', 'loud'].map((volume) => ({ volume })),
      ...[-1, 11].map((priority) => ({ priority })),
      ...['mix', 5].map((overlap) => ({ overlap })),
      ...['loop', 'path', 'duration'].map((name) => ({ toneParameters: { [name]: 1 } })),
      { together: -1 },
    ];
    for (const properties of refused) isRefused(() => read(properties), JSON.stringify(properties));
    assert.deepEqual([read({ repeat: 10 }).repeat, read({ interval: 600 }).intervalMs], [10, 600_000]);
    assert.deepEqual([read({ priority: 0 }).priority, read({ priority: 10 }).priority], [0, 10]);
  });

  it('write a level as decibels', () => {
    const written = [0, 1, '5', 9, 10, '-12dB', '-45dB', '0dB'].map((volume) => read({ volume }).volume);
    assert.deepEqual(written, ['-45dB', '-27dB', '-15dB', '-3dB', '0dB', '-12dB', '-45dB', '0dB']);
    assert.equal(read({ volume: '' }).volume, undefined);
  });

  it('read the priority of a message only with priorityType', () => {
    assert.equal(read({}, { priority: 11 }).priority, 5);
    const properties = { priorityType: 'msg', priority: 'weight' };
    assert.equal(read(properties, { weight: 8 }).priority, 8);
    assert.equal(read(properties).priority, 5);
    isRefused(() => read(properties, { weight: 11 }), '11');
  });

  it('read the ttl of a message first; zero stands for no limit', () => {
    assert.equal(read({ ttl: 30 }, { ttl: 7 }).ttlMs, 7_000);
    assert.equal(read({ ttl: 0 }).ttlMs, Number.POSITIVE_INFINITY);
  });

  it('take a Buffer or the name of a tone, and four operations', () => {
    assert.equal(readAudio('gong.wav', 'audio'), 'gong.wav');
    for (const value of [undefined, null, '', 5, {}, [], true])
      assert.ok(readAudio(value, 'audio') instanceof PropertyFinding, String(value));
    for (const operation of ['start', 'Play', 5])
      assert.ok(readAnnounceOperation(operation, 'operation') instanceof PropertyFinding, `${operation}`);
  });
});
