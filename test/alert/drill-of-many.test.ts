import assert from 'node:assert/strict';
import type { AlertReport } from '../../src/runtime/alert/reports';
import { VirtualDevice } from '../../src/virtual-device/device';
import { action, alertNode, states } from '../fixtures/alert-node';
import type { NodeConfig } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';
import { Site } from '../fixtures/site';

const [all, dead] = [200, 10];

describe('the report of a drill at many devices, some of which are dead', () => {
  let site: Site;
  let devices: VirtualDevice[];
  beforeEach(() => {
    site = new Site();
    devices = Array.from(
      { length: all },
      () => new VirtualDevice({ model: '8410', auth: 'none', host: ownHost }),
    );
  });
  afterEach(async () => {
    await site.end();
    await Promise.all(devices.map((device) => device.stop()));
  });

  it('is what the devices say in their own logs', async () => {
    const configs = await Promise.all(
      devices.map(async (device, index): Promise<NodeConfig> => {
        const address = await device.start();
        const name = `Room ${index}`;
        const about = { name, address, auth: 'none', model: '8410', firmware: '5.7' };
        return { id: `drill-room-${index}`, type: 'algo-device', ...about };
      }),
    );
    const isDead = (index: number) => index % (all / dead) === 3;
    await Promise.all(devices.map((device, index) => isDead(index) && device.stop()));
    const group = {
      id: 'drill-rooms',
      type: 'algo-group',
      name: 'Rooms',
      devices: configs.map(({ id }) => id),
    };
    const actions = [action('strobe/start'), action('screen/text-start')];
    const alert = alertNode(actions, { target: 'group', group: 'drill-rooms' });
    await site.start([...configs, group as NodeConfig, states, alert]);
    await site.ask(alert.id, { drill: true, by: 'Ms Lee' });
    await site.ask(alert.id, { operation: 'acknowledge', by: 'Mr Rao' });
    await site.ask(alert.id, { operation: 'clear', by: 'Ms Lee' });
    const way = await site.ask(alert.id, { operation: 'report' });
    const [report] = (way.sent[0]?.payload ?? []) as readonly AlertReport[];
    assert.ok(report);
    /** The devices that have done all of this, by their own account. */
    const didAll = (...paths: string[]) =>
      devices.flatMap(({ log }, index) => {
        const done = log.flatMap(({ method, path, status }) =>
          method === 'POST' && status === 200 ? [path.split('/').slice(-2).join('/')] : [],
        );
        return paths.every((path) => done.includes(path)) ? [`Room ${index}`] : [];
      });
    const reached = didAll('strobe/start', 'screen-text/start');
    const missed = [...new Set(report.missed.map(({ device }) => device))];
    assert.deepEqual(
      missed,
      configs.flatMap(({ name }) => (reached.includes(String(name)) ? [] : [name])),
    );
    const { drill, targets, held, startedBy, clearedBy } = report;
    assert.deepEqual([drill, targets, held, startedBy, clearedBy], [true, all, 0, 'Ms Lee', 'Ms Lee']);
    assert.deepEqual([report.reached, missed.length], [reached.length, dead]);
    assert.deepEqual(
      report.missed.map(({ operation, outcome, code }) => `${operation} ${outcome} ${code}`),
      Array(dead).fill(['strobe/start failed UNREACHABLE', 'screen/text-start failed UNREACHABLE']).flat(),
    );
    assert.deepEqual(didAll('strobe/stop', 'screen-text/stop'), reached);
    assert.ok(report.firstMs !== null && report.lastMs !== null && report.firstMs <= report.lastMs);
  });
});
