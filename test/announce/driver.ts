import type { NodeAPI } from 'node-red';
import { operation as operationOf } from '../../src/catalogue/operation-name';
import type { Answer, Turn } from '../../src/client/client';
import { DeviceError, type ErrorCode } from '../../src/client/errors';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import type { Json } from '../../src/kernel/journal/lines';
import type { Clock } from '../../src/kernel/time/clock';
import { alertType } from '../../src/runtime/alert/send';
import type { AnnounceRequest } from '../../src/runtime/announce/announcement';
import { Announcements } from '../../src/runtime/announce/announcements';
import { announceType, type SendRequest, type Sent } from '../../src/runtime/announce/send';
import type { Device as RealDevice } from '../../src/runtime/device/device';
import { type SendingWatch, sendingListeners } from '../../src/runtime/message/bus';
import { type Receipt as RealReceipt, receiptOf } from '../../src/runtime/message/receipt';
import { VirtualClock } from '../fixtures/virtual-clock';
import type { AlertProperties, NodeProperties, Sound, Step, World } from './model/author';
import type { Ask, Device, Receipt, Request, Trace, Entry as TraceEntry } from './model/trace';
import { wav } from './sounds';

type Outcome = 'yes' | 'no' | 'lost' | 'away' | 'dropped' | 'expired';
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Answered {
  readonly outcome: Outcome;
  readonly body?: unknown;
}

interface Call {
  readonly by: Request['by'];
  readonly op: string;
  readonly subject: string;
  readonly value?: string | undefined;
  readonly isUrgent?: boolean;
  /** Whether a start of the same output that waits goes before it. */
  readonly yields?: boolean;
  /** Asked before the first byte; false if it may not be sent. */
  readonly admit?: (() => Promise<boolean>) | undefined;
  /** The request is not sent from then on. */
  readonly expiresAt?: number | undefined;
  /** When it came to the queue. */
  readonly since?: number;
  readonly onEnd: (answered: Answered) => void;
}

interface Fault {
  readonly op: string;
  left: number;
  readonly kind: 'lose' | 'refuse' | 'slow';
  readonly done: boolean;
  readonly byMs: number;
}

const requestMs = 5;
const answerLimitMs = 2_500;
/** The time of an upload of another node. */
const uploadMs = 1_500;
const refusedMs = 3;
/** The time until the journal has a change on the disk. */
const diskMs = 2;
const starts: Record<string, string> = { 'tone/stop': 'tone/start', 'screen/text-stop': 'screen/text-start' };
const models: Record<string, { readonly model: string; readonly firmware: string }> = {
  speaker: { model: '8190', firmware: '5.7' },
  display: { model: '8410', firmware: '5.7' },
  'old display': { model: '8410', firmware: '5.6' },
  intercom: { model: '8039', firmware: '5.7' },
  door: { model: '8063', firmware: '5.7' },
};

/** One device with its queue: an ordinary connection, and an urgent one. */
class There {
  value: string;
  text = '';
  awayUntil = -1;
  faults: Fault[] = [];
  readonly files = new Set<string>();
  readonly #waiting: Call[] = [];
  readonly #underWay = new Set<Call>();

  constructor(
    readonly is: Device,
    private readonly driver: Driver,
  ) {
    this.value = is.volume;
  }

  call(given: Call): void {
    const call = { ...given, since: this.driver.now };
    const start = starts[call.op];
    if (call.yields && this.#has(start)) {
      call.onEnd({ outcome: 'dropped' });
      return;
    }
    if (start) this.#drop(start);
    // A stop waits for a start under way, for 2 s at most, and is sent again after that.
    const running = [...this.#underWay].find(({ op }) => op === start);
    if (running) this.#stopAfter(running, call);
    else if (call.isUrgent) void this.#send(call);
    else {
      this.#waiting.push(call);
      this.#next();
    }
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#underWay.clear();
  }

  #stopAfter(running: Call, call: Call): void {
    const { generation } = this.driver;
    let isSent = false;
    const send = () => {
      if (isSent || generation !== this.driver.generation) return;
      isSent = true;
      void this.#send(call);
    };
    this.driver.after(2_000, send);
    const wait = () => {
      if (generation !== this.driver.generation) return;
      if (this.#underWay.has(running)) this.driver.after(5, wait);
      else if (isSent) void this.#send({ ...call, onEnd() {} });
      else send();
    };
    wait();
  }

  #has(op: string | undefined): boolean {
    return [...this.#waiting, ...this.#underWay].some((call) => call.op === op);
  }

  #drop(op: string): void {
    for (const call of this.#waiting.filter((one) => one.op === op)) {
      this.#waiting.splice(this.#waiting.indexOf(call), 1);
      call.onEnd({ outcome: 'dropped' });
    }
  }

