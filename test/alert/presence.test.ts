import assert from 'node:assert/strict';
import { Presence } from '../../src/runtime/alert/presence';
import { VirtualClock } from '../fixtures/virtual-clock';

describe('whether the devices of an alert were away', () => {
  let clock: VirtualClock;
  let asked: string[];
  let returned: string[];
  let locations: string[];
  let presence: Presence;
  beforeEach(() => {
    clock = new VirtualClock();
    [asked, returned, locations] = [[], [], ['a', 'b']];
    presence = new Presence(
      clock,
      // The second name of each device is no other device.
      () => locations.flatMap((where) => ['name', 'row'].map((id) => ({ id: `${id} ${where}`, where }))),
      ({ where }) => asked.push(where),
      (where) => returned.push(where),
    );
    presence.handleChange();
  });

  it('asks each of them 30 s after the last contact, and none while no alert is on', () => {
    clock.advance(20_000);
    presence.contact('b', 'answered');
    clock.advance(11_000);
    assert.deepEqual(asked, ['a']);
    clock.advance(20_000);
    assert.deepEqual(asked, ['a', 'b']);
    locations = [];
    clock.advance(120_000);
    assert.deepEqual([asked.length, clock.pending], [2, 0]);
    locations = ['a'];
    presence.handleChange();
    clock.advance(31_000);
    assert.deepEqual(asked, ['a', 'b', 'a']);
  });

  it('does not ask thousands of them in one turn', () => {
    locations = Array.from({ length: 1_000 }, (_, index) => String(index));
    const turns: number[] = [];
    let before = 0;
    while (asked.length < 1_000) {
      clock.step();
      if (asked.length > before) turns.push(asked.length - before);
      before = asked.length;
    }
    assert.equal(Math.max(...turns), 10);
    assert.ok(clock.now <= 61_000, String(clock.now));
  });

  it('tells that one is back with the first answer after none', () => {
    presence.contact('a', 'answered');
    presence.contact('a', 'unreachable');
    presence.contact('a', 'unreachable');
    assert.deepEqual(returned, []);
    presence.contact('a', 'answered');
    presence.contact('a', 'answered');
    assert.deepEqual(returned, ['a']);
  });

  it('tells it of one that Node-RED has restarted, but not while it may still be going down', () => {
    presence.contact('a', 'restarting');
    clock.advance(5_000);
    presence.contact('a', 'answered');
    assert.deepEqual(returned, []);
    clock.advance(20_000);
    presence.contact('a', 'answered');
    assert.deepEqual(returned, ['a']);
    presence.contact('a', 'restarting');
    presence.contact('a', 'unreachable');
    presence.contact('a', 'answered');
    assert.deepEqual(returned, ['a', 'a']);
  });
});
