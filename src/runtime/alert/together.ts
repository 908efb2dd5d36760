import { type Receipt, succeeded } from '../action/receipt';
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

/** One after the other while the device takes them; after one that it did not take, the others at once. */
export async function inOrder(
  tickets: readonly Ticket[],
  send: (ticket: Ticket) => Promise<Receipt>,
): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const [index, ticket] of tickets.entries()) {
    const receipt = await send(ticket);
    receipts.push(receipt);
    if (!succeeded(receipt)) return [...receipts, ...(await Promise.all(tickets.slice(index + 1).map(send)))];
  }
  return receipts;
}
