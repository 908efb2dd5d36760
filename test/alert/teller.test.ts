import assert from 'node:assert/strict';
import type { AlertState } from '../../src/runtime/alert/alert';
import { Teller } from '../../src/runtime/alert/teller';
import { crowdOf } from '../../src/runtime/alert/together';

const idle: AlertState = {
  ...{ name: 'A', state: 'idle', severity: 5, drill: false, since: null },
  ...{ devices: [], unknown: [], failed: [], waiting: [] },
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what an alert tells of itself', () => {
  let now: AlertState;
  let told: string[];
  let shown: string[];
  let teller: Teller;
  const words = ({ state, waiting }: AlertState) => [state, ...waiting].join(' ');
  beforeEach(() => {
    [now, told, shown] = [idle, [], []];
    teller = new Teller(
      () => now,
      (state) => told.push(words(state)),
    );
    teller.onState = (state) => shown.push(words(state));
  });
  const becomes = (change: Partial<AlertState>) => {
    now = { ...now, ...change };
    teller.note();
  };

  it('is told when its state or who waits changes, and not for anything else', async () => {
    becomes({});
    await turn();
    assert.deepEqual(told, []);
    becomes({ state: 'active' });
    await turn();
    becomes({ devices: ['Wall'], severity: 9 });
    await turn();
    assert.deepEqual(told, ['active']);
    becomes({ state: 'clearing', waiting: ['Wall', 'Door'] });
    await turn();
    becomes({ waiting: ['Door'] });
    await turn();
    assert.deepEqual(told, ['active', 'clearing Wall Door', 'clearing Door']);
  });

  it('is shown at once, and told when the last message is through', async () => {
    const leaves = [teller.hold(), teller.hold()];
    becomes({ state: 'active' });
    await turn();
    leaves[0]?.();
    leaves[0]?.();
    await turn();
    assert.deepEqual([shown, told], [['active'], []]);
    leaves[1]?.();
    await turn();
    assert.deepEqual(told, ['active']);
  });

  it('neither tells nor shows anything once it is closed', async () => {
    becomes({ state: 'active' });
    teller.close();
    teller.tell();
    await turn();
    assert.deepEqual([shown, told], [[], []]);
  });

  it('goes its way where whoever is told fails', async () => {
    teller.onState = () => {
      throw new Error('no');
    };
    becomes({ state: 'active' });
    await turn();
    teller.onState = () => {};
    becomes({});
    await turn();
    assert.deepEqual(told, ['active']);
  });
});

describe('how many devices are spoken to at once', () => {
  it('is the least that one of the alerts allows, and 100 where one does not say', () => {
    const devices = Array.from({ length: 101 });
    assert.ok(crowdOf(devices.slice(0, 4), [50, 3]));
    assert.equal(crowdOf(devices.slice(0, 4), [50, 4]), undefined);
    assert.ok(crowdOf(devices, [500, undefined]));
    assert.equal(crowdOf(devices.slice(1), [undefined]), undefined);
  });
});
