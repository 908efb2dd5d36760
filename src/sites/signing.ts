import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { readTopic } from './wire';

/** The maximum number that is remembered of each site; a further one replaces the oldest of that site. */
const maxPerSite = 20_000;

/** What was heard last of one signer on one topic. All times are of a clock that never jumps, in milliseconds. */
interface Heard {
  /** Each message of a signer has a higher number than the one before it. */
  readonly n: number;
  readonly heardAt: number;
  /** When its time is over, as it was told when it came first. */
  readonly until: number;
  /** From then on it is too old, and need not be remembered. */
  readonly keptUntil: number;
}

/** Which messages were heard before. A broker keeps the order, so what comes after a later one is played again. */
export class Repetitions {
  readonly #sites = new Map<string, Map<string, Heard>>();

  /** @returns what was heard before and is as late, or later; undefined where this one is new, and is remembered */
  note(site: string, key: string, message: Heard): Heard | undefined {
    const heard = this.#sites.get(site) ?? new Map<string, Heard>();
    this.#sites.set(site, heard);
    const known = heard.get(key);
    if (known && known.n >= message.n) return known;
    heard.delete(key);
    for (const [oldest, { keptUntil }] of heard) {
      if (keptUntil > message.heardAt && heard.size < maxPerSite) break;
      heard.delete(oldest);
    }
    heard.set(key, message);
    return undefined;
  }
}

/** So far may the clocks of two machines be apart, in milliseconds. */
export const apartMs = 3_600_000;

/** So soon the same sign of life comes again where a client has several subscriptions to it, in milliseconds. */
const twiceMs = 2_000;

/** Why a message counts as not said. */
export type Unsaid = 'unsigned' | 'wrong' | 'old' | 'ahead' | 'repeated' | 'twice';

/** What a message is worth: seconds left where it counts, and otherwise why it does not. */
export type Worth = { readonly expiry: number | undefined } | { readonly unsaid: Unsaid };

interface SigningOptions {
  readonly prefix: string;
  /** Undefined: this is none of the messages that have to be signed. */
  keyOf(site: string): string | undefined;
  /** Epoch milliseconds: a clock that may be an hour wrong. */
  wall(): number;
  /** Milliseconds, on a clock that never jumps. */
  monotonic(): number;
}

/** The key of a site, which speaks for that site alone (docs/contract.md 2.8). */
export function keyOfSite(secret: string, site: string): string {
  return createHmac('sha256', secret).update(`algo-site:${site}`).digest('base64url');
}

/** What a signature is over, beside the message itself. */
interface Stamp {
  /** The id of the signer, new at each start. */
  readonly signer: string;
  /** Counts what it signs. */
  readonly n: number;
  /** Epoch milliseconds, by the clock of who signs. */
  readonly at: number;
  /** Seconds; empty where it does not expire. */
  readonly expiry: number | undefined;
}

const pattern = /^1\.([\w-]{1,64})\.(\d{1,15})\.(\d{1,15})\.(\d{0,10})\.([\w-]{43})$/;

/** Signs what one node says, and tells which of what it hears counts. */
export class Signing {
  readonly #signer = randomUUID();
  readonly #repetitions = new Repetitions();
  #count = 0;

  constructor(private readonly options: SigningOptions) {}

  /** The signature that goes with a message; undefined where none has to. */
  sign(topic: string, payload: string, expiry: number | undefined): string | undefined {
    const key = this.#keyOf(topic);
    if (key === undefined) return undefined;
    this.#count += 1;
    const stamp = { signer: this.#signer, n: this.#count, at: Math.round(this.options.wall()), expiry };
    return `${textOf(stamp)}.${macOf(key, topic, stamp, payload).toString('base64url')}`;
  }

  /**
   * @param expiry seconds left, as the broker counts them
   * @param signature as it came with the message
   */
  judge(topic: string, payload: Uint8Array | string, expiry: number | undefined, signature: unknown): Worth {
    const key = this.#keyOf(topic);
    // A broker can always drop something.
    if (key === undefined || payload.length === 0) return { expiry };
    const read = pattern.exec(typeof signature === 'string' ? signature : '');
    if (!read) return { unsaid: 'unsigned' };
    const [, signer = '', n, at, life, mac = ''] = read;
    const stamp = { signer, n: Number(n), at: Number(at), expiry: life === '' ? undefined : Number(life) };
    const right = macOf(key, topic, stamp, payload);
    const given = Buffer.from(mac, 'base64url');
    if (given.length !== right.length || !timingSafeEqual(given, right)) return { unsaid: 'wrong' };
    return this.#timely(topic, stamp, expiry);
  }

  /** A broker counts what is left of a message, but whoever plays it again gives it a new time. */
  #timely(topic: string, stamp: Stamp, expiry: number | undefined): Worth {
    const { site, kind } = readTopic(this.options.prefix, topic) ?? { site: '', kind: 'state' };
    const ageMs = this.options.wall() - stamp.at;
    const lifeMs = (stamp.expiry ?? 0) * 1_000;
    if (ageMs < -apartMs) return { unsaid: 'ahead' };
    const keptMs = lifeMs + apartMs - ageMs;
    if (keptMs < 0) return { unsaid: 'old' };
    const now = this.options.monotonic();
    const leftMs = Math.min(lifeMs, keptMs, expiry === undefined ? lifeMs : expiry * 1_000);
    const message = {
      n: stamp.n,
      heardAt: now,
      until: now + leftMs,
      // This clock may be set back meanwhile.
      keptUntil: now + keptMs + apartMs,
    };
    const known = this.#repetitions.note(site, `${topic} ${stamp.signer}`, message);
    if (known && known.n > stamp.n) return { unsaid: 'repeated' };
    // Some brokers deliver once for each subscription. What is kept comes again with each of them.
    if (known && kind === 'state') return { unsaid: now < known.heardAt + twiceMs ? 'twice' : 'repeated' };
    if (stamp.expiry === undefined) return { expiry };
    const { until } = known ?? message;
    if (until <= now) return { unsaid: 'repeated' };
    // A job without an expiry is refused; of all else the signature tells it.
    if (expiry === undefined && kind === 'job') return { expiry };
    return { expiry: Math.ceil((Math.min(until, message.until) - now) / 1_000) };
  }

  #keyOf(topic: string): string | undefined {
    const read = readTopic(this.options.prefix, topic);
    return read && this.options.keyOf(read.site);
  }
}

function textOf({ signer, n, at, expiry }: Stamp): string {
  return `1.${signer}.${n}.${at}.${expiry ?? ''}`;
}

/** Neither a stamp nor a topic has a line break. */
function macOf(key: string, topic: string, stamp: Stamp, payload: Uint8Array | string): Buffer {
  return createHmac('sha256', key)
    .update(`${textOf(stamp)}\n${topic}\n`)
    .update(payload)
    .digest();
}
