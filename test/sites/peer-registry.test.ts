import assert from 'node:assert/strict';
import { InstanceRegistry } from '../../src/sites/instance-registry';
import { PeerRegistry } from '../../src/sites/peer-registry';
import type { StateMessage } from '../../src/sites/wire';

const life = (instance: string, more: Partial<StateMessage> = {}): StateMessage => ({
  v: 2,
  instance,
  nodeId: `place of ${instance}`,
  rank: 5,
  seq: 1,
  ready: true,
  ...more,
});

describe('who lives at a site', () => {
  it('is no more than a hundred: who comes then is not believed to live, and that is known', () => {
    const roster = new PeerRegistry({ instance: 'self', nodeId: 'here', rank: 0 });
    for (let index = 0; index < 100; index += 1)
      assert.equal(roster.recordHeartbeat(0, life(`y${index}`)), true);
    assert.equal(roster.isFull, false);
    assert.equal(roster.recordHeartbeat(1, life('late')), false);
    roster.mention(1, 'named', 'elsewhere');
    assert.equal(roster.living(1).length, 100);
    assert.deepEqual(
      [roster.isDead('late', 1), roster.isDead('named', 1), roster.isFull],
      [true, true, true],
    );
    assert.equal(roster.recordHeartbeat(2, life('y0')), false);
    assert.equal(roster.nextDeath(2), 6_000);
  });

  it('takes no peer for dead that could not be heard, when the connection is back', () => {
    const roster = new PeerRegistry({ instance: 'self', nodeId: 'here', rank: 0 });
    roster.recordHeartbeat(0, life('alive'));
    roster.recordHeartbeat(-5_500, life('dying'));
    roster.disconnect(1_000);
    assert.equal(roster.isDead('alive', 7_000), true);
    roster.disconnect(7_000);
    roster.reconnect(8_000);
    assert.deepEqual([roster.isDead('alive', 8_000), roster.isDead('dying', 8_000)], [false, true]);
    assert.equal(roster.isDead('alive', 14_000), true);
  });

  it('makes room for a newcomer where one of the hundred is dead', () => {
    const roster = new PeerRegistry({ instance: 'self', nodeId: 'here', rank: 0 });
    for (let index = 0; index < 99; index += 1) roster.recordHeartbeat(0, life(`y${index}`));
    roster.recordHeartbeat(0, life('gone', { leaving: true }));
    assert.equal(roster.recordHeartbeat(1, life('next')), true);
    assert.equal(roster.isDead('next', 1), false);
    assert.equal(roster.isFull, false);
  });

  it('is no more than a hundred at the centre too', () => {
    const heard = new InstanceRegistry();
    for (let index = 0; index < 200; index += 1) heard.recordHeartbeat('hq', life(`y${index}`), 0);
    assert.equal(heard.living('hq', 1).length, 100);
    heard.recordHeartbeat('hq', life('y0', { leaving: true }), 2);
    assert.equal(heard.recordHeartbeat('hq', life('y150'), 3), true);
    assert.equal(heard.recordHeartbeat('hq', life('y1'), 3), false);
  });
});
