import type { Socket } from 'node:net';
import { type Loss, now, type Request } from './history';

/** One ordinary connection and one urgent one (contract, 2.5). */
const connectionsAtMost = 2;

/** Milliseconds that a connection given up may live on beside its successor. */
const overlapMs = 1000;

/** What all devices write down. */
export class Ledger {
  readonly requests: Request[] = [];
  readonly losses: Loss[] = [];
  readonly complaints: string[] = [];
  private readonly sockets = new Map<number, Set<Socket>>();

  /** What was under way to a device from now on, or still is, may be lost. */
  lost(device: number): void {
    this.losses.push({ device, at: now() });
  }

  /** The place of what says from when to when a port was shut, or somebody else's certificate was shown. */
  away(device: number, stranger?: true): number {
    const until = Number.POSITIVE_INFINITY;
    return this.losses.push({ device, at: now(), until, ...(stranger && { stranger }) }) - 1;
  }

  back(place: number): void {
    const loss = this.losses[place];
    if (loss) this.losses[place] = { ...loss, until: now() };
  }

  /** Complains where more connections than there may be live beside each other. */
  opened(device: number, socket: Socket): void {
    const open = this.sockets.get(device) ?? new Set();
    this.sockets.set(device, open.add(socket));
    const before = [...open];
    const check = setTimeout(() => {
      const still = before.filter((one) => open.has(one)).length;
      if (still > connectionsAtMost) this.complaints.push(`${still} connections at device ${device}`);
    }, overlapMs);
    socket.once('close', () => {
      clearTimeout(check);
      open.delete(socket);
    });
  }

  /** The connections that are open now, as sentences. */
  get open(): string[] {
    return [...this.sockets].flatMap(([device, sockets]) =>
      [...sockets].map(
        ({ bytesRead, bytesWritten, readyState, destroyed, remotePort }) =>
          `a connection to device ${device} from port ${remotePort} is ${destroyed ? 'destroyed' : readyState}, ` +
          `${bytesRead} bytes read and ${bytesWritten} written`,
      ),
    );
  }
}
