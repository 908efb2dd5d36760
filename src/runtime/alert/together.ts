import type { Receipt } from '../action/receipt';
import { Crowd } from '../delivery/crowd';
import { usualParallel } from '../device/group';
import type { Ticket } from './place';

/** Tickets by their devices. */
export function byDevice(tickets: readonly Ticket[]): Ticket[][] {
  const devices = new Map<string, Ticket[]>();
  for (const ticket of tickets) {
    const { id, where = id } = ticket.place.device;
    devices.set(where, [...(devices.get(where) ?? []), ticket]);
  }
  return [...devices.values()];
}

/**
 * Those of many devices that are spoken to at once; undefined where there are few.
 * @param limits how many the alerts they belong to allow
 */
export function crowdOf(
  devices: readonly unknown[],
  limits: readonly (number | undefined)[],
): Crowd | undefined {
  const parallel = Math.min(...limits.map((limit) => limit ?? usualParallel));
  return devices.length > parallel ? new Crowd(parallel) : undefined;
}

/** So long, in milliseconds, one may take before the next is sent; less than a device's queue keeps a place. */
const patienceMs = 1_000;

/**
 * One after the other at a device that answers soon, and all at once at one that does not. Each has its place in the
 * order of the device's calls from now on: what is started there meanwhile comes after what ends it.
 * @param send told what has to be over before it is sent
 */
export async function inOrder(
  tickets: readonly Ticket[],
  send: (ticket: Ticket, after: Promise<unknown> | undefined) => Promise<Receipt>,
): Promise<Receipt[]> {
  let stop = () => {};
  const late = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, patienceMs).unref();
    stop = () => clearTimeout(timer);
  });
  const receipts: Promise<Receipt>[] = [];
  for (const ticket of tickets) {
    const before = receipts.at(-1);
    receipts.push(send(ticket, before && Promise.race([before, late])));
  }
  return Promise.all(receipts).finally(stop);
}
