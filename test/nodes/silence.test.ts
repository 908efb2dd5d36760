import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { FakeDevice } from '../fixtures/fake-device';
import { redeploy } from '../fixtures/redeploy';
import { act, caughtOf, receiptsOf, Site } from '../fixtures/site';
import { wording, wordingIn } from '../fixtures/wording';

/** Node-RED's log level for errors. */
const errorLevel = 20;

describe('algo-door at a device that takes a request and never answers', () => {
  let site: Site;
  let gate: FakeDevice;
  const munlock = act('door/munlock', { device: 'gate' });

  beforeEach(async () => {
    site = new Site();
    gate = await site.device('Gate');
    gate.behavior = () => 'hold';
  });
  afterEach(() => site.end());

  it('says that a momentary unlock may have happened, and does not send it again', async () => {
    await site.start([gate.config({ timeout: '1' }), munlock]);
    const way = await site.ask('door/munlock');
    assert.deepEqual(caughtOf(way), ['TIMEOUT']);
    const [{ outcome, attempts } = assert.fail()] = receiptsOf(way);
    assert.deepEqual([outcome, attempts], ['unknown', 1]);
    assert.deepEqual(gate.operationNames, ['door/munlock']);
  });

  it('ends a message that is under way at a full deploy, and says so in the log', async () => {
    await site.start([gate.config(), munlock]);
    site.send('door/munlock');
    await site.until('it is under way', () => gate.held.length > 0);
    const node = helper.getNode('door/munlock');
    const { status } = node as unknown as { status: { lastCall: { args: unknown[] } } };
    await redeploy([{ id: 'empty', type: 'tab' }], 'full');
    const errors = helper
      .log()
      .args.map(([entry]) => entry as { level: number; msg?: unknown })
      .filter(({ level }) => level === errorLevel);
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]?.msg), /algo-door:door/);
    const unclear = { operation: 'door/munlock', reason: wording('reasons:nodeClosed') };
    assert.match(String(errors[0]?.msg), wordingIn('reasons:atPlace', unclear));
    assert.match(String(errors[0]?.msg), wordingIn('reasons:mightBeDone'));
    assert.deepEqual(status.lastCall.args, [{}]);
  });
});
