import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { itHolds } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { act, outcomesOf, receiptsOf, Site, type Way } from '../fixtures/site';

/** A message of a burst: to which node, for which devices. */
interface Sent {
  readonly node: string;
  readonly devices: readonly string[];
}

/** The same, and what became of it. */
interface Asked extends Sent {
  /** Their order; the devices are told it by what they play and show. */
  readonly number: number;
  readonly deviceOutput: string | undefined;
  readonly isStop: boolean;
  readonly way: Way;
}

const toMany = { target: 'msg', ttl: '0' };
const from = (name: string, type: string, value: string, more = {}) => ({
  ...toMany,
  form: { [name]: { type, value }, ...more },
});
const loop = { loop: { type: 'bool', value: 'true' } };
const setByMessage = { id: 'said by the message', operation: 'msg' };
/** With what their operations are about. */
const nodes: readonly (readonly [string | undefined, NodeConfig])[] = [
  ['tone', act('tone/start', from('path', 'msg', 'path', loop))],
  ['tone', act('tone/stop', toMany)],
  ['tone', { ...act('tone/start', from('path', 'msg', 'given.path', loop)), id: 'counted' }],
  [
    'tone',
    { ...act('tone/start', { ...toMany, parametersType: 'msg', parameters: 'given' }), ...setByMessage },
  ],
  ['text', act('screen/text-start', from('textContent', 'msg', 'text'))],
  // The same from where the next message may put something else.
  ['text', { ...act('screen/text-start', from('textContent', 'flow', 'words')), id: 'from context' }],
  ['text', act('screen/text-stop', toMany)],
  [undefined, act('relay/menable', toMany)],
  ['emergency', act('emergency/start', toMany)],
];
const deviceOutputs = new Map(nodes.map(([deviceOutput, { id }]) => [id, deviceOutput]));

