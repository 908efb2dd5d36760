import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { readTopic } from './wire';

/**
 * Maximum number of stored messages of each site. Above this number, the oldest message of the site is
 * removed.
 */
const maxPerSite = 20_000;

/** The last message of one signer on one topic. All times are in milliseconds on the monotonic clock. */
interface SeenMessage {
  /** Number of the message, which rises with each message of a signer. */
  readonly seq: number;
  readonly receivedAt: number;
  /** Time at which the message expires, as known when the message first arrived. */
  readonly until: number;
  /** Time after which the message is rejected as too old, so that this record can be removed. */
  readonly keptUntil: number;
}

/**
 * Detects repeated messages. The broker keeps the order, so an old message after a newer message is a replay.
 */
export class ReplayDetector {
  readonly #sites = new Map<string, Map<string, SeenMessage>>();

  /**
   * @returns the last known message if the given message is the same or older; undefined for a new message
   */
  record(site: string, key: string, message: SeenMessage): SeenMessage | undefined {
    const seen = this.#sites.get(site) ?? new Map<string, SeenMessage>();
    this.#sites.set(site, seen);
    const known = seen.get(key);
    if (known && known.seq >= message.seq) return known;
    seen.delete(key);
    for (const [oldest, { keptUntil }] of seen) {
      if (keptUntil > message.receivedAt && seen.size < maxPerSite) break;
      seen.delete(oldest);
    }
    seen.set(key, message);
    return undefined;
  }
}

/** Maximum accepted difference between the clocks of two machines, in milliseconds. */
export const apartMs = 3_600_000;

/**
 * Time within which the same heartbeat can arrive several times because a client has several subscriptions,
 * in milliseconds.
 */
const twiceMs = 2_000;

export type IgnoreReason = 'unsigned' | 'wrong' | 'old' | 'ahead' | 'repeated' | 'twice';

/**
 * The result of the check of a message: the seconds until the message expires (undefined for no expiry), or
 * the reason why the message is ignored.
 */
export type MessageCheck = { readonly expiry: number | undefined } | { readonly ignoreReason: IgnoreReason };

interface SigningOptions {
  readonly prefix: string;
  /** Returns the key of a site; undefined if the messages of the site need no signature. */
  keyOf(site: string): string | undefined;
  /** Returns epoch milliseconds. An error of up to `apartMs` is tolerated. */
  wall(): number;
  monotonic(): number;
}

/** Derives the key of a site from the secret. The key is valid only for this site (docs/contract.md 2.8). */
export function keyOfSite(secret: string, site: string): string {
  return createHmac('sha256', secret).update(`algo-site:${site}`).digest('base64url');
}

const maxKeys = 10_000;

/** Returns the keys of all sites, which are derived once. */
export function keysOf(secret: string): (site: string) => string {
  const keys = new Map<string, string>();
  return (site) => {
    const key = keys.get(site) ?? keyOfSite(secret, site);
    if (keys.size < maxKeys) keys.set(site, key);
    return key;
  };
}

interface Stamp {
  /** Id of the signer, new at each start of its node. */
  readonly signer: string;
  readonly seq: number;
  /** Epoch milliseconds of the signer's clock. */
  readonly at: number;
  /** Expiry of the message in seconds; undefined for no expiry. */
  readonly expiry: number | undefined;
}

/** Matches a signature: version, signer, number, time, expiry and MAC. */
const pattern = /^1\.([\w-]{1,64})\.(\d{1,15})\.(\d{1,15})\.(\d{0,10})\.([\w-]{43})$/;

export class Signing {
  readonly #signer = randomUUID();
  readonly #replays = new ReplayDetector();
  #count = 0;

  constructor(private readonly options: SigningOptions) {}

  /** @returns undefined if the site of the topic has no key */
  sign(topic: string, payload: string, expiry: number | undefined): string | undefined {
    const key = this.#keyOf(topic);
    if (key === undefined) return undefined;
    this.#count += 1;
    const stamp = { signer: this.#signer, seq: this.#count, at: Math.round(this.options.wall()), expiry };
    return `${textOf(stamp)}.${macOf(key, topic, stamp, payload).toString('base64url')}`;
  }

  /**
   * @param expiry seconds until the message expires, according to the broker; undefined for no expiry
   * @param signature the signature as received, of any type
   */
  judge(
    topic: string,
    payload: Uint8Array | string,
    expiry: number | undefined,
    signature: unknown,
  ): MessageCheck {
    const key = this.#keyOf(topic);
    // An empty payload removes a retained message. A broker can do so without a key anyway.
    if (key === undefined || payload.length === 0) return { expiry };
    const read = pattern.exec(typeof signature === 'string' ? signature : '');
    if (!read) return { ignoreReason: 'unsigned' };
    const [, signer = '', seq, at, life, mac = ''] = read;
    const stamp = {
      signer,
      seq: Number(seq),
      at: Number(at),
      expiry: life === '' ? undefined : Number(life),
    };
    const right = macOf(key, topic, stamp, payload);
    const given = Buffer.from(mac, 'base64url');
    if (given.length !== right.length || !timingSafeEqual(given, right)) return { ignoreReason: 'wrong' };
    return this.#timely(topic, stamp, expiry);
  }

  /** The expiry that the broker reports is not enough, since a replayed message can have a new expiry. */
  #timely(topic: string, stamp: Stamp, expiry: number | undefined): MessageCheck {
    const { site, kind } = readTopic(this.options.prefix, topic) ?? { site: '', kind: 'state' };
    const ageMs = this.options.wall() - stamp.at;
    const lifeMs = (stamp.expiry ?? 0) * 1_000;
    if (ageMs < -apartMs) return { ignoreReason: 'ahead' };
    const keptMs = lifeMs + apartMs - ageMs;
    if (keptMs < 0) return { ignoreReason: 'old' };
    const now = this.options.monotonic();
    const leftMs = Math.min(lifeMs, keptMs, expiry === undefined ? lifeMs : expiry * 1_000);
    const message = {
      seq: stamp.seq,
      receivedAt: now,
      until: now + leftMs,
      // Keeps the record for another `apartMs`, since this clock might be set back in the meantime.
      keptUntil: now + keptMs + apartMs,
    };
    const known = this.#replays.record(site, `${topic} ${stamp.signer}`, message);
    if (known && known.seq > stamp.seq) return { ignoreReason: 'repeated' };
    // Some brokers deliver a message once for each matching subscription.
    if (known && kind === 'state')
      return { ignoreReason: now < known.receivedAt + twiceMs ? 'twice' : 'repeated' };
    if (stamp.expiry === undefined) return { expiry };
    const { until } = known ?? message;
    if (until <= now) return { ignoreReason: 'repeated' };
    // A job without an expiry is rejected later. For other messages, the expiry in the signature is enough.
    if (expiry === undefined && kind === 'job') return { expiry };
    return { expiry: Math.ceil((Math.min(until, message.until) - now) / 1_000) };
  }

  #keyOf(topic: string): string | undefined {
    const read = readTopic(this.options.prefix, topic);
    return read && this.options.keyOf(read.site);
  }
}

function textOf({ signer, seq, at, expiry }: Stamp): string {
  return `1.${signer}.${seq}.${at}.${expiry ?? ''}`;
}

/** Line breaks separate the signed parts, since stamp and topic contain no line breaks. */
function macOf(key: string, topic: string, stamp: Stamp, payload: Uint8Array | string): Buffer {
  return createHmac('sha256', key)
    .update(`${textOf(stamp)}\n${topic}\n`)
    .update(payload)
    .digest();
}
