import assert from 'node:assert/strict';
import { DeviceError } from '../../../src/client/errors';
import type { Device } from '../../../src/runtime/device/device';
import { GroupFollower } from '../../../src/runtime/device/group-follower';
import type { Member } from '../../../src/runtime/device/registry';

const deviceOf = (id: string) => ({ id }) as Device;
const memberOf = (device: Device): Member => ({ device });
const failed = (asked: string): Member => {
  return { asked, error: new DeviceError('NOT_CONFIGURED', `"${asked}" is unknown`) };
};

describe('the follower of a group', () => {
  let seen: string[];
  let follower: GroupFollower<{ readonly device: Device; stop(): void }>;

  beforeEach(() => {
    seen = [];
    follower = new GroupFollower((asked) => seen.push(`report ${asked}`));
  });

  const follow = (...members: Member[]) =>
    follower.follow(members, (device, before, index) => {
      seen.push(`begin ${device.id} ${index}${before ? ' after another' : ''}`);
      return { device, stop: () => seen.push(`stop ${device.id}`) };
    });
  const taken = () => seen.splice(0);

  it('begins at new devices, stops at removed ones, and goes on at the others', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => memberOf(deviceOf(id))) as [Member, Member, Member];
    follow(a, b);
    assert.deepEqual(taken(), ['begin a 0', 'begin b 1']);
    const kept = follower.get('b');
    follow(c, b);
    assert.deepEqual(taken(), ['begin c 0', 'stop a']);
    assert.equal(follower.get('b'), kept);
    assert.deepEqual(
      follower.all.map(({ device }) => device.id),
      ['c', 'b'],
    );
    follower.stop();
    assert.deepEqual(taken(), ['stop c', 'stop b']);
  });

  it('begins at a device that replaces another, and then stops at that', () => {
    follow(memberOf(deviceOf('a')));
    taken();
    follow(memberOf(deviceOf('a')));
    assert.deepEqual(taken(), ['begin a 0 after another', 'stop a']);
  });

  it('reports the error of a member once while it lasts', () => {
    const a = memberOf(deviceOf('a'));
    follow(failed('Gate'), a);
    assert.deepEqual(taken(), ['report Gate', 'begin a 0']);
    assert.equal(follower.size, 2);
    follow(failed('Gate'), failed('Hall'), a);
    assert.deepEqual(taken(), ['report Hall']);
    follow(a);
    assert.deepEqual(follower.faults, []);
    follow(failed('Gate'), a);
    assert.deepEqual(taken(), ['report Gate']);
  });
});
