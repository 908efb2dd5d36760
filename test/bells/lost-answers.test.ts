import assert from 'node:assert/strict';
import type { Receipt } from '../../src/runtime/message/receipt';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import { wordingIn } from '../fixtures/wording';
import { Cutter } from './cutter';

const devicesAtOnce = 20;
const cutsPerDevice = 5;

const bell = (hour: number, name = `Bell ${hour}`) => ({
  name,
  time: `${String(hour).padStart(2, '0')}:00`,
  days: 'mon-fri',
  audio: 'bell-na.wav',
  from: '2030-09-02',
});
const old = [bell(8), bell(9), bell(10)];
const changed = [bell(8), { ...bell(9), audio: 'gong.wav' }, bell(11), bell(12)];

interface Site {
  readonly name: string;
  readonly device: VirtualDevice;
  readonly cutter: Cutter;
  readonly address: string;
}

async function siteNamed(name: string): Promise<Site> {
  const device = new VirtualDevice({ firmware: '5.7', auth: 'none' });
  const cutter = new Cutter(await device.start());
  return { name, device, cutter, address: await cutter.start() };
}

describe('an answer that was lost', () => {
  let sites: Site[];
  const names = Array.from({ length: devicesAtOnce }, (_, index) => `Site ${index}`);

  before(async () => {
    sites = await Promise.all(names.map(siteNamed));
    await startFlow([
      ...sites.map(({ name, address }, index) => ({
        id: `device-${index}`,
        type: 'algo-device',
        name,
        address,
        auth: 'none',
        model: '8301',
        firmware: '5.7',
      })),
      {
        id: 'scheduler',
        type: 'algo-scheduler',
        target: 'msg',
        operation: 'sync',
        parametersType: 'msg',
        parameters: 'payload',
      },
    ]);
  });
  after(async () => {
    await stopFlow();
    for (const { cutter } of sites) cutter.stop();
    await Promise.all(sites.map(({ device }) => device.stop()));
  });

  async function receiptsOf(bells: unknown): Promise<readonly Receipt[]> {
    const { sent, caught } = await ask('scheduler', { device: names, payload: { tag: 'school', bells } });
    const [message] = [...caught, ...sent];
    return message?.receipts ?? [];
  }

  /** The result of one message for each device. */
  const outcomes = async (bells: unknown) => (await receiptsOf(bells)).map(({ outcome }) => outcome);

  const schedules = () => sites.map(({ device }) => namesIn(device));

  it(`is found out by reading, wherever in ${devicesAtOnce * cutsPerDevice} places the connection is cut`, async () => {
    await outcomes(old);
    await outcomes(changed);
    const [
      {
        cutter: { passed },
      } = assert.fail(),
    ] = sites;
    assert.ok(passed.asked > 400 && passed.answered > 400, JSON.stringify(passed));
    const seen = { failed: 0, confirmed: 0 };
    for (let round = 0; round < cutsPerDevice; round += 1) {
      await outcomes(old);
      const before = schedules();
      for (const [index, { cutter }] of sites.entries()) {
        const part = (round * devicesAtOnce + index) / (devicesAtOnce * cutsPerDevice);
        const at = Math.floor(part * (passed.asked + passed.answered - 2)) + 1;
        cutter.cut = at <= passed.asked ? { asked: at } : { answered: at - passed.asked };
      }
      const results = await outcomes(changed);
      const after = schedules();
      const wanted = namesOf(changed);
      for (const [index, outcome] of results.entries()) {
        assert.ok(outcome === 'failed' || outcome === 'confirmed', outcome);
        assert.equal(
          after[index],
          outcome === 'failed' ? before[index] : wanted,
          `${outcome} ${round} ${index}`,
        );
        seen[outcome] += 1;
        assert.equal(sites[index]?.cutter.cut, undefined, 'it was not cut');
      }
    }
    assert.ok(seen.failed > 20 && seen.confirmed > 20, JSON.stringify(seen));
  });

  it('stays unknown where the device cannot be read either', async () => {
    await outcomes(old);
    const [{ cutter } = assert.fail()] = sites;
    cutter.isLast = true;
    cutter.cut = { answered: 10 };
    const [lost, ...others] = await receiptsOf(changed);
    assert.deepEqual([...new Set(others.map(({ outcome }) => outcome))], ['accepted']);
    assert.equal(lost?.outcome, 'unknown');
    assert.match(String(lost?.error?.message), wordingIn('reasons:scheduleUnclear'));
  });
});

function namesOf(bells: readonly { name: string; time: string; audio: string }[]): string {
  return bells.map(({ name, time, audio }) => `${time} ${name} ${audio}`).join('; ');
}

/** What rings at a device. */
function namesIn(device: VirtualDevice): string {
  const { events } = device.schedules as { events: { name: string; start_time: string; audio: string }[] };
  const sorted = [...events].sort((a, b) => (a.start_time < b.start_time ? -1 : 1));
  return sorted.map(({ name, start_time, audio }) => `${start_time} ${name} ${audio}`).join('; ');
}
