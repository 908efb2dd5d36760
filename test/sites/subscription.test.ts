import assert from 'node:assert/strict';
import { listening, SiteInstance } from './site-instance';

/** A broker may send what it keeps before it answers the subscription. */
describe('what a site reads before the answer to its subscription', () => {
  const subscribe = (instance: SiteInstance) => instance.site.subscribing(instance.now);
  const connected = (instance: SiteInstance) => {
    instance.do(instance.site.connected(instance.now));
    instance.echo();
  };

  for (const operation of ['safe', 'unsafe']) {
    it(`is done when it has heard itself, after a restart: ${operation}`, () => {
      const instance = new SiteInstance();
      subscribe(instance);
      instance.job(operation);
      assert.deepEqual(instance.done, []);
      connected(instance);
      assert.deepEqual(instance.done, ['begin']);
    });

    it(`is done when the link is back: ${operation}`, () => {
      const instance = listening();
      instance.lose();
      subscribe(instance);
      instance.job(operation);
      instance.pass(3_000);
      assert.deepEqual(instance.done, [], 'it is not taken for cut off');
      connected(instance);
      assert.deepEqual(instance.done, ['begin']);
    });
  }

  it('does not make it believe what an earlier connection has shown', () => {
    const instance = listening();
    instance.job('unsafe');
    instance.lose();
    subscribe(instance);
    connected(instance);
    assert.deepEqual(instance.done, ['begin', 'drop'], 'the broker has forgotten it');
  });

  it('shows the claim of a run that was killed, which is taken off', () => {
    const instance = new SiteInstance(0, [['j', null]]);
    subscribe(instance);
    instance.receive('claim', 'j', { instance: 'killed', nodeId: 'a', seq: 1 });
    instance.job('unsafe');
    connected(instance);
    assert.deepEqual(instance.done, ['remember', 'publish result']);
    instance.receive('result', 'j', { instance: 'a', at: 'now', receipts: [] });
    instance.pass(2_000);
    assert.deepEqual(instance.done, ['empty claim']);
  });

  it('is done by an instance whose subscription the broker rejects, where that may be done twice', () => {
    const instance = new SiteInstance();
    subscribe(instance);
    instance.job('safe');
    instance.lose();
    assert.deepEqual(instance.done, ['begin']);
  });
});
