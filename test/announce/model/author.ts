/*
Random histories of announcements at five devices. A history is a world (nodes, alerts, devices: all from the seed, it
stays while a history is shortened) and a list of steps, each with its own time: any of them may be left out.
*/
import type { Device } from './trace';

/** The properties of an announce node; the rest comes with the message (`msg.device`, `priorityType` and `textType` `msg`). */
export interface NodeProperties {
  readonly name: string;
  readonly chime: string;
  readonly repeat: number;
  readonly interval: number;
  /** As a person types it, and as the device has it. */
  readonly volume: '' | string | number;
  readonly volumeThere: string;
  readonly overlap: 'queue' | 'replace' | 'skip';
  readonly together: number;
  readonly ttl: number;
}

export interface AlertProperties {
  readonly name: string;
  readonly priority: number;
  readonly outputs: readonly ('tone' | 'call' | 'emergency' | 'screen' | 'text')[];
  readonly devices: readonly string[];
}

/** Sounds by number: the even ones are Buffers of their own content, the odd ones tones on the devices. */
export interface Sound {
  readonly isBuffer: boolean;
  /** Name of the tone; of a Buffer, for the driver to replace by `algo-<digest>.wav`. */
  readonly name: string;
  readonly lengthMs: number;
}

export interface World {
  readonly devices: readonly Device[];
  readonly nodes: readonly NodeProperties[];
  readonly alerts: readonly AlertProperties[];
  readonly sounds: readonly Sound[];
}

/** Actions of other nodes and people at a device. Announcements have no such tones, texts and volumes. */
const others = [
  ['tone/start', 'x-other.wav'],
  ['tone/start', 'x-other.wav'],
  ['tone/stop', ''],
  ['call/start', '200'],
  ['emergency/start', '3'],
  ['screen/text-start', 'Somebody else'],
  ['screen/text-stop', ''],
  ['settings/put', '-7dB'],
  ['settings/put', '-8dB'],
  ['strobe/start', '2'],
  // An upload takes long, so others wait behind it.
  ['files/put', 'tones/x-other.wav'],
  ['files/put', 'tones/x-other.wav'],
] as const;

const faulty = [
  'tone/start',
  'tone/stop',
  'settings/get',
  'settings/put',
  'screen/text-start',
  'files/put',
] as const;

export type Step = { readonly at: number } & (
  | {
      readonly kind: 'play' | 'prepare';
      readonly node: number;
      readonly targets: readonly number[];
      readonly sound: number;
      readonly priority: number;
      readonly text: string;
      /** `msg.ttl`; absent: the node's. */
      readonly ttl?: number;
      /** What makes it invalid. */
      readonly bad?: 'audio' | 'priority' | 'operation';
    }
  | { readonly kind: 'stop' | 'state'; readonly node: number; readonly targets: readonly number[] }
  | { readonly kind: 'other'; readonly device: number; readonly op: string; readonly subject: string }
  /** Starts this alert, and clears it afterwards: a start while it is on does nothing new, the first clear ends it. */
  | { readonly kind: 'alert'; readonly alert: number; readonly forMs: number }
  /** The next answers to announcements' requests of this kind: lost (done or not), a no, or slow. */
  | {
      readonly kind: 'lose';
      readonly device: number;
      readonly op: string;
      readonly count: number;
      readonly done: boolean;
    }
  | { readonly kind: 'refuse'; readonly device: number; readonly op: string; readonly count: number }
  | {
      readonly kind: 'slow';
      readonly device: number;
      readonly op: string;
      readonly count: number;
      readonly byMs: number;
    }
  | { readonly kind: 'away'; readonly device: number; readonly forMs: number }
  /** Node-RED is killed, and started again after this time. */
  | { readonly kind: 'kill'; readonly forMs: number }
  | { readonly kind: 'deploy'; readonly node: number }
);

type Plain = Step extends infer S ? (S extends Step ? Omit<S, 'at'> : never) : never;

export class Author {
  constructor(private readonly random: () => number) {}

