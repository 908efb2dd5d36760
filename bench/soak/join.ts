/** Puts together what a message was to do at one device, what its receipt says, and what the device saw of it. */

import { optional } from './flow';
import {
  type Course,
  type History,
  type Loss,
  type Receipt,
  type Request,
  stalledMs,
  type Target,
} from './history';
import { identify, isMainRequest, keyOf, type OperationSpec, specNamed } from './specs';
import { endingStops } from './ways';

/** A message at one of its targets. */
export interface Part {
  readonly course: Course;
  readonly spec: OperationSpec;
  readonly target: Target;
  /** When the message ended; infinite: never. */
  readonly endAt: number;
  readonly receipt?: Receipt;
  /** The requests that are the operation itself, as they came; undefined: they cannot be told from others. */
  readonly requests?: readonly Request[];
  /** Its requests cannot be told from those by which Node-RED ends what was started: there are none here. */
  readonly blurred?: true;
  /** A stop of the same kind ended shortly before it that may be sent once more, and be tried again. */
  readonly echoed?: true;
  /** What may have been lost on the way to the device meanwhile. */
  readonly losses: readonly Loss[];
}

/** A clock's grain, and the time that a packet may be under way. */
const slackMs = 50;

/** The time around a moment in which stalls count. */
const learnMs = 2000;

/** How long a stop waits for a start, less what clocks may differ. */
const patienceMs = 1900;

/** How long after its message a stop may be sent once more. */
const echoMs = 6000;

/** The line of what a node with `reloadAfter` sends besides. */
const reload = 'POST /api/controls/reload ';

interface Claim {
  readonly sentAt: number;
  readonly course: Course;
  /** Whether the request is the message's own, and not sent besides. */
  readonly own: boolean;
}

function put<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Who sent what by which line, at each device: requests that do not name their message. */
function claimsOf(courses: readonly Course[]): Map<string, Claim[]> {
  const claims = new Map<string, Claim[]>();
  for (const course of courses) {
    const key = keyOf(specNamed(course.message.spec));
    const besides = optional[course.message.node]?.[1] === 'reloadAfter' ? reload : undefined;
    for (const line of [key, besides]) {
      if (line === undefined) continue;
      for (const { device } of course.message.targets) {
        if (device === undefined) continue;
        const place = `${device} ${line}`;
        put(claims, place, { sentAt: course.sentAt, course, own: line === key });
      }
    }
  }
  return claims;
}

/** The requests of each message at each device, by `message device`. */
function assign({ courses, requests }: History): Map<string, Request[]> {
  const claims = claimsOf(courses);
  const assigned = new Map<string, Request[]>();
  const specs = new Map(courses.map(({ message: { id, spec } }) => [id, specNamed(spec)]));
  for (const request of requests) {
    const { message, key } = identify(request.method, request.path, request.body);
    // Of those that look alike only one is ever under way: a request belongs to the last that was sent before it.
    const claim = claims.get(`${request.device} ${key}`)?.findLast(({ sentAt }) => sentAt <= request.at);
    const id = message ?? (claim?.own ? claim.course.message.id : undefined);
    const spec = id === undefined ? undefined : specs.get(id);
    if (id === undefined || !spec || !isMainRequest(spec, request.method, request.path)) continue;
    put(assigned, `${id} ${request.device}`, request);
  }
  return assigned;
}

/** Whether a stop may have waited for a start until it did not wait any longer. */
function mayBeSentOnceMore({ message, receipts = [] }: Course, device: number): boolean {
  const name = message.targets.find((target) => target.device === device)?.name;
  const receipt = receipts.find((one) => one.device === name);
  return (receipt?.latencyMs ?? Number.POSITIVE_INFINITY) >= patienceMs;
}

/** Stops that come shortly after another of the same kind at the same device. */
function echoedIn(courses: readonly Course[]): Set<string> {
  const echoed = new Set<string>();
  for (const [place, claims] of claimsOf(courses)) {
    const device = place.split(' ')[0];
    let endAt = Number.NEGATIVE_INFINITY;
    for (const { course, own } of claims) {
      if (!own || specNamed(course.message.spec).role !== 'stop') continue;
      if (course.sentAt < endAt + echoMs) echoed.add(`${course.message.id} ${device}`);
      if (mayBeSentOnceMore(course, Number(device)))
        endAt = Math.max(endAt, course.ends[0]?.at ?? Number.POSITIVE_INFINITY);
    }
  }
  return echoed;
}

const isBlurred = ({ endings = [] }: History, spec: OperationSpec, { device }: Target): true | undefined =>
  (device !== undefined && endings.includes(device) && endingStops.includes(spec)) || undefined;

/** All messages at all their targets, in the order of the messages. */
export function join(history: History): Part[] {
  const assigned = assign(history);
  const echoed = echoedIn(history.courses);
  const losses = new Map<number | undefined, Loss[]>();
  for (const loss of history.losses) put(losses, loss.device, loss);
  return history.courses.flatMap((course) => {
    const spec = specNamed(course.message.spec);
    const endAt = course.ends[0]?.at ?? Number.POSITIVE_INFINITY;
    // What went wrong while nothing could be done is learned of later.
    const early = slackMs + stalledMs(history.stalls, course.sentAt - learnMs, course.sentAt + learnMs);
    return course.message.targets.map((target): Part => {
      const receipt = course.receipts?.find(({ device }) => device === target.name);
      const blurred = isBlurred(history, spec, target);
      const told = spec.identity !== 'none' && target.device !== undefined;
      return {
        course,
        spec,
        target,
        endAt,
        ...(receipt && { receipt }),
        ...(told && {
          requests: (!blurred && assigned.get(`${course.message.id} ${target.device}`)) || [],
        }),
        ...(blurred && { blurred }),
        ...(echoed.has(`${course.message.id} ${target.device}`) && { echoed: true }),
        losses: (losses.get(target.device) ?? []).filter(
          ({ at, until = at }) => until >= course.sentAt - early && at <= endAt + slackMs,
        ),
      };
    });
  });
}
