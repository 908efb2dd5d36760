import assert from 'node:assert/strict';
import { dayOf } from '../../src/bells/calendar';
import { readDatabase } from '../../src/bells/database';
import { previewOf } from '../../src/bells/preview';
import { VirtualDevice } from '../../src/virtual-device/device';
import { Chance } from '../catalogue/random';
import { send } from '../contract/wire';
import { firstDay, randomSchedule } from './schedules';

/** Fewer while something is tried: `ALGO_SCHEDULES=50 npm test`. */
const schedules = Number(process.env.ALGO_SCHEDULES ?? 500);
const days = 400;
const mostAtOnce = 366;

describe('the preview of a database', () => {
  let device: VirtualDevice;
  let url: string;

  before(async () => {
    device = new VirtualDevice({ model: '8301', firmware: '5.7', auth: 'none' });
    url = await device.start();
  });
  after(() => device.stop());

  async function json(
    line: `GET /${string}` | `POST /${string}`,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const reply = await send(url, { line, ...(body && { json: body }), signature: 'absent' });
    assert.equal(reply.status, 200, reply.body.toString());
    return JSON.parse(reply.body.toString());
  }

  it(`is what the device itself says, for ${schedules} random schedules and ${days} days`, async () => {
    const start = dayOf(firstDay) ?? assert.fail();
    for (let seed = 1; seed <= schedules; seed += 1) {
      const schedule = randomSchedule(new Chance(seed));
      const { events = [], groups = [] } = (await json('POST /api/schedules', schedule)) as {
        events?: { evid: number }[];
        groups?: { groupid: number }[];
      };
      const database = readDatabase(await json('GET /api/schedules')) ?? assert.fail();
      const preview = await previewOf(database, start, days);
      const first = await json(`GET /api/schedules?events=${firstDay}&days=${mostAtOnce}`);
      const secondDay = new Date((start + mostAtOnce) * 86_400_000).toISOString().slice(0, 10);
      const second = await json(`GET /api/schedules?events=${secondDay}&days=${days - mostAtOnce}`);
      const expected = { ...(first.events as object), ...(second.events as object) };
      assert.deepEqual(preview.events, expected, `seed ${seed}: ${JSON.stringify(schedule)}`);
      const all = [...events.map(({ evid }) => ({ evid })), ...groups.map(({ groupid }) => ({ groupid }))];
      await json('POST /api/schedules', { delete: all });
    }
  }).timeout(600_000);
});
