import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { keyOfSite, type MessageCheck, ReplayDetector, Signing } from '../../src/sites/signing';

const hour = 3_600_000;
const prefix = 'algo/v2';
const topic = `${prefix}/north/job/j`;

describe('the signature of what goes over the broker', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000_000_000;
  });
  const signing = (key: string | undefined, aheadMs = 0) =>
    new Signing({ prefix, keyOf: () => key, wall: () => now + aheadMs, monotonic: () => now / 2 });
  const key = keyOfSite('secret', 'north');
  const unsaid = (worth: MessageCheck) =>
    'ignoreReason' in worth ? worth.ignoreReason : `said ${worth.expiry}`;

  it('is made with a key that is the site’s alone', () => {
    const right = createHmac('sha256', 'secret').update('algo-site:north').digest('base64url');
    assert.equal(key, right);
    assert.notEqual(key, keyOfSite('secret', 'south'));
    assert.notEqual(key, keyOfSite('other', 'north'));
  });

  it('is over topic, content, time and expiry', () => {
    const signature = signing(key).sign(topic, '{"v":1}', 60) ?? '';
    const judged = (where: string, what: string, how: unknown) =>
      unsaid(signing(key).judge(where, what, 60, how));
    assert.equal(judged(topic, '{"v":1}', signature), 'said 60');
    assert.equal(judged(`${prefix}/north/job/k`, '{"v":1}', signature), 'wrong');
    assert.equal(judged(`${prefix}/south/job/j`, '{"v":1}', signature), 'wrong');
    assert.equal(judged(topic, '{"v":2}', signature), 'wrong');
    assert.equal(judged(topic, '{"v":1}', signature.replace('.60.', '.600.')), 'wrong');
    const [version, signer, seq, at, ...rest] = signature.split('.');
    const later = [version, signer, seq, Number(at) + 1, ...rest].join('.');
    const next = [version, signer, Number(seq) + 1, at, ...rest].join('.');
    assert.equal(judged(topic, '{"v":1}', later), 'wrong');
    assert.equal(judged(topic, '{"v":1}', next), 'wrong');
    for (const none of [undefined, '', 'x', 1, [signature, signature], signature.slice(0, -1)]) {
      assert.equal(judged(topic, '{"v":1}', none), 'unsigned');
    }
    const other = signing(keyOfSite('secret', 'south')).sign(topic, '{"v":1}', 60);
    assert.equal(judged(topic, '{"v":1}', other), 'wrong');
  });

  it('is not asked for where a topic is emptied, nor where there is no key', () => {
    assert.equal(unsaid(signing(key).judge(topic, '', undefined, undefined)), 'said undefined');
    assert.equal(unsaid(signing(undefined).judge(topic, 'x', 7, undefined)), 'said 7');
    assert.equal(unsaid(signing(key).judge('elsewhere/x', 'x', 7, undefined)), 'said 7');
    assert.equal(signing(undefined).sign(topic, 'x', 7), undefined);
  });

  it('holds for its time and an hour, with clocks that are an hour apart', () => {
    for (const aheadMs of [-hour, 0, hour]) {
      const signature = signing(key, aheadMs).sign(topic, 'x', 60);
      assert.equal(unsaid(signing(key).judge(topic, 'x', 60, signature)), 'said 60', `${aheadMs}`);
    }
    const signature = signing(key).sign(topic, 'x', 60);
    now += hour + 59_000;
    assert.equal(unsaid(signing(key).judge(topic, 'x', 60, signature)), 'said 1');
    now += 2_000;
    assert.equal(unsaid(signing(key).judge(topic, 'x', 60, signature)), 'old');
    const ahead = signing(key, hour + 1_000).sign(topic, 'x', 60);
    assert.equal(unsaid(signing(key).judge(topic, 'x', 60, ahead)), 'ahead');
  });

  it('gives a job that is played again no new time', () => {
    const site = signing(key);
    const signature = signing(key).sign(topic, 'x', 60);
    assert.equal(unsaid(site.judge(topic, 'x', 60, signature)), 'said 60');
    now += 80_000;
    assert.equal(unsaid(site.judge(topic, 'x', 1_000_000, signature)), 'said 20', 'half as fast a clock');
    now += 80_000;
    assert.equal(unsaid(site.judge(topic, 'x', 60, signature)), 'repeated');
    const late = signing(key).sign(topic, 'x', 60);
    assert.equal(unsaid(signing(key).judge(topic, 'x', 1_000_000, late)), 'said 60');
  });

  it('tells what was said before what was heard already', () => {
    const [centre, site] = [signing(key), signing(key)];
    const [first, second] = [centre.sign(topic, 'x', 60), centre.sign(topic, 'y', 60)];
    assert.equal(unsaid(site.judge(topic, 'x', 60, first)), 'said 60');
    assert.equal(unsaid(site.judge(topic, 'y', 60, second)), 'said 60');
    assert.equal(unsaid(site.judge(topic, 'x', 60, first)), 'repeated');
    assert.equal(unsaid(site.judge(topic, 'y', 60, second)), 'said 60', 'a broker keeps the last one');
  });

  it('counts a sign of life once', () => {
    const life = `${prefix}/north/state/a`;
    const [peer, site] = [signing(key), signing(key)];
    const signature = peer.sign(life, 'x', undefined);
    assert.equal(unsaid(site.judge(life, 'x', undefined, signature)), 'said undefined');
    assert.equal(unsaid(site.judge(life, 'x', undefined, signature)), 'twice');
    now += 5_000;
    assert.equal(unsaid(site.judge(life, 'x', undefined, signature)), 'repeated');
  });

  it('tells how old a clear is that was kept for long, whatever time it is given', () => {
    const result = `${prefix}/north/result/j`;
    const year = 31_536_000;
    const signature = signing(key).sign(result, 'x', year);
    now += 30 * 24 * hour;
    const worth = signing(key).judge(result, 'x', year, signature);
    const age = year - ('expiry' in worth ? Number(worth.expiry) : 0);
    assert.ok(age >= (30 * 24 - 1) * 3_600, `it is as good as ${age} s old`);
    assert.deepEqual(signing(key).judge(result, 'x', undefined, signature), worth);
  });

  it('lets nobody make a site forget what another one has said, and remembers only so much of each', () => {
    const repetitions = new ReplayDetector();
    const message = { seq: 1, receivedAt: 0, until: 10, keptUntil: 1_000 };
    repetitions.record('south', 'first', message);
    repetitions.record('north', 'first', message);
    for (let number = 0; number < 30_000; number += 1) repetitions.record('north', `${number}`, message);
    assert.ok(repetitions.record('south', 'first', message));
    assert.ok(repetitions.record('north', '29999', message));
    assert.equal(repetitions.record('north', 'first', message), undefined);
    assert.equal(repetitions.record('south', 'other', { ...message, receivedAt: 1_000 }), undefined);
    assert.equal(repetitions.record('south', 'first', message), undefined, 'it is too old by then');
  });
});
