import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';
import { lesson, lunch } from './school';

const bells = [lesson, lunch];

const rung = (device: VirtualDevice) =>
  (device.schedules as { events: { name: string; start_time: string }[] }).events
    .map(({ name, start_time }) => `${start_time} ${name}`)
    .sort();

describe('two nodes that sync one device', () => {
  it('under two names at the same time can create bells twice, and the next one deletes the duplicates', async () => {
    const device = new VirtualDevice({ firmware: '5.7', auth: 'none', host: ownHost });
    const address = await device.start();
    const known = { type: 'algo-device', address, auth: 'none', model: '8301', firmware: '5.7' };
    const node = { type: 'algo-scheduler', operation: 'sync', parametersType: 'msg', parameters: 'payload' };
    await startFlow([
      { ...known, id: 'one', name: 'One' },
      { ...known, id: 'two', name: 'Two' },
      { ...node, id: 'scheduler', target: 'msg' },
    ]);
    try {
      const payload = { tag: 'school', bells };
      const both = await ask('scheduler', { device: ['One', 'Two'], payload });
      assert.deepEqual(both.caught, []);
      const once = ['08:00 Lesson', '12:00 Lunch'];
      const after = rung(device);
      assert.deepEqual([...new Set(after)], once);
      const { sent } = await ask('scheduler', { device: 'One', payload });
      assert.deepEqual(rung(device), once);
      const { deleted } = (sent[0]?.payload ?? {}) as { deleted: unknown[] };
      assert.equal(deleted.length, after.length - once.length);
    } finally {
      await stopFlow();
      await device.stop();
    }
  });
});