  #next(): void {
    if ([...this.#underWay].some(({ isUrgent }) => !isUrgent)) return;
    const call = this.#waiting.shift();
    if (call) void this.#send(call);
  }

  async #send(call: Call): Promise<void> {
    const { driver } = this;
    const { generation } = driver;
    // A killed Node-RED hears nothing.
    const isKilled = () => generation !== driver.generation;
    const end = (answered: Answered) => {
      this.#underWay.delete(call);
      call.onEnd(answered);
      this.#next();
    };
    if (call.expiresAt !== undefined && driver.now >= call.expiresAt) return end({ outcome: 'expired' });
    this.#underWay.add(call);
    if (call.admit && !(await call.admit())) return isKilled() ? undefined : end({ outcome: 'dropped' });
    if (isKilled()) return;
    const watch = driver.watch(this, call);
    await watch?.ready;
    if (isKilled()) return;
    const answered = await this.exchange(call);
    if (isKilled()) return;
    const isOver = watch?.end(answered.outcome === 'yes' || answered.outcome === 'lost');
    if (answered.outcome === 'yes') await isOver;
    if (!isKilled()) end(answered);
  }

  /** Sends a request, and resolves with its answer. @param withinMs after that, the answer is lost */
  exchange(call: Call, withinMs = answerLimitMs): Promise<Answered> {
    const { driver, is } = this;
    const { by, op, subject } = call;
    if (driver.now < this.awayUntil)
      return new Promise((resolve) => driver.after(refusedMs, () => resolve({ outcome: 'away' })));
    const fault = by === 'own' ? this.faults.find((one) => one.op === op && one.left > 0) : undefined;
    if (fault) fault.left -= 1;
    const slowMs = fault?.kind === 'slow' ? fault.byMs : 0;
    const takesMs = by === 'other' && op === 'files/put' ? uploadMs : requestMs + slowMs;
    const isLost = fault?.kind === 'lose' || takesMs > withinMs;
    const isDone = fault?.kind === 'lose' ? fault.done : fault?.kind !== 'refuse' && this.#does(call);
    // One that is slow and `done` takes effect late.
    const isLate = isDone && fault?.kind === 'slow' && fault.done;
    const body = isDone && !isLate ? this.#carryOut(call) : undefined;
    const answer = isLost ? 'lost' : isDone ? 'yes' : 'no';
    const ms = isLost ? withinMs : takesMs;
    const told = op === 'settings/get' ? (isDone ? this.value : undefined) : call.value;
    const request: Mutable<Request> = {
      ...{ is: 'request', t: driver.now, end: driver.now + ms, device: is.name, by, op, subject, answer },
      ...{ done: isDone, ...(told !== undefined && { value: told }) },
      ...(call.since !== undefined && { since: call.since }),
      ...(op === 'tone/start' && { loop: by === 'alert' }),
    };
    driver.entries.push(request);
    driver.open.add(request);
    return new Promise((resolve) => {
      driver.after(ms, () => {
        driver.open.delete(request);
        if (isLate) this.#carryOut(call);
        resolve({ outcome: answer, body });
      });
    });
  }

