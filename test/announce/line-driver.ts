import type {
  Failed,
  AnnounceStep as LineStep,
  Prepared,
  StepResult,
} from '../../src/runtime/announce/announcement';
import { AnnounceEngine, type News } from '../../src/runtime/announce/engine';
import type { Entry } from '../../src/runtime/announce/entry';
import type { AnnounceTicket } from '../../src/runtime/announce/line';
import type { PutBack } from '../../src/runtime/announce/put-back';
import { VirtualClock } from '../fixtures/virtual-clock';
import type { AlertProperties, Sound, Step, World } from './model/author';
import type { Ask, Device, Receipt, Request, Trace, Entry as TraceEntry } from './model/trace';

type Answer = 'yes' | 'no' | 'lost' | 'away' | 'dropped' | 'expired';
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Call {
  readonly by: Request['by'];
  readonly op: string;
  readonly subject: string;
  readonly value?: string;
  readonly isUrgent?: boolean;
  /** Whether a start of the same output that waits goes before it. */
  readonly yields?: boolean;
  /** Asked before the first byte. */
  readonly maySend?: () => boolean;
  /** The request is not sent from then on. */
  readonly expiresAt?: number | undefined;
  /** When it came to the queue. */
  readonly since?: number;
  readonly onEnd: (answer: Answer, value: string | undefined) => void;
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
const setting = 'settings/put';
const ending = ['tone/start', 'tone/stop', 'call/start', 'call/page', 'emergency/start'];
const sounding = ['tone/start', 'call/start', 'emergency/start'];
/** How long a start that sounds waits for the volume. */
const maxWaitMs = 1_000;
const starts: Record<string, string> = { 'tone/stop': 'tone/start', 'screen/text-stop': 'screen/text-start' };

/** One device with its queue: an ordinary connection, and an urgent one. */
class There {
  value: string;
  text = '';
  awayUntil = -1;
  faults: Fault[] = [];
  readonly files = new Set<string>();
  readonly stored = new Set<string>();
  /** Uploads under way, with those who wait for them. */
  readonly uploads = new Map<string, ((answer: Answer) => void)[]>();
  readonly #waiting: Call[] = [];
  readonly #underWay = new Set<Call>();

  constructor(
    readonly is: Device,
    private readonly driver: LineDriver,
  ) {
    this.value = is.volume;
  }

  call(given: Call): void {
    const call = { ...given, since: this.driver.now };
    const start = starts[call.op];
    if (call.yields && this.#has(start)) {
      call.onEnd('dropped', undefined);
      return;
    }
    if (start) this.#drop(start);
    // A stop waits for a start under way, for 2 s at most, and is sent again after that.
    const running = [...this.#underWay].find(({ op }) => op === start);
    if (running) this.#stopAfter(running, call);
    else if (call.isUrgent) this.#send(call);
    else {
      this.#waiting.push(call);
      this.#next();
    }
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#underWay.clear();
    this.uploads.clear();
  }

  #stopAfter(running: Call, call: Call): void {
    let isSent = false;
    const send = () => {
      if (isSent) return;
      isSent = true;
      this.#send(call);
    };
    this.driver.after(2_000, send);
    const wait = () => {
      if (this.#underWay.has(running)) this.driver.after(5, wait);
      else if (isSent) this.#send({ ...call, onEnd() {} });
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
      call.onEnd('dropped', undefined);
    }
  }

  #next(): void {
    if ([...this.#underWay].some(({ isUrgent }) => !isUrgent)) return;
    const call = this.#waiting.shift();
    if (call) this.#send(call);
  }

  #send(call: Call): void {
    const { driver } = this;
    const isExpired = call.expiresAt !== undefined && driver.now >= call.expiresAt;
    if (isExpired || (call.maySend && !call.maySend())) {
      call.onEnd(isExpired ? 'expired' : 'dropped', undefined);
      this.#next();
      return;
    }
    this.#underWay.add(call);
    if (isSound(call)) this.#sendAfterVolume(call);
    else this.#sendNow(call);
  }

  #sendAfterVolume(call: Call): void {
    const { driver, is } = this;
    const { generation } = driver;
    const until = driver.now + maxWaitMs;
    driver.engine.soundBegins(is.name);
    driver.settle();
    const wait = () => {
      if (generation !== driver.generation) return;
      if (driver.engine.isPuttingBackFirst(is.name) && driver.now < until) driver.after(5, wait);
      else this.#sendNow(call);
    };
    wait();
  }

  #sendNow(call: Call): void {
    const { driver, is } = this;
    const { generation } = driver;
    const isTold = call.by !== 'own' && ending.includes(call.op);
    if (isTold && !isSound(call)) driver.engine.otherBegins(is.name);
    const end = (answer: Answer, value?: string) => {
      // A killed Node-RED hears nothing.
      if (generation !== driver.generation || !this.#underWay.delete(call)) return;
      const happened = answer === 'yes' || answer === 'lost';
      const alert = call.by === 'alert' ? call.subject : undefined;
      if (isSound(call)) driver.engine.soundEnds(is.name, happened, alert);
      else if (isTold) driver.engine.otherEnds(is.name, happened, alert);
      if (happened && call.by !== 'own' && call.op.startsWith('screen/text'))
        driver.engine.textReplaced(is.name);
      if (happened && call.by === 'alert' && ['screen/start', 'screen/text-start'].includes(call.op))
        driver.engine.screenTaken(is.name, call.subject);
      call.onEnd(answer, value);
      driver.settle();
      this.#next();
    };
    if (driver.now < this.awayUntil) {
      driver.after(refusedMs, () => end('away'));
      return;
    }
    const fault =
      call.by === 'own' ? this.faults.find(({ op, left }) => op === call.op && left > 0) : undefined;
    if (fault) fault.left -= 1;
    const isLost = fault?.kind === 'lose';
    const isDone = isLost ? fault.done : fault?.kind !== 'refuse' && this.#does(call);
    const value = isDone ? this.#carryOut(call) : undefined;
    const answer = isLost ? 'lost' : isDone ? 'yes' : 'no';
    const { by, op, subject } = call;
    const isSlow = fault?.kind === 'slow';
    const takesMs = by === 'other' && op === 'files/put' ? uploadMs : requestMs + (isSlow ? fault.byMs : 0);
    const ms = isLost ? answerLimitMs : takesMs;
    const told = call.value ?? value;
    const request: Mutable<Request> = {
      ...{ is: 'request', t: driver.now, end: driver.now + ms, device: is.name, by, op, subject, answer },
      ...{
        done: isDone,
        ...(told !== undefined && { value: told }),
        ...(call.since !== undefined && { since: call.since }),
        ...(op === 'tone/start' && { loop: by === 'alert' }),
      },
    };
    driver.entries.push(request);
    driver.after(ms, () => end(answer, value));
    driver.open.add(request);
    driver.after(ms, () => driver.open.delete(request));
  }

  #does({ op, subject }: Call): boolean {
    const { is } = this;
    if (op !== 'tone/start') return true;
    return (
      is.tone && (!subject.startsWith('algo-') || this.files.has(subject)) && !is.lacks.includes(subject)
    );
  }

  #carryOut({ op, subject, value }: Call): string | undefined {
    if (op === setting) this.value = value ?? '';
    if (op === 'screen/text-start') this.text = subject;
    if (op === 'screen/text-stop') this.text = '';
    if (op === 'files/put') this.files.add(subject.replace('tones/', ''));
    return op === 'settings/get' ? this.value : undefined;
  }
}

