import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { FakeDevice } from '../fixtures/fake-device';
import { itHolds } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { act, receiptLog, receiptsOf, Site, type Way } from '../fixtures/site';
import { type Fate, RollingModel, type RollingTarget } from './rolling-model';

const names = ['A', 'B', 'C', 'D', 'E', 'F'];
const sizes = [1, 2, 3, '40%'] as const;
const failures = [0, 1, 2];
const fates: readonly Fate[] = ['accepted', 'accepted', 'accepted', 'accepted', 'refused', 'lost'];

type Step = 'finish' | 'stop' | 'reset' | 'replace' | 'stop while replaced';

const kinds: readonly Step[] = [
  ...(['finish', 'finish', 'finish', 'finish', 'stop', 'reset', 'replace', 'stop while replaced'] as const),
];

describe('delivery: random histories of rolling messages', () => {
  let site: Site;
  let devices: FakeDevice[];
  /** The timeouts of the devices: a deploy of another one replaces the device. */
  const timeouts = new Map<string, number>();

  const deviceOf = (name: string) => devices[names.indexOf(name)] as FakeDevice;
  const nodes = sizes.flatMap((rolling) =>
    failures.map((maxFailures) => ({
      ...act('door/munlock', { target: 'msg', rolling, maxFailures, ttl: '0' }),
      id: `${rolling} ${maxFailures}`,
    })),
  );
  const flow = () => [
    ...devices.map((device) => device.config({ timeout: String(timeouts.get(device.name) ?? 5) })),
    ...nodes,
    act('door/lock', { target: 'msg' }),
    ...receiptLog(),
  ];

  before(async () => {
    site = new Site();
    devices = await site.devices(...names);
    devices.push(await site.device('U', '8410'));
    await site.start(flow());
  });

  after(() => site.end());

  itHolds<Step>({
    file: __filename,
    setting: 'ALGO_REAL_HISTORIES',
    defaultCount: 60,
    known: [4, 7059],
    draw(seed) {
      const random = chance(seed);
      return Array.from({ length: 12 }, () => kinds[Math.floor(random() * kinds.length)] as Step);
    },
    async play(seed, steps, log) {
      const random = chance(seed + 1);
      const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
      const targets: RollingTarget[] = names
        .filter(() => random() < 0.7)
        .map((name) => ({ name, fate: oneOf(fates) }));
      if (random() < 0.3) targets.push({ name: 'U', fate: 'unsupported' });
      if (random() < 0.3) targets.push({ name: 'nobody', fate: 'unknown name' });
      if (targets.length === 0) targets.push({ name: 'A', fate: 'accepted' });
      targets.sort(() => random() - 0.5);
      const [rolling, maxFailures] = [oneOf(sizes), oneOf(failures)];
      const size = typeof rolling === 'number' ? rolling : Math.ceil(targets.length * 0.4);
      // Targets that begin together and end without a request might end in any order.
      const isAsked = ({ name }: RollingTarget) => names.includes(name);
      if (size > 1) targets.sort((one, other) => Number(isAsked(other)) - Number(isAsked(one)));
      const model = new RollingModel(targets, size, maxFailures);
      for (const device of devices) {
        device.requests.length = 0;
        device.behavior = ({ operationName }) => (operationName === 'door/munlock' ? 'hold' : 200);
      }
      const node = `${rolling} ${maxFailures}`;
      log(`${node}: ${targets.map(({ name, fate }) => `${name} ${fate}`).join(', ')}`);
      const way = site.send(node, { device: targets.map(({ name }) => name) });
      const told = site.inbox('log');
      told.length = 0;
      const agrees = async () => {
        const underWay = [...model.underWay].map((index) => targets[index]?.name);
        await site.until(`under way: ${underWay}`, () =>
          targets
            .filter(isAsked)
            .every(({ name }) => deviceOf(name).held.length === Number(underWay.includes(name))),
        );
        const ended = model.outcomes.filter((outcome) => outcome !== undefined).length;
        await site.until(`${ended} receipts`, () => {
          const receipts = told.map(({ payload }) => Object(payload).operation);
          return receipts.filter((operation) => operation === 'door/munlock').length === ended;
        });
      };
      const finish = async () => {
        const index = oneOf([...model.underWay]);
        const { name, fate } = targets[index] as RollingTarget;
        log(`${name} ${fate}`);
        model.finish(index);
        if (fate === 'lost') deviceOf(name).drop();
        else deviceOf(name).release('door/munlock', fate === 'refused' ? 400 : 200);
        await agrees();
      };
      const does: Record<Step, () => Promise<void>> = {
        finish,
        async stop() {
          const index = oneOf(model.waiting);
          if (index === undefined) return;
          log(`stop ${targets[index]?.name}`);
          model.stop(index);
          await site.ask('door/lock', { device: targets[index]?.name });
        },
        async reset() {
          log('reset');
          model.reset();
          await site.ask(node, { reset: true, device: 'nobody' });
        },
        async replace() {
          const waiting = model.waiting.map((index) => targets[index]?.name ?? '');
          if (waiting.length === 0 || random() < 0.5) return;
          log(`a deploy replaces ${waiting.join(', ')}`);
          for (const name of waiting) timeouts.set(name, (timeouts.get(name) ?? 5) + 1);
          await site.redeploy(flow());
        },
        async 'stop while replaced'() {
          const index = oneOf(model.waiting);
          const name = targets[index ?? -1]?.name;
          if (index === undefined || name === undefined) return;
          log(`a deploy replaces ${name}, and a stop comes meanwhile`);
          model.stop(index);
          timeouts.set(name, (timeouts.get(name) ?? 5) + 1);
          let stop: Way | undefined;
          helper.getNode(deviceOf(name).id).on('close', () => {
            stop = site.send('door/lock', { device: name });
          });
          await site.redeploy(flow());
          assert.ok(stop);
          await site.ended(stop);
        },
      };
      try {
        await agrees();
        for (const step of steps) if (!model.isEnded) await does[step]();
        while (!model.isEnded) await finish();
      } finally {
        for (const device of devices) device.releaseAll();
        await site.ended(way);
      }
      const receipts = receiptsOf(way);
      assert.deepEqual(
        receipts.map(({ outcome }) => outcome),
        model.outcomes,
      );
      const heard = targets.map(
        ({ name }) =>
          devices
            .find((device) => device.name === name)
            ?.operationNames.filter((one) => one === 'door/munlock').length ?? 0,
      );
      assert.deepEqual(heard, model.requests);
      const first = model.first === undefined ? undefined : receipts[model.first];
      if (first) {
        const [caught] = way.caught;
        assert.ok(
          String(caught?.error?.message).includes(String(first.error?.message)),
          caught?.error?.message,
        );
        const skipped = receipts.filter(({ error }) => error?.reason.startsWith('not tried'));
        for (const { error } of skipped)
          assert.deepEqual([error?.code, error?.reason], ['ABORTED', `not tried: ${first.device} failed`]);
      }
      return undefined;
    },
  });
});
