import { setTimeout as sleep } from 'node:timers/promises';
import { deviceById } from '../../src/runtime/device/registry';
import type { FakeDevice, ReceivedRequest } from '../fixtures/fake-device';
import { itHolds } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { act, Site, type Way } from '../fixtures/site';

/** So long each kind of start lasts, in seconds; the last one is not ended. */
const lasts = { short: 0.001, long: 3_600, endless: undefined };
type Kind = keyof typeof lasts;

type Step =
  /** A start comes. */
  | { readonly does: Kind }
  /** Another message keeps the device busy. */
  | { readonly does: 'busy' }
  /** Node-RED forgets who the device is: it asks before the next end. */
  | { readonly does: 'forget' }
  /** What has waited longest has its answer. */
  | { readonly does: 'answer' }
  /** Meanwhile the rest goes on. */
  | { readonly does: 'pass'; readonly ms: number };

const all = ['short', 'long', 'endless', 'busy', 'forget', 'answer'] as const;
/** The device is busy while the end is due, so that a start passes the question who it is. */
const usual = [
  ...(['short', 'answer', 'busy', 'forget', 'answer'] as const),
  ...(['long', 'answer', 'answer', 'answer'] as const),
];

/** The tone of a device, by the starts that it heard: the last one alone says whether it is to be ended. */
class Model {
  #last: Kind | undefined;
  #isOn = false;

  receive({ operationName, parameters }: ReceivedRequest): void {
    if (operationName === 'tone/stop') this.#isOn = false;
    if (operationName !== 'tone/start') return;
    this.#last = String(parameters.path).split('.')[0] as Kind;
    this.#isOn = true;
  }

  /** An end is to come. */
  get isPending(): boolean {
    return this.#isOn && this.#last === 'short';
  }

  get wrong(): string | undefined {
    if (this.#isOn || this.#last === 'short' || this.#last === undefined) return undefined;
    return `expected the ${this.#last} start to be on, came an end that an earlier start had left`;
  }
}

describe('delivery: an endAfter that is due while nobody knows who the device is', () => {
  const id = 'gate-of-histories';
  let site: Site;
  let device: FakeDevice;
  let model = new Model();
  let receive: (request: ReceivedRequest) => void = () => {};

  before(async () => {
    site = new Site();
    device = await site.device('Gate');
    device.id = id;
    const toGate = { device: id };
    await site.start([
      device.config({ model: '', firmware: '' }),
      ...(Object.keys(lasts) as Kind[]).map((kind) => {
        const ends = lasts[kind] === undefined ? {} : { endAfter: lasts[kind] };
        const given = { path: `${kind}.wav`, loop: true };
        return { ...act('tone/start', { ...toGate, ...ends, given }), id: kind };
      }),
      { ...act('screen/start', toGate), id: 'busy' },
    ]);
  });
  after(() => site.end());

  const answer = () => {
    const [oldest] = device.held;
    if (oldest !== undefined) device.release(oldest, oldest === 'info/about' ? 404 : 200);
  };
  const dumb = ({ operationName }: ReceivedRequest) => (operationName === 'info/about' ? 404 : 200);

  async function play(steps: readonly Step[], log: (line: string) => void): Promise<string | undefined> {
    model = new Model();
    receive = (request) => {
      log(`the device hears ${request.operationName} ${request.parameters.path ?? ''}`);
      model.receive(request);
    };
    device.behavior = (request) => {
      receive(request);
      return 'hold';
    };
    const ways: Way[] = [];
    for (const step of steps) {
      log(step.does);
      if (step.does === 'pass') await sleep(step.ms);
      else if (step.does === 'forget') deviceById(id)?.forgetIdentity();
      else if (step.does === 'answer') answer();
      else ways.push(site.send(step.does));
    }
    device.behavior = (request) => {
      receive(request);
      return dumb(request);
    };
    while (device.held.length > 0) answer();
    await Promise.all(ways.map((way) => site.ended(way)));
    await site.until('pending commands are ended', () => !model.isPending);
    // An end that was on its way is heard before these.
    for (let left = 2; left > 0; left -= 1) await site.ask('busy');
    return model.wrong;
  }

  itHolds<Step>({
    file: __filename,
    defaultCount: 5_000,
    share: 1 / 25,
    draw(seed) {
      const random = chance(seed);
      const below = (limit: number) => Math.floor(random() * limit);
      const any = () => all[below(all.length)] ?? 'answer';
      // Some order near the one that is dangerous.
      return usual
        .flatMap((does) => (random() < 0.15 ? [] : random() < 0.15 ? [does, any()] : [does]))
        .map((does) => (random() < 0.15 ? any() : does))
        .flatMap((does): Step[] => [{ does }, { does: 'pass', ms: below(3) }]);
    },
    play: (_seed, steps, log) => play(steps, log),
  });
});