  #does({ op, subject }: Call): boolean {
    const { is } = this;
    if (op === 'files/get') return !is.lengthUnknown;
    if (op === 'emergency/start') return !is.lacks.includes(subject);
    if (op !== 'tone/start') return true;
    const isThere = !subject.startsWith('algo-') || this.files.has(`tones/${subject}`);
    return is.tone && isThere && !is.lacks.includes(subject);
  }

  #carryOut({ op, subject, value }: Call): unknown {
    if (op === 'settings/get') return { [subject]: this.value };
    if (op === 'files/list') return { filelist: [...this.files].map((path) => path.replace('tones/', '')) };
    if (op === 'info/tonelist') return { tonelist: this.driver.tones };
    if (op === 'files/get') return this.driver.contentOf(subject.replace('tones/', ''));
    if (op === 'settings/put') this.value = value ?? '';
    if (op === 'screen/text-start') this.text = subject;
    if (op === 'screen/text-stop') this.text = '';
    if (op === 'files/put') this.files.add(subject);
    if (op === 'files/delete') this.files.delete(subject);
    return undefined;
  }
}

/** A journal whose changes reach the disk a little later. A kill loses what has not reached it. */
class SlowJournal {
  readonly disk = new Map<string, Json>();

  of(driver: Driver): SharedJournal {
    const { generation } = driver;
    const memory = new Map(this.disk);
    const write = (change: (lines: Map<string, Json>) => void) => {
      change(memory);
      return new Promise<void>((resolve) => {
        driver.after(diskMs, () => {
          if (generation !== driver.generation) return;
          change(this.disk);
          resolve();
        });
      });
    };
    return {
      *entries(prefix: string) {
        for (const [key, value] of memory) if (key.startsWith(prefix)) yield [key, structuredClone(value)];
      },
      put: (key, value) => {
        const stored = structuredClone(value);
        return write((lines) => void lines.set(key, stored));
      },
      delete: (key) => write((lines) => void lines.delete(key)),
      async batch(change) {
        change();
      },
    };
  }
}

const alertOps: Record<string, string> = {
  ...{ tone: 'tone/start', call: 'call/start', emergency: 'emergency/start' },
  ...{ screen: 'screen/start', text: 'screen/text-start' },
};
const alertStops: Record<string, string> = {
  ...{ tone: 'tone/stop', call: 'call/stop', emergency: 'emergency/stop' },
  ...{ screen: 'screen/stop', text: 'screen/text-stop' },
};

/**
 * Plays a history on the announcements of a Node-RED, with devices that stand in for the real ones and a clock that
 * stands still, and writes down all that happens.
 */
export class Driver {
  readonly entries: TraceEntry[] = [];
  readonly open = new Set<Mutable<Request>>();
  readonly clock = new VirtualClock();
  /** The errors in the log, and the ends that were told twice. */
  readonly faults: string[] = [];
  readonly warnings: string[] = [];
  generation = 0;
  #room: Announcements;
  #emit: (event: string) => void = () => {};
  #isUp = true;
  #tags = 0;
  readonly #journal = new SlowJournal();
  readonly #there: Map<string, There>;
  readonly #devices: Map<string, RealDevice>;
  readonly #active = new Map<AlertProperties, readonly There[]>();
  readonly #detach = new Map<string, () => Promise<unknown>>();
  readonly #told = new Set<string>();