/** Whether an alert or an emergency sounds, so that the volume is put back first. */
function isSound({ by, op }: Call): boolean {
  return (by === 'alert' && sounding.includes(op)) || (by === 'other' && op === 'emergency/start');
}

const alertOps: Record<string, string> = {
  ...{ tone: 'tone/start', call: 'call/start', emergency: 'emergency/start' },
  ...{ screen: 'screen/start', text: 'screen/text-start' },
};
const alertStops: Record<string, string> = {
  ...{ tone: 'tone/stop', call: 'call/stop', emergency: 'emergency/stop' },
  ...{ screen: 'screen/stop', text: 'screen/text-stop' },
};

interface Play {
  readonly ask: Ask;
  readonly entry: Entry;
  readonly sound: Sound;
  readonly index: number;
  readonly receipts: (Receipt | undefined)[];
}

/** Plays a history on the engine, with devices that stand in for the real ones, and writes down all that happens. */
export class LineDriver {
  readonly entries: TraceEntry[] = [];
  readonly open = new Set<Mutable<Request>>();
  readonly clock = new VirtualClock();
  readonly journal = new Map<string, PutBack>();
  generation = 0;
  engine: AnnounceEngine;
  #isUp = true;
  #isSettling = false;
  #tags = 0;
  readonly #there: Map<string, There>;
  readonly #active = new Map<AlertProperties, readonly There[]>();
  readonly #plays = new Map<Entry, Play>();
  readonly #ids = new Map<string, Play[]>();

