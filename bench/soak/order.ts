/** "Order at one device" (contract, 2.5). Pure functions. */
import type { Request, Stall, Violation } from './history';
import type { Part } from './join';

/** How long a stop waits at most for a start that is under way, less what clocks and packets may differ. */
const stopWaitsMs = 1900;

/** A start that waits when a stop comes is not sent any more; one that is about to be sent may be. */
const aboutToMs = 500;

/** How long a connection may take, and be tried again, at most. */
const connectMs = 5000;

/** Requests of two connections may be read in either order when they come together. */
const togetherMs = 50;

type Known = Part & { readonly requests: readonly Request[] };

interface Taking {
  readonly part: Known;
  readonly at: number;
}

const sent = ({ course }: Part): number => course.sentAt;

const isAborted = ({ receipt }: Part): boolean => receipt?.error?.code === 'ABORTED';

function about(rule: string, first: Part, second: Part, text: string): Violation {
  const name = ({ deed, course }: Part) => `${deed.name} of message ${course.message.id}`;
  return {
    rule,
    text: `${name(first)}, ${name(second)}: ${text}`,
    message: first.course.message.id,
    ...(first.target.device !== undefined && { device: first.target.device }),
  };
}

/** Whether a stop went out once more after something that it did not wait for any longer. */
function isSentOnceMore({ requests, losses, receipt }: Known, at: number): boolean {
  const again = requests.some((request) => request.at > at);
  const lost = losses.some((loss) => (loss.until ?? loss.at) > at);
  return again || lost || receipt?.error?.code === 'ABORTED';
}

/** An earlier message that was done after a later one, where nothing excuses it. */
function inversion(late: Taking, early: Taking): Violation | undefined {
  if (early.at + togetherMs > late.at && (isAborted(late.part) || isAborted(early.part))) return undefined;
  const first = late.part.requests[0]?.at ?? late.at;
  const waited = (early.part.requests[0]?.at ?? 0) - sent(early.part) > stopWaitsMs;
  const underWay = first <= early.at || late.part.endAt > early.at;
  if (late.part.deed.role === 'start' && early.part.deed.role === 'stop' && waited && underWay) {
    if (isSentOnceMore(early.part, late.at)) return undefined;
    return about('order', early.part, late.part, 'the stop was not sent once more');
  }
  const ms = (late.at - early.at).toFixed(1);
  return about('order', late.part, early.part, `the first was done ${ms} ms after the second`);
}

function* inverted(parts: readonly Known[]): Generator<Violation> {
  const takings = parts
    .flatMap((part) => part.requests.filter(({ taken }) => taken).map(({ at }): Taking => ({ part, at })))
    .sort((one, other) => one.at - other.at);
  let newest: Taking | undefined;
  for (const taking of takings) {
    const isLate = newest !== undefined && taking.part.course.order < newest.part.course.order;
    const found = newest && isLate ? inversion(taking, newest) : undefined;
    if (found) yield found;
    if (!isLate) newest = taking;
  }
}

/** How long a start may be under way before its request is read: longer where it meets closed doors, or nobody. */
function underWayMs({ losses }: Known, from: number, to: number, stalls: readonly Stall[]): number {
  if (losses.length > 0) return connectMs;
  const stalled = stalls.map((stall) => Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)));
  return aboutToMs + stalled.reduce((sum, ms) => sum + ms, 0);
}

/** A stop removes the starts that still wait. */
function* removed(parts: readonly Known[], stalls: readonly Stall[]): Generator<Violation> {
  for (const [index, start] of parts.entries()) {
    if (start.deed.role !== 'start') continue;
    const stop = parts.slice(index + 1).find(({ deed }) => deed.role === 'stop');
    if (start.receipt?.outcome === 'superseded') {
      if (!stop || sent(stop) > start.endAt) {
        const text = `${start.deed.name} is superseded, and nothing stopped it`;
        yield { rule: 'superseded', text, message: start.course.message.id };
      }
      continue;
    }
    const [first] = start.requests;
    if (!stop || !first) continue;
    const late = first.at - sent(stop);
    if (late > underWayMs(start, sent(stop), first.at, stalls)) {
      yield about(
        'removed',
        start,
        stop,
        `the start was first sent ${late.toFixed(0)} ms after the stop came`,
      );
    }
  }
}

function* superseded(part: Part): Generator<Violation> {
  const { receipt, deed, course } = part;
  if (receipt?.outcome !== 'superseded') return;
  const wrong = deed.role !== 'start' || receipt.error?.code !== 'SUPERSEDED';
  if (!wrong) return;
  const text = `${deed.name} is superseded with ${receipt.error?.code}`;
  yield { rule: 'superseded', text, message: course.message.id };
}

/** The order in which each device did what belongs together. */
export function orderAtOneDevice(parts: readonly Part[], stalls: readonly Stall[]): Violation[] {
  const groups = new Map<string, Known[]>();
  for (const part of parts) {
    const { requests, deed, target } = part;
    if (!requests || deed.subject === undefined || target.device === undefined) continue;
    const place = `${target.device} ${deed.subject}`;
    groups.set(place, [...(groups.get(place) ?? []), { ...part, requests }]);
  }
  const found = [...groups.values()].map((group) =>
    group.sort((one, other) => one.course.order - other.course.order),
  );
  return [
    ...parts.flatMap((part) => [...superseded(part)]),
    ...found.flatMap((group) => [...inverted(group), ...removed(group, stalls)]),
  ];
}