  world(): World {
    const lacks = this.#is(0.3) ? ['chime.wav'] : [];
    const device = (name: string, is: Partial<Device>): Device => ({
      name,
      tone: true,
      text: false,
      put: true,
      dryRun: false,
      lacks: [],
      lengthUnknown: false,
      setting: 'audio.page.vol',
      volume: this.#oneOf(['-9dB', '-12dB', '-18dB', '0dB']),
      ...is,
    });
    return {
      devices: [
        device('speaker', { lacks }), // an 8190
        device('display', { text: true }), // an 8410 with 5.7
        device('old display', { dryRun: this.#is(0.2) }), // an 8410 with 5.6
        device('intercom', { put: false, setting: 'audio.vol.spk', lengthUnknown: true }), // an 8039
        device('door', { tone: false, put: false, setting: 'audio.vol.spk' }), // an 8063
      ],
      nodes: ['north', 'south', 'west'].map((name) => {
        const volume = this.#oneOf([
          ['', ''],
          ['', ''],
          ['-12dB', '-12dB'],
          [6, '-12dB'],
          [0, '-45dB'],
          ['-3dB', '-3dB'],
          [10, '0dB'],
        ] as const);
        return {
          name,
          chime: this.#is(0.4) ? 'chime.wav' : '',
          repeat: this.#oneOf([1, 1, 2, 3]),
          interval: this.#oneOf([0, 2, 5]),
          volume: volume[0],
          volumeThere: volume[1],
          overlap: this.#oneOf(['queue', 'queue', 'replace', 'skip'] as const),
          together: this.#oneOf([0, 5, 5, 30]),
          ttl: this.#oneOf([600, 600, 60, 10, 0]),
        };
      }),
      alerts: [
        {
          name: 'fire',
          priority: 9,
          outputs: ['tone', 'text'],
          devices: this.#some(['speaker', 'display', 'old display']),
        },
        {
          name: 'leak',
          priority: 0,
          outputs: ['tone'],
          devices: this.#some(['speaker', 'display', 'intercom']),
        },
        {
          name: 'weather',
          priority: 3,
          outputs: this.#oneOf([['screen'], ['screen', 'text'], ['text']] as const),
          devices: ['display'],
        },
        {
          name: 'help',
          priority: 5,
          outputs: [this.#oneOf(['call', 'emergency'])],
          devices: this.#some(['speaker', 'display']),
        },
      ],
      sounds: Array.from({ length: 24 }, (_, index) => {
        const isBuffer = index % 2 === 0;
        const lengthMs = this.#oneOf([300, 1_000, 4_000, 12_000, 30_000]);
        return { isBuffer, name: isBuffer ? `buffer ${index}` : `tone-${index}.wav`, lengthMs };
      }),
    };
  }

  steps(): Step[] {
    const count = 3 + this.#below(22);
    let at = 0;
    return Array.from({ length: count }, () => {
      const step = { at, ...this.#step() };
      at += this.#oneOf([
        0,
        this.#below(50),
        this.#below(600),
        this.#below(3_000),
        this.#below(15_000),
        this.#below(60_000),
      ]);
      return step;
    });
  }

  #step(): Plain {
    const dice = this.random();
    const [device, node] = [this.#below(5), this.#below(3)];
    if (dice < 0.5) return this.#play(node);
    if (dice < 0.56) return { kind: 'stop', node, targets: this.#some([0, 1, 2, 3, 4]) };
    if (dice < 0.58) return { kind: 'state', node, targets: this.#some([0, 1, 2, 3, 4]) };
    if (dice < 0.7) {
      const [op, subject] = this.#oneOf(others);
      return { kind: 'other', device: op.startsWith('screen') ? 1 : this.#below(4), op, subject };
    }
    if (dice < 0.79)
      return { kind: 'alert', alert: this.#below(4), forMs: this.#oneOf([500, 5_000, 40_000]) };
    const op = this.#oneOf(faulty);
    const count = this.#oneOf([1, 1, 2, 5]);
    if (dice < 0.85) return { kind: 'lose', device, op, count, done: this.#is(0.5) };
    if (dice < 0.88) return { kind: 'refuse', device, op, count };
    if (dice < 0.91) return { kind: 'slow', device, op, count, byMs: this.#oneOf([200, 1_900, 4_000]) };
    if (dice < 0.95) return { kind: 'away', device, forMs: this.#oneOf([100, 3_000, 90_000]) };
    if (dice < 0.97) return { kind: 'kill', forMs: this.#oneOf([10, 4_000]) };
    return { kind: 'deploy', node };
  }

  #play(node: number): Plain {
    const sound = this.#below(24);
    const common = {
      node,
      targets: this.#some([0, 1, 2, 3, 4]),
      sound,
      priority: this.#oneOf([5, 5, 5, 3, 8]),
    };
    if (this.#is(0.1)) return { kind: 'prepare', ...common, text: '' };
    const text = this.#is(0.5) ? `Text ${this.#below(1_000)}` : '';
    const ttl = this.#is(0.15) ? { ttl: this.#oneOf([1, 5, 0]) } : {};
    const bad = this.#is(0.04) ? { bad: this.#oneOf(['audio', 'priority', 'operation'] as const) } : {};
    return { kind: 'play', ...common, text, ...ttl, ...bad };
  }

  /** One device is met most often, so that announcements come together there. */
  #some<T>(values: readonly T[]): T[] {
    const some = values.filter((_, index) => this.#is(index < 2 ? 0.7 : 0.35));
    return some.length > 0 ? some : values.slice(0, 1);
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  #is(probability: number): boolean {
    return this.random() < probability;
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }
}

/** Chance that is the same for the same seed: `chance` of test/fixtures/history.ts in its place there. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same seed has the same world, whatever steps of its history are left. */
export function worldOf(seed: number): World {
  return new Author(chance(seed ^ 0x5bd1e995)).world();
}

export function stepsOf(seed: number): Step[] {
  return new Author(chance(seed)).steps();
}
