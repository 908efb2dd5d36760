/** "Order at one device" (contract, 2.5). Pure functions. */
import { type History, type Request, stalledMs, type Violation } from './history';
import type { Part } from './join';

/** How long a stop waits at most for a start that is under way, less what clocks and packets may differ. */
const stopWaitsMs = 1900;

/** A start that waits when a stop comes is not sent any more; one that is about to be sent may be. */
const aboutToMs = 500;

/** How long a connection may take, and be tried again, at most. */
const connectMs = 5000;

/** Requests of two connections may be read in either order when they come together. */
const togetherMs = 50;

/** How long a device may take to say who it is, and what asks for that. */
const askMs = 2500;
const whoItIs = '/api/info/about';

type Known = Part & { readonly requests: readonly Request[] };

interface Taking {
  readonly part: Known;
  readonly at: number;
}

const sent = ({ course }: Part): number => course.sentAt;

const isAborted = ({ receipt }: Part): boolean => receipt?.error?.code === 'ABORTED';

function at(rule: string, { course, target }: Part, text: string): Violation {
  const { device } = target;
  return { rule, text, message: course.message.id, ...(device !== undefined && { device }) };
}

function about(rule: string, first: Part, second: Part, text: string): Violation {
  const name = ({ spec, course }: Part) => `${spec.name} of message ${course.message.id}`;
  return at(rule, first, `${name(first)}, ${name(second)}: ${text}`);
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
  if (late.part.spec.role === 'start' && early.part.spec.role === 'stop' && waited && underWay) {
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

/**
 * How long a start may be under way before its request is read: longer where it meets closed doors, and where the
 * device has to be asked first who it is.
 */
function underWayMs({ losses }: Known, { at, device, connection }: Request, from: number, history: History) {
  if (losses.length > 0) return connectMs;
  const isAsked = history.requests.some(
    (one) =>
      one.path === whoItIs &&
      one.device === device &&
      one.connection === connection &&
      one.at < at &&
      one.at > from - askMs,
  );
  return (isAsked ? askMs : aboutToMs) + stalledMs(history.stalls, from, at);
}

/** A stop removes the starts that still wait. */
function* removed(parts: readonly Known[], history: History): Generator<Violation> {
  for (const [index, start] of parts.entries()) {
    if (start.spec.role !== 'start') continue;
    const stop = parts.slice(index + 1).find(({ spec }) => spec.role === 'stop');
    if (start.receipt?.outcome === 'superseded') {
      if (!stop || sent(stop) > start.endAt) {
        yield at('superseded', start, `${start.spec.name} is superseded, and nothing stopped it`);
      }
      continue;
    }
    const [first] = start.requests;
    if (!stop || !first) continue;
    const late = first.at - sent(stop);
    if (late > aboutToMs && late > underWayMs(start, first, sent(stop), history)) {
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
  const { receipt, spec } = part;
  if (receipt?.outcome !== 'superseded') return;
  if (spec.role === 'start' && receipt.error?.code === 'SUPERSEDED') return;
  yield at('superseded', part, `${spec.name} is superseded with ${receipt.error?.code}`);
}

export const isUrgent = ({ spec }: Part): boolean =>
  spec.role === 'stop' || /^(?:emergency|console\/stop)/.test(spec.name);

/** Checks that messages that are not urgent come in the order of arrival, whatever their device output. */
function* arrived(parts: readonly Known[], { deploys }: History): Generator<Violation> {
  // One whose first request may be lost, or that waits for parameters or for a device to be replaced, says nothing.
  const calm = parts.filter(
    ({ course, endAt, losses, requests }) =>
      !course.message.node.startsWith('late-') &&
      losses.length === 0 &&
      requests.length > 0 &&
      !deploys.some(({ from, to }) => from <= endAt && to >= course.sentAt),
  );
  const first = ({ requests }: Known): number => requests[0]?.at ?? 0;
  let newest: Known | undefined;
  for (const part of calm.sort((one, other) => first(one) - first(other))) {
    const isLate = newest !== undefined && part.course.order < newest.course.order;
    if (newest && isLate) yield about('arrival', part, newest, 'the first arrived before the second');
    else newest = part;
  }
}

/** Those that have a name in common, in the order of the messages. */
function grouped(parts: readonly Part[], nameOf: (part: Known) => string | undefined): Known[][] {
  const groups = new Map<string, Known[]>();
  for (const part of parts) {
    const { requests, target } = part;
    if (!requests || target.device === undefined) continue;
    const known = { ...part, requests };
    const name = nameOf(known);
    const group = name === undefined ? undefined : groups.get(`${target.device} ${name}`);
    if (group) group.push(known);
    else if (name !== undefined) groups.set(`${target.device} ${name}`, [known]);
  }
  return [...groups.values()].map((group) =>
    group.sort((one, other) => one.course.order - other.course.order),
  );
}

/** The order in which each device did what belongs together, and what came one after the other. */
export function orderAtOneDevice(parts: readonly Part[], history: History): Violation[] {
  const deviceOutputs = grouped(parts, ({ spec }) => spec.deviceOutput);
  const ordinary = grouped(parts, (part) => (isUrgent(part) ? undefined : 'ordinary'));
  return [
    ...parts.flatMap((part) => [...superseded(part)]),
    ...deviceOutputs.flatMap((group) => [...inverted(group), ...removed(group, history)]),
    ...ordinary.flatMap((group) => [...arrived(group, history)]),
  ];
}
