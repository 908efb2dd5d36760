import assert from 'node:assert/strict';
import { keyOfSite, Signing } from '../../src/sites/signing';
import type { JobMessage, Kind } from '../../src/sites/wire';
import { listening } from './site-instance';

const prefix = 'algo/v2';
const at = '2026-11-22T00:00:00.000Z';

describe('a site with a key, and somebody who plays again what was said', () => {
  const signing = (now: () => number) =>
    new Signing({ prefix, keyOf: (site) => keyOfSite('secret', site), wall: now, monotonic: now });

  it('does a job once, also when it comes again long after it has forgotten the job', () => {
    const done = (isSigned: boolean) => {
      const instance = listening();
      const ours = isSigned ? signing(() => instance.now) : undefined;
      const command = { operation: 'x/unsafe', parameters: {} };
      const job: JobMessage = { v: 2, id: 'j', site: 'north', at, command, devices: ['A'], eligible: ['a'] };
      const payload = JSON.stringify(job);
      const topic = `${prefix}/north/job/j`;
      const signature = signing(() => instance.now).sign(topic, payload, 30);
      const play = () => {
        const worth = ours?.judge(topic, payload, 30, signature) ?? { expiry: 30 };
        if (!('ignoreReason' in worth))
          instance.do(
            instance.site.message(instance.now, { kind: 'job', id: 'j', payload, expiry: worth.expiry }),
          );
      };
      play();
      instance.turn();
      instance.claim('a');
      instance.do(instance.site.finished(instance.now, 'j', []));
      instance.receive('job', 'j');
      instance.pass(120_000);
      play();
      instance.turn();
      return instance.begun;
    };
    assert.deepEqual(done(false), ['j', 'j'], 'without keys it can be done again');
    assert.deepEqual(done(true), ['j']);
  });

  it('does not end an alert by the clear of a month ago', () => {
    const agoOf = (isSigned: boolean) => {
      const instance = listening();
      const ours = isSigned ? signing(() => instance.now + month) : undefined;
      const cleared = { alert: 'Lockdown', at, nodeIds: ['b'], ago: 0 };
      const payload = JSON.stringify({ v: 2, instance: 'b', at, receipts: [], doneBy: ['b'], cleared });
      const [kind, topic, year]: [Kind, string, number] = ['result', `${prefix}/north/result/j`, 31_536_000];
      const signature = signing(() => 0).sign(topic, payload, year);
      const worth = ours?.judge(topic, payload, year, signature) ?? { expiry: year };
      if ('ignoreReason' in worth) return undefined;
      instance.do(instance.site.message(instance.now, { kind, id: 'j', payload, expiry: worth.expiry }));
      return instance.cleared[0]?.agoMs ?? Number.NaN;
    };
    assert.equal(agoOf(false), 0, 'without keys it is as good as new');
    assert.ok((agoOf(true) ?? 0) > month - 3_700_000);
  });
});

const month = 30 * 24 * 3_600_000;