  constructor(private readonly world: World) {
    this.#there = new Map(world.devices.map((device) => [device.name, new There(device, this)]));
    const isAway = (name: string) => this.now < (this.#there.get(name)?.awayUntil ?? -1);
    this.#devices = new Map(world.devices.map((device) => [device.name, deviceOf(device, isAway)]));
    this.#room = this.#openRoom();
    this.#emit('flows:started');
  }

  get now(): number {
    return this.clock.now;
  }

  get tones(): string[] {
    return ['chime.wav', ...this.world.sounds.map(fileOf)];
  }

  after(ms: number, task: () => void): () => void {
    return this.clock.after(ms, task);
  }

  contentOf(name: string): Buffer {
    const lengthMs =
      name === 'chime.wav' ? 800 : this.world.sounds.find((one) => one.name === name)?.lengthMs;
    // One byte for each 100 ms.
    return wav((lengthMs ?? 0) / 1_600, { blockAlign: 1, sampleRate: 10 });
  }

  async play(steps: readonly Step[]): Promise<Trace> {
    for (const step of steps) this.clock.after(step.at, () => this.#do(step));
    const last = Math.max(0, ...steps.map(({ at }) => at));
    this.clock.after(last + 1, () => this.#end());
    for (let count = 0; count < 100_000 && this.clock.pending > 0; count += 1) {
      this.clock.step();
      await new Promise(setImmediate);
    }
    const lengthsMs = Object.fromEntries([
      ['chime.wav', 800],
      ...this.world.sounds.map((sound) => [fileOf(sound), sound.lengthMs]),
    ]);
    if (this.#journal.disk.size > this.#filesKept) this.faults.push('something is left in the journal');
    const entries = [...this.entries].sort((a, b) => a.t - b.t);
    return { devices: this.world.devices, lengthsMs, slackMs: 60, entries };
  }

  /** Tells the room that a request is about to be sent. */
  watch({ is }: There, { by, op, subject }: Call): SendingWatch | undefined {
    const device = this.#devices.get(is.name);
    if (!device) return undefined;
    const type = by === 'alert' ? alertType : by === 'own' ? announceType : 'algo-tone';
    const name = by === 'alert' ? subject : by;
    const operation = operationOf(op as Parameters<typeof operationOf>[0]);
    const parameters = op.startsWith('files/') ? { path: subject } : {};
    const turn = { happened: undefined, call: this.#callInTurn(is.name) } as unknown as Turn;
    return this.#room.noteSending({
      ...{ device, operation, operationName: op, parameters, sender: { id: name, name, type }, turn },
    });
  }

  #callInTurn(name: string) {
    return async (
      _operation: unknown,
      parameters: Record<string, unknown>,
      { operationName, withinMs }: { operationName: string; withinMs: number },
    ): Promise<Answer> => {
      const { generation } = this;
      const call = { by: 'own', ...callOf(operationName, parameters), onEnd() {} } as const;
      const answered = await this.#there.get(name)?.exchange(call, withinMs);
      if (generation !== this.generation || !answered) return new Promise(() => {});
      const error = errorOf(operationName, answered.outcome);
      if (error) throw error;
      return { statusCode: 200, body: answered.body, attempts: 1, wireMs: 1 } as unknown as Answer;
    };
  }

  get #filesKept(): number {
    return [...this.#journal.disk.keys()].filter((key) => key.startsWith('announce/files/')).length;
  }

  #openRoom(): Announcements {
    const { generation } = this;
    const whileAlive = (task: () => void) => () => {
      if (generation === this.generation) task();
    };
    const clock: Clock = {
      ...{ now: () => this.now, monotonic: () => this.now, random: () => 0 },
      after: (ms, task) => this.after(ms, whileAlive(task)),
    };
    const handlers = new Map<string, (() => void)[]>();
    const RED = {
      events: {
        on: (event: string, handler: () => void) =>
          void handlers.set(event, [...(handlers.get(event) ?? []), handler]),
      },
      log: {
        warn: (line: string) => void this.warnings.push(line),
        error: (line: string) => void this.faults.push(line),
      },
      util: { generateId: () => idOf(this.#tags) },
      settings: {},
    } as unknown as NodeAPI;
    this.#emit = (event) => {
      for (const handler of handlers.get(event) ?? []) handler();
    };
    const known = [...sendingListeners];
    const alerts = {
      holderOf: ({ id }: { readonly id: string }, output: string) => this.#holderOf(id, output) as never,
      lengthOfTone: () => undefined,
    };
    const room = new Announcements(RED, this.#journal.of(this), alerts, clock, (request) =>
      this.#send(request),
    );
    for (const listener of sendingListeners) if (!known.includes(listener)) sendingListeners.delete(listener);
    for (const node of this.world.nodes) this.#attach(room, node);
    return room;
  }

  #attach(room: Announcements, { name }: NodeProperties): void {
    const onEvent = ({ id, event, device = '' }: { id: string; event: string; device?: string }) =>
      this.#noteEnd(id, event, device);
    this.#detach.set(name, room.attach(name, { onChange: () => room.counts(name), onEvent }));
  }

  /** Each end is told once, also over a kill. */
  #noteEnd(id: string, event: string, device: string): void {
    if (event === 'queued' || event === 'started') return;
    if (this.#told.has(`${id} ${device}`)) this.faults.push(`the end of ${id} at ${device} is told twice`);
    this.#told.add(`${id} ${device}`);
  }

  #holderOf(key: string, output: string): { readonly id: string; readonly name: string } | undefined {
    for (const [alert, devices] of this.#active)
      if (devices.some(({ is }) => is.name === key) && alert.outputs.some((one) => one === output))
        return { id: alert.name, name: alert.name };
    return undefined;
  }

  #send({ device, operation, parameters, ttlMs, admission, ...how }: SendRequest): Promise<Sent> {
    const admit = () =>
      admission?.().then(
        () => true,
        () => false,
      ) ?? Promise.resolve(true);
    return new Promise((resolve) => {
      const onEnd = ({ outcome, body }: Answered) => {
        const receipt = receiptFor(device.name, operation, outcome);
        resolve({ receipt, body });
      };
      const call = callOf(operation, parameters);
      this.#there.get(device.name)?.call({
        ...{ by: 'own', ...call, isUrgent: how.isUrgent === true, yields: how.yields === true, onEnd },
        ...(admission && { admit }),
        ...(ttlMs !== undefined && Number.isFinite(ttlMs) && { expiresAt: this.now + Math.max(1, ttlMs) }),
      });
    });
  }

  #do(step: Step): void {
    if (step.kind === 'kill') this.#kill(step.forMs);
    else if (step.kind === 'away') this.#away(step);
    else if (step.kind === 'lose' || step.kind === 'refuse' || step.kind === 'slow') this.#fault(step);
    else if (!this.#isUp) return;
    else if (step.kind === 'alert') this.#alert(step);
    else if (step.kind === 'other') this.#other(step);
    else if (step.kind === 'deploy') this.#deploy(step.node);
    else this.#message(step);
  }

  #deploy(index: number): void {
    const node = this.world.nodes[index];
    if (!node) return;
    this.entries.push({ is: 'deploy', t: this.now, node: node.name });
    void this.#detach.get(node.name)?.();
    this.#attach(this.#room, node);
  }

  #message(step: Extract<Step, { targets: readonly number[] }>): void {
    this.#tags += 1;
    const node = this.world.nodes[step.node];
    if (!node) return;
    const { name } = node;
    const targets = step.targets.map((index) => this.world.devices[index]?.name ?? '');
    const sound = ('sound' in step ? this.world.sounds[step.sound] : undefined) ?? this.world.sounds[0];
    if (!sound) return;
    const isPlay = step.kind === 'play';
    const ttl = ('ttl' in step ? step.ttl : undefined) ?? node.ttl;
    const ask: Ask = {
      ...{ is: 'ask', t: this.now, tag: this.#tags, node: name, operation: step.kind, targets },
      ...(isPlay && { id: idOf(this.#tags) }),
      ...{ valid: !('bad' in step && step.bad), file: fileOf(sound), isBuffer: sound.isBuffer },
      ...{ chime: node.chime, repeat: node.repeat, intervalMs: node.interval * 1_000 },
      ...{ volume: node.volumeThere, text: 'text' in step ? step.text : '' },
      ...{ togetherMs: node.together * 1_000, overlap: node.overlap },
      ...{ priority: 'priority' in step ? step.priority : 5, ttlMs: ttl * 1_000 },
    };
    this.entries.push(ask);
    const output = { is: 'output', tag: ask.tag, receipts: [] } as const;
    const devices = targets.flatMap((one) => this.#devices.get(one) ?? []);
    if (!ask.valid) this.entries.push({ ...output, t: this.now, error: 'INVALID_PARAMETER' });
    else if (isPlay) this.#announce(ask, sound);
    else if (step.kind === 'prepare')
      void this.#room.prepareOnly(this.#requestOf(ask, sound, () => {})).then((receipts) => {
        this.entries.push({ ...output, t: this.now, receipts: receipts.map(shortOf) });
      });
    else if (step.kind === 'stop')
      void this.#room.stop(name, devices).then(() => this.entries.push({ ...output, t: this.now }));
    else {
      const state = devices.map((device) => {
        const { playing, waiting } = this.#room.playing(device);
        return { device: device.name, playing: playing?.id ?? null, waiting: waiting.map(({ id }) => id) };
      });
      this.entries.push({ ...output, t: this.now, state });
    }
  }

  #announce(ask: Ask, sound: Sound): void {
    const id = idOf(ask.tag);
    const receipts: (Receipt | undefined)[] = ask.targets.map(() => undefined);
    const { generation } = this;
    const onReceipt = (index: number, receipt: RealReceipt) => {
      if (generation !== this.generation) return;
      receipts[index] = shortOf(receipt);
      const all = receipts.filter((one) => one !== undefined);
      if (all.length === ask.targets.length)
        this.entries.push({ is: 'output', t: this.now, tag: ask.tag, id, receipts: all });
    };
    const request = this.#requestOf(ask, sound, onReceipt);
    this.#room.announce({
      ...request,
      onEvent: ({ event, device, durationMs, reason, code }) => {
        if (generation !== this.generation) return;
        this.#noteEnd(id, event, device ?? '');
        this.entries.push({
          ...{ is: 'event', t: this.now, id, event, ...(device !== undefined && { device }) },
          ...(durationMs !== null && { durationMs }),
          ...((code ?? reason) !== null && { reason: String(code ?? reason) }),
        });
      },
    });
  }

  #requestOf(ask: Ask, sound: Sound, onReceipt: AnnounceRequest['onReceipt']): AnnounceRequest {
    const { priority, overlap, repeat, intervalMs, togetherMs, ttlMs, volume, text, chime, file } = ask;
    const settings = {
      ...{ priority, overlap, repeat, intervalMs, togetherMs, toneParameters: {}, volumeSetting: undefined },
      ...{ ttlMs: ttlMs === 0 ? Number.POSITIVE_INFINITY : ttlMs, retryForSeconds: 0, split: false },
      ...{ volume: volume || undefined, text: text || undefined, chime: chime || undefined },
    };
    const targets = ask.targets.flatMap((name) => {
      const device = this.#devices.get(name);
      return device ? [{ device }] : [];
    });
    return {
      ...{ node: { id: ask.node, name: ask.node }, settings, targets, by: undefined },
      audio: sound.isBuffer ? { content: Buffer.alloc(100), file, ms: sound.lengthMs } : file,
      ...{ since: performance.now(), arrival: this.#room.nextArrival(), onReceipt },
    };
  }

  #kill(forMs: number): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.generation += 1;
    this.entries.push({ is: 'kill', t: this.now, until: this.now + forMs });
    for (const request of this.open) {
      request.answer = 'lost';
      request.end = this.now;
    }
    for (const there of this.#there.values()) there.clear();
    this.after(forMs, () => {
      this.#isUp = true;
      this.#room = this.#openRoom();
      this.#emit('flows:started');
    });
  }

  #away({ device, forMs }: Extract<Step, { kind: 'away' }>): void {
    const there = this.#device(device);
    there.awayUntil = Math.max(there.awayUntil, this.now + forMs);
    this.entries.push({ is: 'away', t: this.now, device: there.is.name, until: this.now + forMs });
  }

  #fault(step: Extract<Step, { count: number }>): void {
    const there = this.#device(step.device);
    const more = { done: 'done' in step && step.done, byMs: 'byMs' in step ? step.byMs : 0 };
    there.faults.push({ op: step.op, left: step.count, kind: step.kind, ...more });
  }

  #other({ device, op, subject }: Extract<Step, { kind: 'other' }>): void {
    const there = this.#device(device);
    const isUrgent = op.endsWith('stop') || op === 'emergency/start';
    const more = op === 'settings/put' ? { subject: there.is.setting, value: subject } : { subject };
    there.call({ by: 'other', op, ...more, isUrgent, onEnd() {} });
  }

  #alert({ alert: index, forMs }: Extract<Step, { kind: 'alert' }>): void {
    const alert = this.world.alerts[index];
    if (!alert || this.#active.has(alert)) return;
    const devices = alert.devices.flatMap((name) => this.#there.get(name) ?? []);
    this.#active.set(alert, devices);
    const each = (task: (there: There, output: AlertProperties['outputs'][number]) => void) => {
      for (const there of devices)
        for (const output of alert.outputs) if (has(there.is, output)) task(there, output);
    };
    each(({ is }, output) =>
      this.entries.push({ is: 'hold', t: this.now, device: is.name, output, alert: alert.name, on: true }),
    );
    each((there, output) => {
      const op = alertOps[output] ?? '';
      there.call({ by: 'alert', op, subject: alert.name, isUrgent: output === 'emergency', onEnd() {} });
    });
    this.after(forMs, () => this.#clear(alert, each));
  }

  #clear(
    alert: AlertProperties,
    each: (task: (there: There, output: AlertProperties['outputs'][number]) => void) => void,
  ) {
    if (!this.#active.delete(alert)) return;
    each(({ is }, output) =>
      this.entries.push({ is: 'hold', t: this.now, device: is.name, output, alert: alert.name, on: false }),
    );
    if (!this.#isUp) return;
    each((there, output) => {
      const op = alertStops[output] ?? '';
      there.call({ by: 'alert', op, subject: alert.name, isUrgent: true, onEnd() {} });
    });
  }

  /** After the last step all is well again. */
  #end(): void {
    for (const there of this.#there.values()) {
      there.faults = [];
      there.awayUntil = Math.min(there.awayUntil, this.now);
    }
  }

  #device(index: number): There {
    const there = this.#there.get(this.world.devices[index]?.name ?? '');
    if (!there) throw new Error(`there is no device ${index}`);
    return there;
  }
}

