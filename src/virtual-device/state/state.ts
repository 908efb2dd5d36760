import { noiseLevel } from '../choices';
import type { Clock, Timer } from '../clock/clock';

export type DoorId = 'local' | 'netdc1';
export type DoorState = 'locked' | 'unlocked';

/** A tone while it sounds; the fields are those of the request. */
export interface PlayingTone {
  readonly path: string;
  readonly loop: boolean;
  readonly duration?: number;
  readonly interval?: number;
  readonly mcast?: boolean;
  readonly playback?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

/** Any request body, once it has been accepted. */
type Content = Readonly<Record<string, unknown>>;

export type ConsoleEventType = 'emergency' | 'call' | 'pageMic' | 'pageTone';
export type InputName = 'relay' | 'relay1' | 'relay2';

/** What the device is doing, for people and tests to read. */
export interface DeviceState {
  /** While it restarts, nothing answers. */
  readonly power: 'on' | 'restarting';
  readonly doors: Readonly<Record<DoorId, DoorState>>;
  readonly tone: PlayingTone | null;
  readonly test: 'stopped' | 'playing' | 'looping';
  /** The stream parameters of the last multicast update. */
  readonly multicast: Content | null;
  /** The audio stream that is listened to. */
  readonly rx: { readonly port: string } | null;
  /** The call in progress; a page has nothing but an extension. */
  readonly call: Content | null;
  /** The output relay of the 8063. */
  readonly relay: 'enabled' | 'disabled';
  readonly aux24v: 'enabled' | 'disabled';
  /** Nothing: the default screen. */
  readonly screen: Content | null;
  readonly overlay: Content | null;
  readonly strobe: Content | null;
  /** The number of the announcement. */
  readonly emergency: number | null;
  /** Active events of the 8450. */
  readonly console: readonly { readonly type: ConsoleEventType }[];
  /** The scheduled event that was carried out last. */
  readonly lastEvent: { readonly evid: number; readonly name: string; readonly at: string } | null;
  /** The name of the scheduled event that streams audio. */
  readonly streaming: string | null;
  /** What the relay inputs read: idle, Disabled, or active and a description. */
  readonly inputs: Readonly<Record<InputName, string>>;
  /** The uploaded file that is being made ready; it plays later. */
  readonly upload: PlayingTone | null;
  /** In dB, as it was set. */
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

/** What a device does by itself at a moment to come. */
export interface Deadline {
  /** The device's time, milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

interface Planned {
  readonly timer: Timer;
  from: number;
  until: number;
}

/** Holds the state and the timers that change it by themselves. */
export class StateKeeper {
  #state: DeviceState = stateAtStart;
  readonly #timers = new Map<string, Planned>();
  readonly #clock: Clock;
  readonly #changed: (part: keyof DeviceState) => void;
  readonly #happened: (words: string) => void;

  /** `happened` is told, in words, what the device does by itself. */
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

  set<K extends keyof DeviceState>(part: K, value: DeviceState[K]): void {
    this.#state = { ...this.#state, [part]: value };
    this.#changed(part);
  }

  /** When what is planned under each name comes to pass. */
  get deadlines(): Readonly<Record<string, Deadline>> {
    return Object.fromEntries([...this.#timers].map(([name, { from, until }]) => [name, { from, until }]));
  }

  /** Follows the device's clock when it is put ahead or behind: what is planned comes as soon as before. */
  shiftDeadlines(ms: number): void {
    for (const planned of this.#timers.values()) {
      planned.from += ms;
      planned.until += ms;
    }
  }

  /** Runs `task` in `seconds`, in place of what was planned under this name; `words` tell of it then. */
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
    const planned = this.#timers.get(name);
    if (planned) this.#clock.clearTimeout(planned.timer);
    this.#timers.delete(name);
  }

  cancelAll(): void {
    for (const name of [...this.#timers.keys()]) this.cancel(name);
  }

  /** Everything as after switching on; the inputs are wires, which a restart does not move. */
  restart(): void {
    this.cancelAll();
    const before = this.#state;
    this.#state = { ...stateAtStart, inputs: before.inputs, power: before.power };
    for (const part of Object.keys(before) as (keyof DeviceState)[])
      if (before[part] !== this.#state[part]) this.#changed(part);
  }
}
