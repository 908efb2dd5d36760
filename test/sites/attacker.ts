import { keyOfSite, Signing } from '../../src/sites/signing';
import { type Kind, kinds, topicOf } from '../../src/sites/wire';
import { prefix, site } from './instance';
import type { Packet } from './toy-broker';

/** The secret of the centre of all histories, which the attacker does not know. */
export const secret = 'the centre alone';

const at = '2026-11-22T00:00:00.000Z';

/** Somebody who reads and writes everything on the broker, and has the key of another site. */
export class Attacker {
  readonly #seen: Packet[] = [];
  #count = 0;
  #now = 0;
  readonly #own = new Signing({
    prefix,
    keyOf: () => keyOfSite(secret, 'south'),
    wall: () => this.#now,
    monotonic: () => this.#now,
  });

  constructor(private readonly dice: () => number) {}

  note(packet: Packet): void {
    if (packet.payload !== '') this.#seen.push(packet);
  }

  /** What it says next. It overwrites nothing that is kept, since a broker can always drop something. */
  think(now: number, jobs: readonly string[]): Packet {
    this.#now = now;
    const { dice } = this;
    const expiresAt = now + (1 + Math.floor(dice() * 100)) * 1_000;
    const packet = this.#seen[Math.floor(dice() * this.#seen.length)];
    const job = jobs[Math.floor(dice() * jobs.length)] ?? 'none';
    const what = dice();
    // A job that is kept can be given, up to an hour late, to who has not seen it: its time is left as it is here.
    const isJob = packet?.topic.includes('/job/');
    const again = packet && { ...packet, retain: false, expiresAt: isJob ? packet.expiresAt : expiresAt };
    if (again && what < 0.5) return again;
    if (again && what < 0.6) {
      const kind = kinds[Math.floor(dice() * kinds.length)] as Kind;
      return { ...again, topic: topicOf(prefix, { site, kind, id: job }) };
    }
    return { ...this.#forged(what, job), retain: false, expiresAt };
  }

  #forged(what: number, job: string): Pick<Packet, 'topic' | 'payload' | 'signature'> {
    this.#count += 1;
    const own = { v: 2, instance: `evil${this.#count}`, nodeId: 'evil' };
    if (what < 0.7) {
      const receipt = { address: '', operation: 'x/y', outcome: 'confirmed', attempts: 1, latencyMs: 1, at };
      const receipts = ['a', 'b', 'c'].map((device) => ({ ...receipt, device }));
      return this.#signed('result', job, { ...own, nodeId: undefined, at, receipts });
    }
    if (what < 0.8) return this.#signed('claim', job, { ...own, seq: 1 });
    if (what < 0.9) return this.#signed('state', own.instance, { ...own, rank: 0, seq: 1, ready: true });
    const id = `evil${this.#count}`;
    const command = { operation: 'x/safe', parameters: {} };
    return this.#signed('job', id, { v: 2, id, site, at, command, devices: ['a'] });
  }

  #signed(kind: Kind, id: string, message: object): Pick<Packet, 'topic' | 'payload' | 'signature'> {
    const topic = topicOf(prefix, { site, kind, id });
    const payload = JSON.stringify(message);
    return { topic, payload, signature: this.dice() < 0.5 ? this.#own.sign(topic, payload, 100) : undefined };
  }
}