function deviceOf({ name, dryRun }: Device, isAway: (name: string) => boolean): RealDevice {
  return {
    ...{ id: name, name, where: name, address: `http://${name}`, dryRun, letDeviceDecide: false },
    identity: async () => models[name],
    get record() {
      return { reachable: isAway(name) ? false : undefined };
    },
  } as unknown as RealDevice;
}

function has({ tone, text }: Device, output: string): boolean {
  return output === 'screen' || output === 'text' ? text : tone;
}

function idOf(tag: number): string {
  return `id-${tag}`;
}

function fileOf({ isBuffer, name }: Sound): string {
  return isBuffer ? `algo-${name.replace('buffer ', '').padStart(16, '0')}.wav` : name;
}

function shortOf({ device, operation, outcome, error }: RealReceipt): Receipt {
  return { device, operation, outcome, ...(error && { code: error.code }) };
}

function callOf(op: string, parameters: Record<string, unknown>): Pick<Call, 'op' | 'subject' | 'value'> {
  if (op === 'settings/get') return { op, subject: String(parameters.name) };
  if (op === 'settings/put') {
    const [[subject, value] = ['', '']] = Object.entries(parameters);
    return { op, subject, value: String(value) };
  }
  return { op, subject: String(parameters.textContent ?? parameters.path ?? '') };
}

const codes: Partial<Record<Outcome, ErrorCode>> = {
  ...{ no: 'REFUSED', away: 'UNREACHABLE', dropped: 'SUPERSEDED', expired: 'EXPIRED', lost: 'TIMEOUT' },
};

function errorOf(op: string, outcome: Outcome): DeviceError | undefined {
  const code = codes[outcome];
  if (!code) return undefined;
  const isRead = /\/(?:get|list|tonelist)$/.test(op) || op === 'files/put';
  const lost = isRead ? 'failed' : 'unknown';
  const outcomes = { dropped: 'superseded', expired: 'expired', lost } as const;
  return new DeviceError(code, code, { outcome: outcomes[outcome as keyof typeof outcomes] ?? 'failed' });
}

function receiptFor(device: string, operationName: string, outcome: Outcome): RealReceipt {
  const error = errorOf(operationName, outcome);
  const answer = { statusCode: 200, body: undefined, attempts: 1, wireMs: 1 } as unknown as Answer;
  return receiptOf({
    ...{ device, address: '', operationName, latencyMs: 0, outcome: 'accepted', notes: undefined, error },
    ...{ by: undefined, answer: error ? undefined : answer },
  });
}