describe('delivery: more messages in one turn than are begun in one', () => {
  let site: Site;
  let devices: FakeDevice[];
  beforeEach(async () => {
    site = new Site();
    devices = await site.devices('A', 'B');
    const open = { queueLimit: 10_000, letDeviceDecide: true };
    const configs = devices.map((device) => device.config(open));
    await site.start([...configs, ...nodes.map(([, config]) => config)]);
  });
  afterEach(() => site.end());

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  for (const id of ['counted', setByMessage.id])
    it(`begins an emergency at once, and of the others a slice in each turn: ${id}`, async () => {
      const begun = new Set<number>();
      const given = (number: number) => ({
        get path() {
          begun.add(number);
          return 'gong.wav';
        },
        loop: true,
      });
      const ways = Array.from({ length: 3_000 }, (_, number) =>
        site.send(id, { device: 'A', operation: 'start', given: given(number) }),
      );
      const emergency = site.send('emergency/start', { device: 'A' });
      // The very first ones are not counted with the others where they take long, as on a busy machine.
      assert.ok(begun.size < 1_000, `${begun.size} were begun at once`);
      await turn();
      assert.ok(begun.size < 1_500, `${begun.size} were begun`);
      assert.deepEqual(outcomesOf(await site.ended(emergency)), ['A accepted']);
      const { operationNames } = devices[0] as FakeDevice;
      assert.ok(operationNames.indexOf('emergency-alert/start') <= 1, operationNames.slice(0, 5).join(', '));
      for (const way of ways) assert.deepEqual(outcomesOf(await site.ended(way)), ['A accepted']);
    });

  it('lets a stop take out all starts of its device output that came before it', async () => {
    const ways = Array.from({ length: 1_000 }, () =>
      site.send('tone/start', { device: 'A', path: 'gong.wav' }),
    );
    const stop = site.send('tone/stop', { device: 'A' });
    assert.deepEqual(outcomesOf(await site.ended(stop)), ['A accepted']);
    const outcomes = await Promise.all(ways.map(async (way) => outcomesOf(await site.ended(way))[0]));
    const accepted = outcomes.filter((outcome) => outcome === 'A accepted').length;
    const superseded = outcomes.filter((outcome) => outcome === 'A superseded').length;
    assert.ok(
      accepted <= 1 && accepted + superseded === 1_000,
      `${accepted} accepted, ${superseded} superseded`,
    );
    assert.equal(devices[0]?.operationNames.at(-1), 'tone/stop');
  });

  it('ends what still waits for its slice when the node is closed', async () => {
    const ways = Array.from({ length: 1_000 }, () => site.send('relay/menable', { device: 'A' }));
    await helper.clearFlows();
    const requestCount = devices[0]?.operationNames.length ?? 0;
    assert.ok(requestCount <= 1, `${requestCount} were sent`);
    assert.ok(ways.every(({ sent }) => sent.length === 0));
    const logged = helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    assert.ok(logged.some((line) => line.startsWith('[algo-relay:relay/menable] 1000 ')));
  });

  itHolds<Sent>({
    file: __filename,
    setting: 'ALGO_BURSTS',
    defaultCount: 12,
    draw,
    async play(_seed, burst) {
      for (const device of devices) device.requests.splice(0);
      const asked = burst.map(send);
      for (const { way } of asked) await site.ended(way);
      for (const device of devices)
        for (const deviceOutput of ['tone', 'text']) check(asked, device, deviceOutput);
      for (const { way, devices: names } of asked) assert.equal(receiptsOf(way).length, names.length);
      return undefined;
    },
  });

  /** A burst, all of it in one turn. */
  function draw(seed: number): Sent[] {
    const random = chance(seed);
    const oneOf = <T>(...values: T[]): T => values[Math.floor(random() * values.length)] as T;
    const starts = ['tone/start', 'tone/start', 'screen/text-start', 'from context', 'relay/menable'];
    const stops = ['tone/stop', 'screen/text-stop', 'emergency/start'];
    const count = oneOf(150, 250, 400, 700);
    const oneStopIn = oneOf(5, 50, 300);
    return Array.from({ length: count }, () => ({
      node: random() < 1 / oneStopIn ? oneOf(...stops) : oneOf(...starts),
      devices: oneOf(['A'], ['B'], ['A', 'B']),
    }));
  }

  function send({ node, devices: names }: Sent, number: number): Asked {
    helper.getNode('from context').context().flow.set('words', String(number));
    const way = site.send(node, { device: names, path: `${number}.wav`, text: String(number) });
    const deviceOutput = deviceOutputs.get(node);
    return { number, node, deviceOutput, isStop: node.endsWith('stop'), devices: names, way };
  }

  /** What one device has heard of one device output, against what it was to hear. */
  function check(
    asked: readonly Asked[],
    { name, requests: requestCount }: FakeDevice,
    deviceOutput: string,
  ): void {
    const ofDeviceOutput = asked.filter(
      (one) => one.deviceOutput === deviceOutput && one.devices.includes(name),
    );
    const stops = ofDeviceOutput.filter(({ isStop }) => isStop);
    const operationNames = requestCount.filter(({ operationName }) =>
      operationName.startsWith(deviceOutput === 'tone' ? 'tone/' : 'screen-text/'),
    );
    const heardStops = operationNames.filter(({ operationName }) => operationName.endsWith('stop')).length;
    assert.ok(
      heardStops >= stops.length,
      `${name} heard ${heardStops} of ${stops.length} stops of ${deviceOutput}`,
    );
    const repeated = heardStops - stops.length;
    const started: number[] = [];
    let ended = 0;
    for (const { operationName, parameters } of operationNames) {
      if (operationName.endsWith('stop')) {
        ended += 1;
        continue;
      }
      const number = Number.parseInt(String(parameters.path ?? parameters.textContent), 10);
      const last = started.at(-1) ?? -1;
      assert.ok(number > last, `${name}: ${number} of ${deviceOutput} came after ${last}`);
      started.push(number);
      const stop = stops[ended - repeated - 1]?.number ?? -1;
      assert.ok(number > stop, `${name}: ${number} of ${deviceOutput} came after its stop ${stop}`);
    }
    const accepted: number[] = [];
    for (const { number, isStop, way } of ofDeviceOutput) {
      const { outcome } = receiptsOf(way).find(({ device }) => device === name) ?? {};
      if (isStop) assert.equal(outcome, 'accepted');
      else if (outcome === 'accepted') accepted.push(number);
      else assert.equal(outcome === 'superseded' && stops.some((stop) => stop.number > number), true);
    }
    assert.deepEqual(started, accepted, `${deviceOutput} at ${name}`);
    if (ofDeviceOutput.length > 0) {
      assert.equal(
        operationNames.at(-1)?.operationName.endsWith('stop'),
        ofDeviceOutput.at(-1)?.isStop,
        `${deviceOutput} at ${name}`,
      );
    }
  }
});
