import { noiseLevel } from '../choices';
import type { Clock, Timer } from '../clock/clock';

export type DoorId = 'local' | 'netdc1';
export type DoorState = 'locked' | 'unlocked';

/** A tone that sounds, or an upload that waits, with the fields of the request. */
export interface PlayingTone {
  readonly path: string;
  readonly loop: boolean;
  readonly duration?: number;
  readonly interval?: number;
  readonly mcast?: boolean;
  readonly playback?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

type Content = Readonly<Record<string, unknown>>;

export type ConsoleEventType = 'emergency' | 'call' | 'pageMic' | 'pageTone';
export type InputName = 'relay' | 'relay1' | 'relay2';

export interface DeviceState {
  readonly power: 'on' | 'restarting';
  readonly doors: Readonly<Record<DoorId, DoorState>>;
  readonly tone: PlayingTone | null;
  readonly test: 'stopped' | 'playing' | 'looping';
  /** Stream parameters of the last multicast update. */
  readonly multicast: Content | null;
  readonly rx: { readonly port: string } | null;
  /** The call in progress; a paging call has only an extension. */
  readonly call: Content | null;
  /** The output relay of the 8063. */
  readonly relay: 'enabled' | 'disabled';
  readonly aux24v: 'enabled' | 'disabled';
  /** The content of the screen; null for the default screen. */
  readonly screen: Content | null;
  readonly overlay: Content | null;
  readonly strobe: Content | null;
  /** Number of the running announcement; null for none. */
  readonly emergency: number | null;
  readonly console: readonly { readonly type: ConsoleEventType }[];
  /** The scheduled event that was carried out last; `at` is in ISO 8601. */
  readonly lastEvent: { readonly evid: number; readonly name: string; readonly at: string } | null;
  /** Name of the scheduled event that is streaming audio; null for none. */
  readonly streaming: string | null;
  /** Texts of the relay inputs: idle, Disabled, or active with a description. */
  readonly inputs: Readonly<Record<InputName, string>>;
  readonly upload: PlayingTone | null;
  /** Noise level in dB, in the form of the request. */
  readonly noiseLevel: string;
}

const stateAtStart: DeviceState = {
  power: 'on',
  doors: { local: 'locked', netdc1: 'locked' },
  tone: null,
  test: 'stopped',
  multicast: null,
  rx: null,
  call: null,
  relay: 'disabled',
  aux24v: 'disabled',
  screen: null,
  overlay: null,
  strobe: null,
  emergency: null,
  console: [],
  lastEvent: null,
  streaming: null,
  upload: null,
  inputs: { relay: 'idle', relay1: 'idle', relay2: 'idle' },
  noiseLevel: noiseLevel,
};

/**
 * The period between the planning and the execution of a change, in epoch milliseconds of the device's clock.
 */
export interface Deadline {
  readonly from: number;
  readonly until: number;
}

interface Planned {
  readonly timer: Timer;
  from: number;
  until: number;
}

export class StateKeeper {
  #state: DeviceState = stateAtStart;
  readonly #timers = new Map<string, Planned>();
  readonly #clock: Clock;
  readonly #changed: (part: keyof DeviceState) => void;
  readonly #happened: (words: string) => void;

  /** @param happened called with a description after the device acted by itself */
  constructor(
    clock: Clock,
    changed: (part: keyof DeviceState) => void,
    happened: (words: string) => void = () => undefined,
  ) {
    this.#clock = clock;
    this.#changed = changed;
    this.#happened = happened;
  }

  get state(): DeviceState {
    return this.#state;
  }

  /** Sets a part. The part no longer ends by itself. */
  set<K extends keyof DeviceState>(part: K, value: DeviceState[K]): void {
    this.cancel(`end of ${part}`);
    this.#state = { ...this.#state, [part]: value };
    this.#changed(part);
  }

  /**
   * Sets a part, and sets the part back as at the start after `seconds` of the device's clock; without
   * `seconds`, the part does not end by itself.
   * @param words description for `happened`
   */
  setFor<K extends keyof DeviceState>(
    part: K,
    value: DeviceState[K],
    seconds: number | undefined,
    words: string,
  ): void {
    this.set(part, value);
    if (seconds === undefined) return;
    this.plan(`end of ${part}`, seconds, () => this.set(part, stateAtStart[part]), words);
  }

  get deadlines(): Readonly<Record<string, Deadline>> {
    return Object.fromEntries([...this.#timers].map(([name, { from, until }]) => [name, { from, until }]));
  }

  /** Shifts all deadlines by a change of the clock, so that the remaining times stay the same. */
  shiftDeadlines(ms: number): void {
    for (const planned of this.#timers.values()) {
      planned.from += ms;
      planned.until += ms;
    }
  }

  /**
   * Runs `task` after `seconds` of the device's clock. Replaces a previous plan of the same name.
   * @param words description for `happened`, which is called after the task
   */
  plan(name: string, seconds: number, task: () => void, words?: string): void {
    this.cancel(name);
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(name);
      task();
      if (words !== undefined) this.#happened(words);
    }, seconds * 1000);
    const from = this.#clock.now();
    this.#timers.set(name, { timer, from, until: from + seconds * 1000 });
  }

  cancel(name: string): void {
    this.#timers.get(name)?.timer.cancel();
    this.#timers.delete(name);
  }

  cancelAll(): void {
    for (const name of [...this.#timers.keys()]) this.cancel(name);
  }

  /** Resets the state as after power-on. `power` stays, and so do the inputs, which depend on wires. */
  restart(): void {
    this.cancelAll();
    const before = this.#state;
    this.#state = { ...stateAtStart, inputs: before.inputs, power: before.power };
    for (const part of Object.keys(before) as (keyof DeviceState)[])
      if (before[part] !== this.#state[part]) this.#changed(part);
  }
}
