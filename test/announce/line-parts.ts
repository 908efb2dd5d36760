import type {
  Announcement,
  AnnounceStep,
  Failed,
  NamedDevice,
  Prepared,
  StepResult,
} from '../../src/runtime/announce/announcement';
import { AnnounceEngine, type News } from '../../src/runtime/announce/engine';
import type { Entry } from '../../src/runtime/announce/entry';
import type { AnnounceTicket } from '../../src/runtime/announce/line';
import type { PutBack } from '../../src/runtime/announce/put-back';

export const horn: NamedDevice = { id: 'horn', name: 'The horn' };
export const hall: NamedDevice = { id: 'hall', name: 'The hall' };

type Answering = (ticket: AnnounceTicket) => StepResult | undefined;

const missed: Failed = { outcome: 'failed', code: 'UNREACHABLE' };
export const away: StepResult = { is: 'missed', failed: missed };
export const lost: StepResult = { is: 'unknown', failed: { outcome: 'unknown', code: 'TIMEOUT' } };
export const refused: StepResult = { is: 'refused', failed: { outcome: 'failed', code: 'REFUSED' } };

/** A message to an announcement node, with the engine's usual values for what a test does not name. */
export interface Asked extends Partial<Omit<Announcement, 'node'>> {
  readonly node?: string;
  readonly at?: readonly NamedDevice[];
  /** Whether the test itself prepares the targets. */
  readonly isPreparedLater?: boolean;
  readonly prepared?: Partial<Prepared>;
}

/**
 * Devices that immediately carry out the requests of the engine. All that happens is in `log`: requests
 * with their device, and events with their announcement.
 */
export class LineWorld {
  now = 0;
  readonly log: string[] = [];
  readonly volumes = new Map<string, string>([
    ['horn', '-30dB'],
    ['horn of audio.vol.spk', '-9dB'],
    ['hall', '-30dB'],
  ]);
  readonly texts = new Set<string>();
  readonly journal = new Map<string, PutBack>();
  /** Changes the answer of a device; undefined to answer later with `answer`. */
  answers: (ticket: AnnounceTicket) => StepResult | 'later' | undefined = () => undefined;
  heldSound: string | undefined;
  heldScreen: string | undefined;
  heldText: string | undefined;
  engine: AnnounceEngine;
  readonly open: AnnounceTicket[] = [];
  #ids = 0;

  constructor() {
    this.engine = this.#open();
  }

  #open(): AnnounceEngine {
    const clock = { now: () => this.now, monotonic: () => this.now, random: () => 0 };
    const holds = {
      sound: () => this.heldSound,
      screen: () => this.heldScreen ?? this.heldText,
      text: () => this.heldText,
    };
    return new AnnounceEngine(clock, holds, this.journal);
  }

  /** Node-RED is killed and starts again. */
  restart(): void {
    this.open.length = 0;
    this.engine = this.#open();
    this.engine.run();
    this.settle();
  }

  add({ node = 'one', at = [horn], isPreparedLater = false, prepared, ...asked }: Asked = {}): Entry[] {
    this.#ids += 1;
    const announcement: Announcement = {
      ...{
        id: `a${this.#ids}`,
        arrival: this.#ids,
        node: { id: node, name: node },
        priority: 5,
        overlap: 'queue',
        repeat: 1,
      },
      ...{ intervalMs: 2_000, togetherMs: 5_000, ttlMs: 600_000, hasText: false },
      ...asked,
    };
    const targets = at.map((device) => ({ key: device.id, device }));
    const entries = this.engine.add(announcement, targets);
    this.settle();
    if (!isPreparedLater) for (const entry of entries) this.prepare(entry, prepared);
    return entries;
  }

  prepare(entry: Entry, prepared: Partial<Prepared> = {}): void {
    const whole = { plays: true, shows: true, setting: 'audio.page.vol', audioMs: 10_000, ...prepared };
    this.engine.prepared(entry, whole);
    this.settle();
  }

  /** Does all that the engine asks for, until it asks for nothing more. */
  settle(): void {
    for (;;) {
      this.#take();
      const tickets = this.engine.takeTickets();
      for (const ticket of tickets) this.#send(ticket);
      if (tickets.length === 0) break;
    }
    this.#take();
  }

  #send(ticket: AnnounceTicket): void {
    const { key, step, isPutBack } = ticket;
    const result = this.answers(ticket);
    this.log.push(`${key} ${ticket.isFirst ? 'first ' : ''}${isPutBack ? 'back ' : ''}${wordsOf(step)}`);
    if (result === 'later') {
      this.open.push(ticket);
      return;
    }
    this.engine.answered(ticket, result ?? this.carryOut(ticket));
  }

  /** Answers the request that was left open last, or the only one. */
  answer(result?: StepResult): void {
    const ticket = this.open.shift();
    if (!ticket) throw new Error('no request is open');
    this.engine.answered(ticket, result ?? this.carryOut(ticket));
    this.settle();
  }

  /** The reaction of a device to a request. */
  carryOut({ key, step }: AnnounceTicket): StepResult {
    if (step.kind === 'read-volume')
      return { is: 'done', value: this.volumes.get(`${key}${otherIn(step)}`) ?? '' };
    if (step.kind === 'write-volume') this.volumes.set(`${key}${otherIn(step)}`, step.value);
    if (step.kind === 'show-text') this.texts.add(key);
    if (step.kind === 'remove-text') this.texts.delete(key);
    return { is: 'done' };
  }

  /** Lets time pass, and does what is due meanwhile. */
  advance(ms: number): void {
    const until = this.now + ms;
    for (let next = this.engine.nextAt; next <= until; next = this.engine.nextAt) {
      this.now = Math.max(this.now, next);
      this.engine.tick();
      this.settle();
    }
    this.now = until;
  }

  #take(): void {
    for (const [key, back] of this.engine.takeChanges()) {
      if (back) this.journal.set(key, back);
      else this.journal.delete(key);
    }
    for (const news of this.engine.takeNews()) this.log.push(newsOf(news));
  }

  /** Events since the last call. */
  look(): string[] {
    return this.log.splice(0);
  }

  do(task: (engine: AnnounceEngine) => void): string[] {
    task(this.engine);
    this.settle();
    return this.look();
  }
}

/** Answers requests of one kind. */
export function onStep(kind: AnnounceStep['kind'], result: StepResult | 'later'): LineWorld['answers'] {
  return ({ step }) => (step.kind === kind ? result : undefined);
}

function wordsOf(step: AnnounceStep): string {
  if (step.kind === 'read-volume') return `read${otherIn(step)}`;
  if (step.kind === 'write-volume') return `write ${step.value}${otherIn(step)}`;
  if (step.kind === 'start-tone') return `plays ${step.sound}`;
  return { 'show-text': 'text on', 'remove-text': 'text off', 'stop-tone': 'stop' }[step.kind];
}

/** Names the setting of a volume, if it is not the usual one. */
function otherIn({ setting }: { readonly setting: string }): string {
  return setting === 'audio.page.vol' ? '' : ` of ${setting}`;
}

function newsOf(news: News): string {
  if (news.kind === 'given-up') return 'given up';
  if (news.kind === 'begun' || news.kind === 'done') return `${news.announcement.id} ${news.kind}`;
  const { entry } = news;
  const name = `${entry.announcement.id}@${entry.key}`;
  if (news.kind === 'receipt') {
    const { outcome, code } = news.receipt;
    return `${name} receipt ${outcome}${code ? ` ${code}` : ''}`;
  }
  const { event, durationMs, reason } = news;
  return [name, event, durationMs, reason].filter((part) => part !== null).join(' ');
}

export type { Answering };
