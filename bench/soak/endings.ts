/** What `endAfter` promises (contract, 2.5): what was started is off in the end, and not before. Pure functions. */

import type { History, Request, Violation } from './history';
import type { Part } from './join';
import { isMainRequest, type OperationSpec } from './specs';
import { endingStops, wayOf } from './ways';

/** A device that ends by itself what it starts is told so in the request. */
const byItself = /"(?:duration|stopAfter)":"?2"?[,}]/;

/** Clocks' grain, and how long after its answer's end a stop of a message may come once more. */
const slackMs = 100;
const onceMoreMs = 6000;

const isStop = ({ method, path, body }: Request, stop: OperationSpec): boolean =>
  isMainRequest(stop, method, path) && (stop.body === '' || stop.body === body);

interface Event {
  readonly at: number;
  /** The start; absent where it is a stop. */
  readonly start?: Part;
  readonly request: Request;
}

function eventsOf(device: number, stop: OperationSpec, starts: readonly Part[], history: History): Event[] {
  const ends = history.requests.filter((one) => one.device === device && one.taken && isStop(one, stop));
  return [
    ...ends.map((request): Event => ({ at: request.at, request })),
    ...starts.flatMap((start) =>
      (start.requests ?? [])
        .filter(({ taken }) => taken)
        .map((request): Event => ({ at: request.at, start, request })),
    ),
  ].sort((one, other) => one.at - other.at);
}

/**
 * Starts of which nobody knows whether they were done are ended as well, from the time of their messages on. One
 * without an end takes none away: it may have come at any time, after an earlier one's end was begun as well.
 */
const unclear = (device: number, starts: readonly Part[]): Event[] =>
  starts
    .filter(
      ({ course, receipt, requests = [] }) =>
        receipt?.outcome === 'unknown' &&
        wayOf(course.message.node).endAfter !== undefined &&
        !requests.some(({ taken }) => taken),
    )
    .map((start) => {
      const at = start.requests?.at(-1)?.at ?? start.course.sentAt;
      const request: Request = {
        device,
        connection: 0,
        method: '',
        path: '',
        body: '',
        at,
        fault: '',
        taken: false,
        verdict: 'unclear',
      };
      return { at, start, request };
    });

/** The last thing that happened must be an end, where the last start wanted one. */
function stillOn(events: readonly Event[], stop: OperationSpec): Violation | undefined {
  const last = events.at(-1);
  if (!last?.start || byItself.test(last.request.body)) return undefined;
  // What a later message started, or may have, replaced what was to come.
  const { message } = last.start.course;
  const { endAfter } = wayOf(message.node);
  if (endAfter === undefined) return undefined;
  const text = `${last.start.spec.name} of message ${message.id} was never ended by ${stop.name}`;
  return { rule: 'stays on', text, message: message.id, device: last.request.device };
}

/** What nobody asked to stop is stopped no earlier than its time after the last start. */
function* tooEarly(
  events: readonly Event[],
  asked: readonly Part[],
  stop: OperationSpec,
  { losses, deploys }: History,
): Generator<Violation> {
  let started: Event | undefined;
  // Where the yes may be lost, the end is asked for once more.
  const isHeard = ({ request: { at, device, verdict } }: Event): boolean =>
    verdict === 'yes' &&
    !losses.some((loss) => loss.device === device && Math.abs(loss.at - at) < onceMoreMs) &&
    !deploys.some(({ from, to }) => from - slackMs <= at && at <= to + slackMs);
  for (const event of events) {
    if (event.start) {
      started = event;
      continue;
    }
    const isAsked = asked.some(
      ({ course, endAt }) => course.sentAt <= event.at && event.at <= endAt + onceMoreMs,
    );
    if (isAsked) continue;
    const { device } = event.request;
    const after = started && wayOf(started.start?.course.message.node ?? '').endAfter;
    const message = started?.start?.course.message.id;
    const of = { device, ...(message !== undefined && { message }) };
    if (!started || after === undefined) {
      yield { rule: 'ended for nothing', text: `${stop.name} that nobody asked for`, ...of };
    } else if (event.at - started.at < after * 1000 - slackMs) {
      const ms = (event.at - started.at).toFixed(0);
      yield { rule: 'ended early', text: `${stop.name} ${ms} ms after its start`, ...of };
    }
    if (isHeard(event)) started = undefined;
  }
}

/** Every device output of every device where what is started is ended. */
export function* endings(parts: readonly Part[], history: History): Generator<Violation> {
  for (const device of history.endings ?? []) {
    const here = parts.filter(({ target }) => target.device === device);
    for (const stop of endingStops) {
      const about = here.filter(({ spec }) => spec.deviceOutput === stop.deviceOutput);
      const starts = about.filter(({ spec }) => spec.role === 'start');
      const events = eventsOf(device, stop, starts, history);
      const found = stillOn(events, stop);
      if (found) yield found;
      const all = [...events, ...unclear(device, starts)].sort((one, other) => one.at - other.at);
      const asked = about.filter(({ spec }) => spec.role === 'stop');
      yield* tooEarly(all, asked, stop, history);
    }
  }
}