  constructor(private readonly world: World) {
    this.#there = new Map(world.devices.map((device) => [device.name, new There(device, this)]));
    this.engine = this.#openEngine();
    // Without a timer of its own the engine is asked at each step.
  }

  get now(): number {
    return this.clock.now;
  }

  after(ms: number, task: () => void): void {
    this.clock.after(ms, task);
  }

  play(steps: readonly Step[]): Trace {
    for (const step of steps) this.clock.after(step.at, () => this.#do(step));
    const last = Math.max(0, ...steps.map(({ at }) => at));
    this.clock.after(last + 1, () => this.#end());
    for (let count = 0; count < 200_000 && this.#advance(); count += 1);
    const lengthsMs = Object.fromEntries([
      ['chime.wav', 800],
      ...this.world.sounds.map((sound) => [fileOf(sound), sound.lengthMs]),
    ]);
    const entries = [...this.entries].sort((a, b) => a.t - b.t);
    return { devices: this.world.devices, lengthsMs, slackMs: 60, entries };
  }

  /** Goes to the next moment at which something happens. */
  #advance(): boolean {
    const next = this.#isUp ? this.engine.nextAt : Number.POSITIVE_INFINITY;
    if (this.clock.pending === 0 && !Number.isFinite(next)) return false;
    const timer = Number.isFinite(next)
      ? this.clock.after(Math.max(0, next - this.now), () => {
          this.engine.tick();
          this.settle();
        })
      : () => {};
    this.clock.step();
    timer();
    return true;
  }

  #openEngine(): AnnounceEngine {
    const clock = { now: () => this.now, monotonic: () => this.now, random: () => 0 };
    const held = (key: string, outputs: readonly string[]) => {
      for (const [alert, devices] of this.#active)
        if (devices.some(({ is }) => is.name === key) && alert.outputs.some((one) => outputs.includes(one)))
          return alert.name;
      return undefined;
    };
    return new AnnounceEngine(
      clock,
      {
        sound: (key) => held(key, ['tone', 'call', 'emergency']),
        screen: (key) => held(key, ['screen', 'text']),
        text: (key) => held(key, ['text']),
      },
      this.journal,
    );
  }

  /** Tells the news, and sends what the engine asks for. */
  settle(): void {
    if (this.#isSettling) return;
    this.#isSettling = true;
    try {
      for (;;) {
        for (const [key, back] of this.engine.takeChanges()) {
          if (back) this.journal.set(key, back);
          else this.journal.delete(key);
        }
        for (const news of this.engine.takeNews()) this.#tell(news);
        const tickets = this.engine.takeTickets();
        for (const ticket of tickets) this.#send(ticket);
        if (tickets.length === 0) break;
      }
    } finally {
      this.#isSettling = false;
    }
  }

  #send(ticket: AnnounceTicket): void {
    const { key, step, isPutBack, entry } = ticket;
    const play = entry && this.#plays.get(entry);
    const { engine } = this;
    let isHeld = false;
    const onEnd = (answer: Answer, value: string | undefined) => {
      engine.answered(ticket, isHeld ? { is: 'held' } : resultOf(answer, value));
      this.settle();
    };
    const maySend = () => {
      isHeld = !engine.maySend(ticket);
      return !isHeld;
    };
    this.#there.get(key)?.call({
      by: 'own',
      ...requestOf(step, play),
      ...(isPutBack && { isUrgent: true, yields: true }),
      ...(!isPutBack && step.kind !== 'read-volume' && { maySend }),
      ...(!isPutBack && entry?.startedAt === undefined && { expiresAt: entry?.expiresAt }),
      onEnd,
    });
  }

