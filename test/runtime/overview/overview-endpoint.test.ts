import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { GuardedNodeRed } from '../../fixtures/guarded-node-red';
import { busyPort, ownHost } from '../../fixtures/listening';
import { EditorLine } from './editor-line';
import { flowOf, presses, supervisionOf, tab, tone } from './overview-flow';

const password = 'hunter2';

describe('the endpoint behind the sidebar, in a real Node-RED', () => {
  let red: GuardedNodeRed;
  let device: VirtualDevice;
  let line: EditorLine;

  before(async () => {
    // It comes back where it was.
    const { port, free } = await busyPort(ownHost);
    await free();
    device = new VirtualDevice({ model: '8301', password, host: ownHost, port });
    const address = await device.start();
    red = await GuardedNodeRed.start([tab]);
    await red.deploy(flowOf(address, password));
    line = await EditorLine.open(red.nodeRed.url, await red.tokenOf('guest'));
  });
  after(async () => {
    await line?.close();
    await red?.nodeRed.stop();
    await device?.stop();
  });

  const press = async (id: string) => assert.equal((await red.post('boss', `inject/${id}`, {})).status, 200);
  const watch = async (lease?: unknown) => {
    const { status, body } = await red.post('guest', 'algo/overview/watch', { lease });
    assert.equal(status, 200);
    return String(body.lease);
  };

  it('lets nobody look who may not', async () => {
    for (const path of ['algo/overview/watch', 'algo/overview/ask', 'algo/overview/known']) {
      assert.equal((await red.post('nobody', path, {})).status, 401);
      const headers = { origin: 'http://evil.example' };
      assert.equal((await red.post('boss', path, {}, headers)).status, 403);
      for (const username of ['boss', 'operator', 'guest'] as const) {
        assert.equal((await red.post(username, path, {})).status, 200);
      }
    }
  });

  it('takes whatever is said on the line, as anybody may who may only look', async () => {
    for (const lease of [{ toString: 1 }, [[{ toString: 1 }]], null, 7]) {
      line.send({ lease });
      line.send({ lease, over: true });
    }
    line.send({ lease: await watch() });
    await line.until(() => line.rows.size > 0);
  });

  it('shows all devices, groups and alerts, also those of which nothing is known yet', async () => {
    line.send({ lease: await watch() });
    await line.until(() => line.rows.size === 8);
    const { address = '', ...bells } = await line.row('bells');
    assert.deepEqual(bells, { id: 'bells', kind: 'device', name: 'Bells', groups: ['hall'] });
    assert.ok(address.includes(ownHost), address);
    assert.deepEqual(await line.row('hall/Gym'), {
      id: 'hall/Gym',
      kind: 'device',
      name: 'Gym',
      address: 'https://192.0.2.50',
      groups: ['hall'],
    });
    assert.deepEqual(await line.row('hall'), {
      id: 'hall',
      kind: 'group',
      name: 'Hall',
      members: 3,
      there: 0,
      away: 0,
    });
    assert.equal((await line.row('none')).members, 0);
    assert.deepEqual(await line.row('lockdown'), {
      ...{ id: 'lockdown', kind: 'alert', name: 'Lockdown' },
      alert: { state: 'idle', active: 0, targets: 0, pending: 0, acknowledged: 0 },
    });
    assert.equal((await line.row('unset')).unset, '${ALGO_NOWHERE}');
  });

  it('shows what came of messages, and who the device is', async () => {
    await press('press');
    const bells = await line.row('bells', ({ last }) => last !== undefined);
    const { operation, outcome, at = '' } = bells.last ?? {};
    assert.deepEqual([operation, outcome], ['tone/start', 'accepted']);
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    assert.equal(bells.reachable, true);
    assert.equal(bells.error, undefined);
    assert.ok(Number.isInteger(bells.roundTripMs));
    assert.ok(Math.abs(bells.clockSeconds ?? 99) <= 2);
    assert.equal((await line.row('hall', ({ there }) => there === 1)).away, 0);
  });

  it('shows since when a device is away, and why', async () => {
    const before = Date.now();
    await press('press away');
    const {
      reachable,
      awaySince = '',
      error,
      last,
    } = await line.row('away', (row) => row.error !== undefined);
    assert.equal(reachable, false);
    assert.ok(Date.parse(awaySince) >= before - 1_000);
    assert.deepEqual([error?.code, error?.operation, last?.outcome], ['UNREACHABLE', 'tone/start', 'failed']);
    await line.row('hall', ({ away }) => away === 1);
    await press('press away');
    await line.row('away', (row) => row.last?.at !== last?.at);
    assert.equal((await line.row('away')).awaySince, awaySince);
  });

  it('asks devices who they are, for whoever looks', async () => {
    const { body } = await red.post('guest', 'algo/overview/ask', { ids: ['bells', 'away', 'nobody', 7] });
    assert.deepEqual(body, { asked: 2 });
    const bells = await line.row('bells', ({ mac }) => mac !== undefined);
    assert.match(bells.mac ?? '', /^[\da-f]{2}(?::[\da-f]{2}){5}$/i);
    assert.match(bells.product ?? '', /8301/);
    assert.equal(bells.model, '8301');
    assert.match(bells.firmware ?? '', /^\d+\.\d+/);
    assert.equal(
      (await line.row('away', (row) => row.error?.operation === 'info/about')).error?.code,
      'UNREACHABLE',
    );
  });

  it('says which models are known, and asks nobody', async () => {
    const ids = ['bells', 'hall/Gym', 'nobody', 7];
    const { body } = await red.post('guest', 'algo/overview/known', { ids });
    const { bells, ...others } = body.known as Record<string, { model?: string; firmware?: string }>;
    assert.equal(bells?.model, '8301');
    assert.match(bells?.firmware ?? '', /^\d+\.\d+/);
    assert.deepEqual(others, {});
    assert.deepEqual((await red.post('guest', 'algo/overview/known', { ids: 'bells' })).body, { known: {} });
  });

  it('shows the alerts that are on, and what is pending', async () => {
    const before = await line.row('bells');
    await press('start alert');
    // The alert is on before its start has come to the device: a start that never got there leaves nothing to end.
    await line.row('bells', ({ alerts, last }) => alerts?.[0] === 'Lockdown' && last?.at !== before.last?.at);
    assert.equal((await line.row('bells')).pending, undefined);
    const { alert } = await line.row('lockdown', (row) => row.alert?.active === 1);
    const { report, ...about } = alert ?? assert.fail();
    assert.deepEqual(about, { state: 'active', active: 1, targets: 1, pending: 0, acknowledged: 0 });
    const { startedAt, ...numbers } = report ?? assert.fail();
    assert.ok(Math.abs(Date.parse(startedAt) - Date.now()) < 600_000);
    assert.deepEqual(numbers, { drill: false, targets: 1, reached: 1, held: 0, missed: 0 });
    await press('acknowledge alert');
    const { people, acknowledged } =
      (await line.row('lockdown', (row) => row.alert?.people !== undefined)).alert ?? assert.fail();
    assert.equal(acknowledged, 1);
    assert.deepEqual(
      people?.map(({ by, answer }) => [by, answer]),
      [['Anna', 'safe']],
    );
    await device.stop();
    await press('clear alert');
    const { alerts, pending } = await line.row(
      'bells',
      (row) => row.pending !== undefined && row.reachable === false,
    );
    assert.deepEqual([alerts, pending], [undefined, [{ operation: 'tone/stop', by: 'Lockdown' }]]);
    const clearing = (await line.row('lockdown', (row) => row.alert?.state === 'clearing')).alert;
    assert.deepEqual([clearing?.pending, clearing?.report?.clearedAt], [1, undefined]);
    await device.start();
    await line.row('bells', (row) => row.pending === undefined && row.reachable === true);
    const idle = (await line.row('lockdown', (row) => row.alert?.state === 'idle')).alert;
    assert.deepEqual([idle?.acknowledged, idle?.targets, idle?.report?.clearedBy], [1, 0, 'Ben']);
    assert.equal(idle?.report?.reached, 1);
  });

  it('shows what Node-RED is to end, and when', async () => {
    await press('press beep');
    const { pending = [] } = await line.row('bells', (row) => row.pending !== undefined);
    assert.deepEqual([pending.length, pending[0]?.operation, pending[0]?.by], [1, 'tone/stop', 'Beep']);
    const leftMs = Date.parse(pending[0]?.due ?? '') - Date.now();
    assert.ok(leftMs > 2_000_000 && leftMs <= 3_000_500, String(leftMs));
  });

  it('tells no secret, whatever goes wrong', async () => {
    await press('press login');
    const { address, error } = await line.row('login', (row) => row.error !== undefined);
    assert.deepEqual([address, error?.code], ['http://127.0.0.1:1', 'NOT_CONFIGURED']);
    const all = line.news.join('\n');
    assert.doesNotMatch(all, /hunter2|admin/);
  });

  it('shows the worst of the states that nodes of supervision know of a device', async () => {
    await red.deploy([...flowOf(await device.start(), password), ...supervisionOf('bells')]);
    const { supervision } = await line.row('bells', (row) => row.supervision?.state === 'warning');
    assert.deepEqual(supervision?.checks, ['firmware']);
    assert.equal((await line.row('away')).supervision, undefined);
    await press('mask');
    const masked = await line.row('bells', (row) => row.supervision?.state === 'masked');
    assert.equal(masked.supervision?.since, supervision?.since);
  });

  it('forgets what a deploy has taken away, and knows what it brought', async () => {
    const flow = [
      tab,
      { id: 'new', type: 'algo-device', name: 'New', address: '192.0.2.9' },
      tone('play', 'new'),
      presses('press', 'play'),
    ];
    await red.deploy(flow);
    await line.until(() => line.rows.size === 1);
    assert.equal((await line.row('new')).name, 'New');
  });

  it('tells only the editor that looks, and nobody once it has stopped', async () => {
    const other = await EditorLine.open(red.nodeRed.url, await red.tokenOf('boss'));
    other.send({ lease: 'guessed' });
    const lease = await watch();
    line.send({ lease });
    const { length } = line.news;
    await line.until(() => line.news.length > length);
    line.send({ lease, over: true });
    // What is said on one line is heard in its order: this one is told because the other is not any more.
    const mine = await red.post('boss', 'algo/overview/watch', {});
    other.send({ lease: mine.body.lease });
    await other.until(() => other.rows.size === 1);
    const before = line.news.length;
    assert.equal((await red.post('boss', 'algo/overview/ask', { ids: ['new'] })).body.asked, 1);
    await other.row('new', (row) => row.error !== undefined);
    assert.equal(line.news.length, before);
    await other.close();
  });
});
