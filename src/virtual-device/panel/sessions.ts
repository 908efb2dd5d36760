import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock';

/** What a person may do with the panel of one device. */
interface Right {
  readonly device: string;
  readonly mayChange: boolean;
  readonly until: number;
}

/** A ticket travels in an address, so it lives just long enough to be used, once. */
const ticketMs = 30_000;
export const sessionMs = 12 * 3_600_000;
const maxRights = 200;

/**
 * Access to panels. A page and its event stream carry no bearer token: an authorized call of the editor
 * gets a ticket for them, which opening the page turns into a session.
 */
export class PanelSessions {
  readonly #tickets = new Map<string, Right>();
  readonly #sessions = new Map<string, Right>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** A ticket for the panel of a device; good once, for 30 s. */
  issue(device: string, mayChange: boolean): string {
    return this.#remember(this.#tickets, { device, mayChange, until: this.#clock.now() + ticketMs });
  }

  /** Turns a ticket into a session for the same panel; nothing when it is not good any more. */
  redeem(device: string, ticket: string): string | undefined {
    const right = this.#valid(this.#tickets, device, ticket);
    this.#tickets.delete(ticket);
    return right && this.#remember(this.#sessions, { ...right, until: this.#clock.now() + sessionMs });
  }

  /** What a session allows; nothing when it is not good for this device. */
  find(device: string, session: string): { readonly mayChange: boolean } | undefined {
    return this.#valid(this.#sessions, device, session);
  }

  #valid(rights: ReadonlyMap<string, Right>, device: string, secret: string): Right | undefined {
    const right = rights.get(secret);
    return right && right.device === device && right.until > this.#clock.now() ? right : undefined;
  }

  #remember(rights: Map<string, Right>, right: Right): string {
    const now = this.#clock.now();
    for (const [secret, { until }] of rights) if (until <= now) rights.delete(secret);
    const [oldest] = rights.keys();
    if (rights.size >= maxRights && oldest !== undefined) rights.delete(oldest);
    const secret = randomBytes(24).toString('base64url');
    rights.set(secret, right);
    return secret;
  }
}
