import assert from 'node:assert/strict';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import { itHolds } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { withLeapingReads } from '../fixtures/leaping-clock';
import { type ApplyStep, expectedOf } from './model';
import { type Fault, SettingsDevice } from './settings-device';

const names = ['audio.page.vol', 'audio.ring.vol', 'audio.mic.mute', 'sip.proxy', 'dp.dest'];
const values = ['-9dB', '-12dB', '0', '1'];
const faults: readonly (Fault | undefined)[] = [
  ...[undefined, undefined, undefined, 'lost-after', 'lost-before', 'half', 'refused', 'refused-half'],
] as const;

function draws(seed: number) {
  const random = chance(seed);
  return { random, oneOf: <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T };
}

describe('profiles: random histories', () => {
  withLeapingReads();
  let device: SettingsDevice;

  before(async () => {
    device = new SettingsDevice('hall');
    await device.open();
    const node = {
      ...{ type: 'algo-settings', target: 'msg', operation: 'msg', ttl: '0' },
      ...{ parametersType: 'msg', parameters: 'payload' },
    };
    const reloading = { ...node, id: 'reloading', reloadAfter: true };
    // An answer that a busy machine delays must not count as lost.
    await startFlow([device.config({ timeout: '600' }), { ...node, id: 'plain' }, reloading]);
  });

  after(async () => {
    await stopFlow();
    await device.close();
  });

  itHolds<ApplyStep>({
    file: __filename,
    defaultCount: 60,
    known: [1],
    draw(seed) {
      const { random, oneOf } = draws(seed);
      const some = (list: readonly string[]) => list.filter(() => random() < 0.5);
      return Array.from({ length: 6 }, (): ApplyStep => {
        const profile = Object.fromEntries(some(names).map((name) => [name, oneOf(values)]));
        const asked = Object.keys(profile).length > 0 ? profile : { [oneOf(names)]: oneOf(values) };
        return {
          kind: random() < 0.2 ? 'compare' : 'apply',
          profile: asked,
          reload: random() < 0.3,
          fault: oneOf(faults),
          bends: random() < 0.2 ? oneOf(names) : undefined,
          blind: oneOf([undefined, undefined, undefined, undefined, undefined, undefined, 'before', 'after']),
        };
      });
    },
    async play(seed, steps) {
      const { random, oneOf } = draws(seed + 1);
      device.settings.clear();
      for (const name of names) if (random() < 0.8) device.settings.set(name, oneOf(values));
      const settings = new Map(device.settings);
      for (const step of steps) {
        device.requests.length = 0;
        device.faults.length = 0;
        if (step.fault)
          device.faults.push(step.fault, ...(step.fault.startsWith('refused') ? [] : [step.fault]));
        device.lostReads = step.blind === 'before' ? Number.POSITIVE_INFINITY : 0;
        device.onRequest = (request) => {
          if (step.blind === 'after' && request.startsWith('PUT'))
            device.lostReads = Number.POSITIVE_INFINITY;
        };
        device.stores = (name, value) => (name === step.bends ? '-9dB' : value);
        const expected = expectedOf(settings, step);
        const { sent, caught } = await ask(step.reload ? 'reloading' : 'plain', {
          ...{ operation: step.kind, payload: step.profile, device: 'hall' },
        });
        const [receipt] = [...sent, ...caught][0]?.receipts ?? [];
        const changes = device.requests.filter((request) => !request.startsWith('GET'));
        assert.deepEqual(
          { outcome: receipt?.outcome, code: receipt?.error?.code, response: receipt?.response, changes },
          expected,
        );
        assert.deepEqual([...device.settings].sort(), [...settings].sort());
      }
      return undefined;
    },
  });
});
