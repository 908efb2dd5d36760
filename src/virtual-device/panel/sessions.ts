import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock';

interface Right {
  readonly device: string;
  readonly mayChange: boolean;
  readonly until: number;
}

/** Lifetime of a ticket in milliseconds: short, since a ticket is part of a URL. */
const ticketMs = 30_000;
export const sessionMs = 12 * 3_600_000;

/**
 * Manages the access to panels. A page and its event stream cannot send a bearer token, so the editor
 * requests a ticket with the user's token. Opening the page with the ticket starts a session.
 */
export class PanelSessions {
  readonly #tickets = new Map<string, Right>();
  readonly #sessions = new Map<string, Right>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Issues a ticket for the panel of a device. The ticket is valid once, for 30 s. */
  issue(device: string, mayChange: boolean): string {
    return this.#keep(this.#tickets, device, mayChange, ticketMs);
  }

  redeem(device: string, ticket: string): string | undefined {
    const right = this.#valid(this.#tickets, device, ticket);
    this.#tickets.delete(ticket);
    return right && this.#keep(this.#sessions, device, right.mayChange, sessionMs);
  }

  find(device: string, session: string): Right | undefined {
    return this.#valid(this.#sessions, device, session);
  }

  #valid(rights: ReadonlyMap<string, Right>, device: string, secret: string): Right | undefined {
    const right = rights.get(secret);
    return right && right.device === device && right.until > this.#clock.now() ? right : undefined;
  }

  #keep(rights: Map<string, Right>, device: string, mayChange: boolean, ms: number): string {
    const now = this.#clock.now();
    for (const [secret, { until }] of rights) if (until <= now) rights.delete(secret);
    const secret = randomBytes(24).toString('base64url');
    rights.set(secret, { device, mayChange, until: now + ms });
    return secret;
  }
}
