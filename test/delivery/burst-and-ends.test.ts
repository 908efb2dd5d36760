import assert from 'node:assert/strict';
import { action, alertNode, states } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { itHolds, seedsOf } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { act, codesOf, outcomesOf, Site, type Way } from '../fixtures/site';

/** What a message asks for; the device is told its number by the tone that it names. */
type Kind = 'plain' | 'timed' | 'stop' | 'alert' | 'clear';
interface Asked {
  readonly kind: Kind;
  readonly number: number;
  readonly way: Way;
}

const isStart = (kind: Kind | undefined) => kind !== 'stop' && kind !== 'clear';
const loop = { loop: { type: 'bool', value: 'true' } };
const path = { type: 'msg', value: 'path' };
const toHall = { device: 'hall', ttl: '0' };
const endAfterMs = 300;

/**
 * Firmware 5.4 wants the name of the tone that it is to stop. So the device hears what each stop was sent for: a
 * message, or what a message has started.
 */
describe('delivery: bursts, alerts and ends that fall due, all for one tone', () => {
  let site: Site;
  let hall: FakeDevice;
  const alert = alertNode([{ ...action('tone/start'), form: { path, ...loop } }], {
    target: 'device',
    ...toHall,
  });
  const nodes: Record<Kind, string> = {
    plain: 'plain',
    timed: 'timed',
    stop: 'tone/stop',
    alert: alert.id,
    clear: alert.id,
  };
  beforeEach(async () => {
    site = new Site();
    hall = await site.device('Hall', '8301', '5.4');
    const start = (id: string, more = {}): NodeConfig => ({
      ...act('tone/start', { ...toHall, ...more, form: { path, ...loop } }),
      id,
    });
    const acting = [start('plain'), start('timed', { endAfter: endAfterMs / 1_000 })];
    const stop = act('tone/stop', { ...toHall, form: { path } });
    await site.start([hall.config({ queueLimit: 10_000 }), states, ...acting, stop, alert]);
  });
  afterEach(() => site.end());

  itHolds<number>({
    file: __filename,
    setting: 'ALGO_BURSTS',
    defaultCount: 8,
    draw(seed) {
      const random = chance(seed);
      return seedsOf(random, 1 + Math.floor(random() * 3));
    },
    async play(_seed, bursts, log) {
      hall.requests.length = 0;
      check(await history(bursts), log);
      return undefined;
    },
  });

  it('an alert passes none of the messages that wait for their slice', async () => {
    const ways = Array.from({ length: 300 }, (_, index) => site.send(nodes.plain, { path: `${index}` }));
    ways.push(site.send(nodes.alert, { path: '300' }));
    for (const way of ways) await site.ended(way);
    assert.equal(toneRequests().at(-1)?.parameters.path, '300');
  });

  /** Bursts, each in one turn; the later ones about when ends fall due. */
  async function history(bursts: readonly number[]): Promise<Asked[]> {
    const asked: Asked[] = [];
    const ask = (kind: Kind) => {
      const number = asked.length;
      const way = site.send(nodes[kind], {
        path: kind === 'stop' ? `stop ${number}` : `${number}`,
        ...(kind === 'clear' && { operation: 'clear' }),
      });
      asked.push({ kind, number, way });
    };
    const kinds: Kind[] = ['plain', 'plain', 'timed', 'timed', 'timed', 'stop', 'alert', 'clear'];
    for (const seed of bursts) {
      const random = chance(seed);
      const count = [3, 40, 250, 600][Math.floor(random() * 4)] ?? 3;
      const oneOtherIn = [1, 10, 100][Math.floor(random() * 3)] ?? 1;
      for (let index = 0; index < count; index += 1) {
        const isOther = random() * oneOtherIn < 1;
        const kind = isOther ? kinds[Math.floor(random() * kinds.length)] : 'timed';
        // As Node-RED hands over what was sent in one turn.
        setImmediate(() => ask(kind ?? 'plain'));
      }
      await new Promise((resolve) => setImmediate(resolve));
      if (random() < 0.5) await site.ended((asked.at(-1) as Asked).way);
      // What falls due meanwhile is begun in the same turn as the next burst, or right before or after it.
      const until = performance.now() + endAfterMs * (0.8 + random() * 0.4);
      if (random() < 0.7) await new Promise((resolve) => setTimeout(resolve, until - performance.now() - 20));
      while (random() < 0.9 && performance.now() < until);
    }
    for (const { way } of asked) await site.ended(way);
    ask('clear');
    await site.ended((asked.at(-1) as Asked).way);
    await site.until('what is to end has ended', () => lastStart(asked)?.kind !== 'timed' || !isOn());
    return asked;
  }

  const toneRequests = () => hall.requests.filter(({ operationName: of }) => of.startsWith('tone/'));
  const isOn = () => toneRequests().at(-1)?.operationName === 'tone/start';
  function lastStart(asked: readonly Asked[]): Asked | undefined {
    const last = toneRequests().findLast(({ operationName: of }) => of === 'tone/start');
    return last && asked[Number(last.parameters.path)];
  }

  function check(asked: readonly Asked[], log: (line: string) => void): void {
    for (const { kind, number } of asked) log(`${number} is asked for: ${kind}`);
    for (const { operationName: of, parameters } of toneRequests()) log(`heard: ${of} ${parameters.path}`);
    const stops = new Set<number>();
    let last: Asked | undefined;
    let [ended, isOnNow] = [-1, false];
    for (const { operationName: of, parameters } of toneRequests()) {
      const [, word, digits] = /^(stop )?(\d+)$/.exec(String(parameters.path)) ?? [];
      const number = Number(digits);
      const one = asked[number];
      assert.ok(one, `${of} ${parameters.path}`);
      if (of === 'tone/start') {
        assert.ok(number > (last?.number ?? -1), `${number} was started after ${last?.number}`);
        assert.ok(number > ended, `${number} was started after what came later had ended it: ${ended}`);
        [last, isOnNow] = [one, true];
        continue;
      }
      if (word) {
        stops.add(number);
        ended = Math.max(ended, number);
        assert.ok((last?.number ?? -1) < number, `${number} ended what came later: ${last?.number}`);
      } else if (one.kind === 'alert') {
        const clear = asked.find(({ kind, number: at }) => kind === 'clear' && at > number);
        assert.ok(clear, `the alert was ended, and nobody has cleared it`);
        ended = Math.max(ended, clear.number);
      } else {
        assert.deepEqual([one.kind, isOnNow], ['timed', true], `what ends ${number} is not wanted`);
        assert.equal(last, one, `${last?.number} was ended by what ends ${number}`);
      }
      isOnNow = false;
    }
    for (const { kind, number, way } of asked) {
      const [outcome] = outcomesOf(way);
      if (kind === 'stop') assert.ok(stops.has(number) && outcome === 'Hall accepted', `${number}`);
      // The last clear came when all the others had ended.
      const isEnded = asked.slice(number, -1).some((other) => !isStart(other.kind));
      // An alert holds back all others while it is on, and takes the place of those that still wait.
      const isOvertaken = kind !== 'alert' && asked.some((other) => other.kind === 'alert');
      const fine = [
        'Hall accepted',
        ...(isEnded || isOvertaken ? ['Hall superseded'] : []),
        ...(isOvertaken ? ['Hall skipped'] : []),
      ];
      if (isStart(kind)) {
        const after = asked.slice(number + 1, number + 9).map((other) => `${other.number} ${other.kind}`);
        const [error] = codesOf(way);
        assert.ok(fine.includes(outcome ?? ''), `${kind} ${number} is ${outcome}, ${error}; then ${after}`);
      }
    }
    assert.ok(!isOnNow || last?.kind === 'plain', `${last?.kind} ${last?.number} is still on`);
  }
});
