import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { GuardedNodeRed } from '../../fixtures/guarded-node-red';
import { EditorLine } from './editor-line';
import { presses, tab, tone } from './overview-flow';

describe('what the sidebar says of a device that rejects the login, and after a deploy', () => {
  const device = new VirtualDevice({ model: '8301', password: 'hunter2' });
  const lines: EditorLine[] = [];
  let red: GuardedNodeRed;
  let address: string;

  before(async () => {
    address = await device.start();
    red = await GuardedNodeRed.start([tab]);
  });
  after(async () => {
    for (const line of lines) await line.close();
    await red?.nodeRed.stop();
    await device.stop();
  });

  const deploy = (password: string) =>
    red.deploy([
      tab,
      { id: 'gate', type: 'algo-device', name: 'Gate', address, credentials: { password } },
      { id: 'all', type: 'algo-group', name: 'All', devices: ['gate'], rows: [] },
      tone('play', 'gate'),
      presses('press', 'play'),
    ]);

  /** A sidebar that is opened now. */
  async function look(): Promise<EditorLine> {
    const line = await EditorLine.open(red.nodeRed.url, await red.tokenOf('boss'));
    lines.push(line);
    const { body } = await red.post('boss', 'algo/overview/watch', {});
    line.send({ lease: body.lease });
    await line.until(() => line.rows.size === 2);
    return line;
  }

  it('says that it answers and rejects the login, and counts it in its group', async () => {
    await deploy('wrong');
    const line = await look();
    await red.post('boss', 'inject/press', {});
    const { reachable, rejected, error } = await line.row('gate', (row) => row.error !== undefined);
    assert.deepEqual([reachable, rejected, error?.code], [true, true, 'AUTHENTICATION']);
    const { there, away, rejected: count } = await line.row('all', (row) => row.rejected !== undefined);
    assert.deepEqual([there, away, count], [0, 0, 1]);
  });

  it('says the same after a deploy of everything, and forgets the rejection with another password', async () => {
    await deploy('wrong');
    const same = await (await look()).row('gate');
    assert.deepEqual([same.reachable, same.rejected, same.last?.outcome], [true, true, 'failed']);
    await deploy('hunter2');
    const line = await look();
    const other = await line.row('gate');
    assert.deepEqual([other.reachable, other.rejected], [true, undefined]);
    await red.post('boss', 'inject/press', {});
    await line.row('gate', ({ last }) => last?.outcome === 'accepted');
    await deploy('hunter2');
    const { reachable, lastSeen } = await (await look()).row('gate');
    assert.deepEqual([reachable, typeof lastSeen], [true, 'string']);
  });

  it('counts a device that rejected the login and then went offline as offline only', async () => {
    await deploy('wrong');
    const line = await look();
    await red.post('boss', 'inject/press', {});
    await line.row('gate', ({ rejected }) => rejected === true);
    await device.carryOut('fault', { kind: 'reset-before' });
    await red.post('boss', 'inject/press', {});
    const lost = await line.row('gate', ({ error }) => error?.code !== 'AUTHENTICATION');
    assert.deepEqual([lost.reachable, lost.rejected], [false, undefined]);
    const { there, away, rejected: count } = await line.row('all', (row) => row.away === 1);
    assert.deepEqual([there, away, count], [0, 1, undefined]);
  });
});