  #tell(news: News): void {
    if (news.kind === 'given-up' || news.kind === 'begun') return;
    if (news.kind === 'done') {
      const { id } = news.announcement;
      this.entries.push({ is: 'event', t: this.now, id, event: 'done' });
      return;
    }
    const { entry } = news;
    const play = this.#plays.get(entry);
    if (!play) return;
    if (news.kind === 'receipt') {
      const { outcome, code } = news.receipt;
      const device = entry.key;
      play.receipts[play.index] = {
        device,
        operation: 'announce/play',
        outcome,
        ...(code !== undefined && { code }),
      };
      this.#answerIfAll(play.ask, entry.announcement.id, play.receipts);
      return;
    }
    const { event, durationMs, reason } = news;
    const held = entry.notes.find(({ note }) => note === reason)?.detail;
    this.entries.push({
      ...{ is: 'event', t: this.now, id: entry.announcement.id, event, device: entry.key },
      ...(durationMs !== null && { durationMs }),
      ...(reason !== null && { reason: held ?? reason }),
    });
  }

  #answerIfAll(ask: Ask, id: string, receipts: readonly (Receipt | undefined)[]): void {
    const all = receipts.filter((receipt) => receipt !== undefined);
    if (all.length < ask.targets.length) return;
    this.entries.push({ is: 'output', t: this.now, tag: ask.tag, id, receipts: all });
  }

  #do(step: Step): void {
    if (step.kind === 'kill') this.#kill(step.forMs);
    else if (step.kind === 'away') this.#away(step);
    else if (step.kind === 'lose' || step.kind === 'refuse' || step.kind === 'slow') this.#fault(step);
    else if (!this.#isUp) return;
    else if (step.kind === 'alert') this.#alert(step);
    else if (step.kind === 'other') this.#other(step);
    else this.#ask(step);
  }

  #ask(step: Extract<Step, { node: number }>): void {
    const name = this.world.nodes[step.node]?.name ?? '';
    if (step.kind === 'deploy') {
      this.entries.push({ is: 'deploy', t: this.now, node: name });
      this.engine.stop(name, undefined, 'ABORTED');
    } else this.#message(step, name);
    this.settle();
  }

  #message(step: Extract<Step, { targets: readonly number[] }>, name: string): void {
    this.#tags += 1;
    const node = this.world.nodes[step.node];
    if (!node) return;
    const targets = step.targets.map((index) => this.world.devices[index]?.name ?? '');
    const sound = ('sound' in step ? this.world.sounds[step.sound] : undefined) ?? this.world.sounds[0];
    if (!sound) return;
    const isPlay = step.kind === 'play' || step.kind === 'prepare';
    const ttl = ('ttl' in step ? step.ttl : undefined) ?? node.ttl;
    const ask: Ask = {
      ...{ is: 'ask', t: this.now, tag: this.#tags, node: name, operation: step.kind, targets },
      ...(isPlay && { id: idOf(this.#tags) }),
      ...{ valid: !('bad' in step && step.bad), file: fileOf(sound), isBuffer: sound.isBuffer },
      ...{
        chime: node.chime,
        repeat: node.repeat,
        intervalMs: node.interval * 1_000,
        volume: node.volumeThere,
      },
      ...{ text: 'text' in step ? step.text : '', togetherMs: node.together * 1_000, overlap: node.overlap },
      ...{ priority: 'priority' in step ? step.priority : 5, ttlMs: ttl * 1_000 },
    };
    // Only the line is played here, not what prepares its devices.
    if (step.kind === 'prepare') return;
    this.entries.push(ask);
    const output = { is: 'output', t: this.now, tag: ask.tag, receipts: [] } as const;
    if (!ask.valid) this.entries.push({ ...output, error: 'INVALID_PARAMETER' });
    else if (isPlay) this.#announce(ask, sound);
    else if (step.kind === 'stop') {
      this.engine.stop(name, new Set(targets));
      this.entries.push(output);
    } else {
      const state = targets.map((device) => {
        const { playing, waiting } = this.engine.playing(device);
        return { device, playing: playing?.id ?? null, waiting: waiting.map(({ id }) => id) };
      });
      this.entries.push({ ...output, state });
    }
  }

  #announce(ask: Ask, sound: Sound): void {
    const id = idOf(ask.tag);
    const receipts: (Receipt | undefined)[] = ask.targets.map((device) =>
      this.#there.get(device)?.is.dryRun
        ? { device, operation: 'announce/play', outcome: 'dry-run' }
        : undefined,
    );
    const targets = ask.targets.flatMap((device, index) => (receipts[index] ? [] : [{ device, index }]));
    this.#answerIfAll(ask, id, receipts);
    if (targets.length === 0) return;
    const { priority, overlap, repeat, intervalMs, togetherMs, ttlMs, volume, text } = ask;
    const entries = this.engine.add(
      {
        ...{
          id,
          arrival: ask.tag,
          node: { id: ask.node, name: ask.node },
          priority,
          overlap,
          repeat,
          intervalMs,
        },
        ...{ togetherMs, ttlMs: ttlMs === 0 ? Number.POSITIVE_INFINITY : ttlMs, hasText: text !== '' },
        volume: volume === '' ? undefined : volume,
      },
      targets.map(({ device }) => ({ key: device, device: { id: device, name: device } })),
    );
    const plays = entries.map((entry, at): Play => {
      const play = { ask, entry, sound, index: targets[at]?.index ?? 0, receipts };
      this.#plays.set(entry, play);
      return play;
    });
    this.#ids.set(id, plays);
    for (const play of plays) this.#prepare(play);
  }

  #prepare({ ask, entry, sound }: Play): void {
    const there = this.#there.get(entry.key);
    if (!there || entry.phase !== 'preparing') return;
    const { is } = there;
    const shows = is.text && ask.text !== '';
    const failed = (outcome: Failed['outcome'], code: string) =>
      this.engine.unprepared(entry, { outcome, code });
    if (!is.tone && !shows) {
      failed('skipped', 'NOT_SUPPORTED');
      return;
    }
    if (sound.isBuffer && !is.put) {
      failed('failed', 'NOT_SUPPORTED');
      return;
    }
    const length = (name: string, ms: number) => (is.lengthUnknown && !name.startsWith('algo-') ? 5_000 : ms);
    const prepared: Prepared = {
      ...{ plays: is.tone, shows, setting: is.setting, audioMs: length(ask.file, sound.lengthMs) },
      ...(ask.chime !== '' && { chimeMs: length(ask.chime, 800) }),
    };
    const { engine } = this;
    if (!sound.isBuffer || there.stored.has(ask.file)) {
      engine.prepared(entry, prepared);
      return;
    }
    const waiting = there.uploads.get(ask.file);
    const onStored = (answer: Answer) => {
      if (answer === 'yes') engine.prepared(entry, prepared);
      else engine.unprepared(entry, failedBy(answer));
    };
    if (waiting) {
      waiting.push(onStored);
      return;
    }
    const all = [onStored];
    there.uploads.set(ask.file, all);
    there.call({
      ...{ by: 'own', op: 'files/put', subject: `tones/${ask.file}` },
      onEnd: (answer) => {
        there.uploads.delete(ask.file);
        if (answer === 'yes') there.stored.add(ask.file);
        for (const one of all) one(answer);
        this.settle();
      },
    });
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
      this.engine = this.#openEngine();
      this.engine.run();
      this.settle();
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
    const more = op === setting ? { subject: there.is.setting, value: subject } : { subject };
    there.call({ by: 'other', op, ...more, isUrgent, onEnd() {} });
    this.settle();
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
    this.settle();
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
      there.call({
        by: 'alert',
        op: alertStops[output] ?? '',
        subject: alert.name,
        isUrgent: true,
        onEnd() {},
      });
    });
    this.settle();
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

