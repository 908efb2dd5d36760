import assert from 'node:assert/strict';
import {
  isLevel,
  isPrefix,
  type JobCommand,
  readMessage,
  readTopic,
  receiptsFor,
} from '../../src/sites/wire';

const job = {
  v: 2,
  id: 'j1',
  site: 'north',
  at: '2026-11-22T08:00:00.000Z',
  command: { operation: 'strobe/stop', parameters: {} },
  devices: ['A'],
};
const claim = { v: 2, instance: 'a', nodeId: 'p', seq: 1 };
const state = { ...claim, rank: 0, ready: true };
const receipt = {
  device: 'A',
  address: '',
  operation: 'x/y',
  outcome: 'accepted',
  attempts: 1,
  latencyMs: 2,
  at: '',
};
const result = { v: 2, instance: 'a', at: '', receipts: [receipt] };

describe('what goes over the broker', () => {
  const rows = [
    ['job', job],
    ['claim', claim],
    ['state', state],
    ['result', result],
  ] as const;
  for (const [kind, good] of rows) {
    it(`is read where it is a ${kind}, and refused with a key less, or in another version`, () => {
      assert.deepEqual(readMessage(kind, JSON.stringify(good)), good);
      const more = { ...good, more: 1 };
      assert.deepEqual(readMessage(kind, JSON.stringify(more)), kind === 'job' ? undefined : more);
      for (const v of [1, 3, '2'])
        assert.equal(readMessage(kind, JSON.stringify({ ...good, v })), undefined, `version ${v}`);
      for (const key of Object.keys(good)) {
        const { [key as never]: _left, ...less } = good as Record<string, unknown>;
        assert.equal(readMessage(kind, JSON.stringify(less)), undefined, `without ${key}`);
      }
    });
  }

  it('is refused where it is too long, or no JSON', () => {
    const devices = ['x'.repeat(2_000)];
    assert.ok(readMessage('job', JSON.stringify({ ...job, devices })));
    const many = Array.from({ length: 200 }, () => devices[0]);
    assert.equal(readMessage('job', JSON.stringify({ ...job, devices: many })), undefined);
    assert.equal(readMessage('job', '{'), undefined);
    assert.equal(readMessage('job', 'null'), undefined);
  });

  it('is refused where a receipt or what is to be done is something else', () => {
    const odd = { ...receipt, outcome: 3 };
    assert.equal(readMessage('result', JSON.stringify({ ...result, receipts: [odd] })), undefined);
    const commands = [
      { alert: 'a', action: 'state' },
      { operation: 'x/y' },
      { operation: 'x/y/z', parameters: {} },
      { resource: 'x', operation: 'y', parameters: {} },
      { ...job.command, alert: 'a' },
    ];
    for (const command of commands)
      assert.equal(readMessage('job', JSON.stringify({ ...job, command })), undefined);
  });

  it('may have keys that a newer site has added, in a receipt and what a result tells of an alert', () => {
    const newer = {
      ...result,
      receipts: [{ ...receipt, wireMs: 3, error: { code: 'X', reason: 'x', message: 'x', more: 1 } }],
      started: { alert: 'a', at: '', nodeId: 'p', more: 1 },
    };
    assert.deepEqual(readMessage('result', JSON.stringify(newer)), newer);
    const command = { ...job.command, more: 1 };
    assert.equal(readMessage('job', JSON.stringify({ ...job, command })), undefined);
  });

  it('is refused where it is deeper than whoever handles it can follow, wherever that is', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const odd = (key: string, levels: number) =>
      JSON.stringify({ ...result, receipts: [{ ...receipt, [key]: 'HERE' }] }).replace(
        '"HERE"',
        deep(levels),
      );
    for (const key of ['response', 'more']) {
      assert.ok(readMessage('result', odd(key, 20)), key);
      assert.equal(readMessage('result', odd(key, 100_000)), undefined, key);
    }
    for (const key of ['note', 'error']) assert.equal(readMessage('result', odd(key, 2)), undefined, key);
    const command = JSON.stringify({ ...job, command: { ...job.command, parameters: { a: 'HERE' } } });
    assert.equal(readMessage('job', command.replace('"HERE"', deep(50_000))), undefined);
  });

  it('names the person who asked, by a text of 1 to 200 characters', () => {
    for (const command of [job.command, { alert: 'a', action: 'start' }]) {
      const read = (by: unknown) =>
        readMessage('job', JSON.stringify({ ...job, command: { ...command, by } }));
      for (const by of ['x', 'x'.repeat(200)]) assert.deepEqual(read(by)?.command, { ...command, by });
      for (const by of ['', 'x'.repeat(201), {}, 7, null]) assert.equal(read(by), undefined);
      const receipts = receiptsFor(
        { command: { ...command, by: 'x' } as JobCommand, devices: ['A'] },
        '',
        '',
        { reason: '' },
        '',
      );
      assert.equal(receipts[0]?.by, 'x');
    }
  });

  it('acknowledges an alert by a person, with an answer of at most 200 characters, and nothing else', () => {
    const command = { alert: 'a', action: 'acknowledge', by: 'x' };
    const read = (more: object) =>
      readMessage('job', JSON.stringify({ ...job, command: { ...command, ...more } }));
    for (const more of [{}, { answer: '' }, { answer: 'x'.repeat(200) }])
      assert.deepEqual(read(more)?.command, { ...command, ...more });
    for (const more of [
      { by: '' },
      { by: undefined },
      { answer: 'x'.repeat(201) },
      { answer: 7 },
      { drill: true },
    ])
      assert.equal(read(more), undefined, JSON.stringify(more));
  });

  it('has a topic of its own for each site, kind and id', () => {
    assert.deepEqual(readTopic('algo/v2', 'algo/v2/north/job/j1'), { site: 'north', kind: 'job', id: 'j1' });
    const others = [
      'algo/v1/north/job/j1',
      'algo/v2/north/job',
      'algo/v2/north/job/a/b',
      'algo/v2/north/x/a',
    ];
    for (const topic of others) assert.equal(readTopic('algo/v2', topic), undefined, topic);
  });

  it('takes no name of a site that would be more than one level of a topic', () => {
    for (const name of ['north', 'Größe 1', 'a.b']) assert.ok(isLevel(name), name);
    for (const name of ['', 'a/b', '+', '#', 'a\u0000', 'x'.repeat(200), 3, undefined]) {
      assert.ok(!isLevel(name), String(name));
    }
    assert.ok(isPrefix('algo/v2') && !isPrefix('algo//v1') && !isPrefix('$SYS/a') && !isPrefix('a/#'));
  });
});