function has({ tone, text }: Device, output: string): boolean {
  return output === 'screen' || output === 'text' ? text : tone;
}

function idOf(tag: number): string {
  return `id-${tag}`;
}

function fileOf({ isBuffer, name }: Sound): string {
  return isBuffer ? `algo-${name.replace('buffer ', '').padStart(16, '0')}.wav` : name;
}

function failedBy(answer: Answer): Failed {
  if (answer === 'lost') return { outcome: 'failed', code: 'TIMEOUT' };
  return { outcome: 'failed', code: answer === 'no' ? 'REFUSED' : 'UNREACHABLE' };
}

function resultOf(answer: Answer, value: string | undefined): StepResult {
  if (answer === 'yes') return { is: 'done', ...(value !== undefined && { value }) };
  if (answer === 'no') return { is: 'refused', failed: failedBy(answer) };
  if (answer === 'lost') return { is: 'unknown', failed: { outcome: 'unknown', code: 'TIMEOUT' } };
  if (answer === 'expired') return { is: 'missed', failed: { outcome: 'expired', code: 'EXPIRED' } };
  if (answer === 'dropped') return { is: 'missed', failed: { outcome: 'superseded', code: 'SUPERSEDED' } };
  return { is: 'missed', failed: failedBy(answer) };
}

function requestOf(step: LineStep, play: Play | undefined): Pick<Call, 'op' | 'subject' | 'value'> {
  if (step.kind === 'read-volume') return { op: 'settings/get', subject: step.setting };
  if (step.kind === 'write-volume') return { op: setting, subject: step.setting, value: step.value };
  if (step.kind === 'show-text') return { op: 'screen/text-start', subject: play?.ask.text ?? '' };
  if (step.kind === 'remove-text') return { op: 'screen/text-stop', subject: '' };
  if (step.kind === 'stop-tone') return { op: 'tone/stop', subject: '' };
  return { op: 'tone/start', subject: (step.sound === 'chime' ? play?.ask.chime : play?.ask.file) ?? '' };
}
