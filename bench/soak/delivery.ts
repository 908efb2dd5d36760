/** Delivery options of a message (contract, 2.5: `ttl`, `retryFor`, `split`, `queueLimit`, `dryRun`). Pure functions. */
import { type Course, type Deploy, type History, type Receipt, stalledMs, type Violation } from './history';
import type { Part } from './join';
import { isUrgent } from './order';
import { retryOf, ttlOf, wayOf } from './ways';

type Found = Omit<Violation, 'message'>;

/** From the moment that a request is written until it is read, clocks' grain included. */
const slackMs = 300;

/** The longest pause between two tries. */
const pauseMs = 2200;

/** An operation that only reads. */
const isRead = ({ spec: { line } }: Part): boolean => line.startsWith('GET ');

/** What was not on the wire within its time is not sent; what is said to be too late was. */
function* inTime(receipt: Receipt, part: Part, { stalls, deploys }: History): Generator<Found> {
  const { course, spec, endAt, requests = [], losses } = part;
  const { sentAt, message } = course;
  const ttl = ttlOf(message.node, spec.name, message.ttl);
  if (receipt.outcome === 'expired') {
    if (ttl === 0) yield { rule: 'expired', text: 'expired, and it never does' };
    const early = sentAt + (ttl ?? 60) * 1000 - 5 > endAt;
    if (early) yield { rule: 'expired', text: `expired after ${(endAt - sentAt).toFixed(0)} ms of ${ttl} s` };
  }
  const [first] = requests;
  if (!first || ttl === undefined || ttl === 0 || losses.length > 0) return;
  // One that waits for a device to be replaced counts from when it is there.
  if (deploys.some(({ from, to }) => from <= first.at && to >= sentAt)) return;
  const dueAt = sentAt + ttl * 1000;
  if (first.at > dueAt + slackMs + stalledMs(stalls, sentAt, first.at)) {
    yield { rule: 'too late', text: `first sent after ${(first.at - sentAt).toFixed(0)} ms of ${ttl} s` };
  }
}

/** What was not there is tried again for as long as it is to be. */
function* triedAgain(receipt: Receipt, part: Part, { deploys }: History): Generator<Found> {
  const { course, spec, endAt, target } = part;
  const { message, sentAt } = course;
  const retry = retryOf(message.node, spec.name);
  if (receipt.error?.code !== 'UNREACHABLE' || retry === 0 || target.device === undefined) return;
  const ttl = ttlOf(message.node, spec.name, message.ttl) || Number.POSITIVE_INFINITY;
  if (deploys.some(({ from, to }) => from <= endAt && to >= sentAt)) return;
  const wanted = Math.min(retry, ttl) * 1000 - pauseMs;
  if (endAt - sentAt < wanted) {
    yield { rule: 'tried again', text: `given up after ${(endAt - sentAt).toFixed(0)} ms of ${retry} s` };
  }
}

/** A dry run sends only reads, and everything else succeeds unless it is wrong. */
function* dryRun({ outcome, error }: Receipt, part: Part): Generator<Found> {
  const { target, requests = [] } = part;
  const isDryRun = target.dryRun === true && !isRead(part);
  if (outcome === 'dry-run' && !isDryRun)
    yield { rule: 'dry run', text: 'dry run is off, and nothing was sent' };
  if (!isDryRun) return;
  if (requests.length > 0) yield { rule: 'dry run', text: `a dry run was sent ${requests.length} times` };
  if (outcome === 'accepted' || outcome === 'confirmed' || outcome === 'unknown') {
    yield { rule: 'dry run', text: `a dry run is ${outcome} ${error?.code ?? ''}` };
  }
}

/** A certificate that is not the right one is only ever found where one was shown. */
function* trusted({ error }: Receipt, { target, losses }: Part): Generator<Found> {
  if (error?.code !== 'TLS_UNTRUSTED' || target.device === undefined) return;
  if (!losses.some(({ stranger }) => stranger)) {
    yield { rule: 'untrusted', text: 'the device showed its own certificate all the time' };
  }
}

/** What a part's receipt says of its delivery. */
export function* deliveryOf(receipt: Receipt, part: Part, history: History): Generator<Found> {
  yield* inTime(receipt, part, history);
  yield* triedAgain(receipt, part, history);
  yield* dryRun(receipt, part);
  yield* trusted(receipt, part);
}

/** One message for each target that ended well, each once, with its place among all. */
export function* splitOf({ message, split = [] }: Course, good: readonly Receipt[]): Generator<Found> {
  if (!wayOf(message.node).split) return;
  const names = message.targets.map(({ name }) => name);
  const wanted = good.map(({ device }) => `${names.indexOf(device)} of ${names.length} ${device}`);
  const got = split.map(({ index, count, devices }) => `${index} of ${count} ${devices}`);
  if ([...wanted].sort().join() !== [...got].sort().join()) {
    yield { rule: 'split', text: `left as [${got.join(', ')}], due are [${wanted.join(', ')}]` };
  }
}

const at = (rule: string, { course, target }: Part, text: string): Violation => ({
  rule,
  text,
  message: course.message.id,
  ...(target.device !== undefined && { device: target.device }),
});

/** Of those that take a place in the queue; one to many targets, or that waits for a restart, leaves it unseen. */
const isCounted = (part: Part): boolean =>
  !isUrgent(part) && part.course.message.targets.length === 1 && !part.course.message.node.endsWith('-back');

const isFull = ({ receipt }: Part): boolean => receipt?.error?.code === 'QUEUE_FULL';

/** A message is refused where so many wait, and only there: those that left their place unseen may have counted. */
export function* bounded(parts: readonly Part[], { bounds = {}, deploys }: History): Generator<Violation> {
  const few = new Map(Object.entries(bounds).map(([device, most]) => [Number(device), most]));
  for (const part of parts) {
    const { device } = part.target;
    if (isFull(part) && (device === undefined || !few.has(device)))
      yield at('queue', part, 'refused where a thousand may wait');
  }
  for (const [device, most] of few) {
    const here = parts.filter(({ target }) => target.device === device);
    for (const part of here) yield* boundedOne(part, here, most, deploys);
  }
}

function* boundedOne(part: Part, here: readonly Part[], most: number, deploys: readonly Deploy[]) {
  const { order, sentAt } = part.course;
  const others = here.filter(({ course, endAt }) => course.order < order && endAt >= sentAt);
  if (isFull(part) && others.length < most) {
    yield at('queue', part, `refused, and ${others.length} were there of ${most} that may wait`);
  }
  // Receipts may come long after a place was left: a command that was sent later was definitely there.
  const waiting = others.filter(
    (other) => isCounted(other) && !isFull(other) && other.requests?.some(({ at }) => at > sentAt),
  );
  const since = waiting[0]?.course.sentAt ?? sentAt;
  const isCalm = !deploys.some(({ from, to }) => from <= part.endAt && to >= since);
  // What the model lacks is refused at once, and waits for nothing.
  const hasWaited = isCounted(part) && part.receipt?.outcome !== 'skipped';
  // One of them is under way.
  if (!isFull(part) && hasWaited && isCalm && waiting.length > most) {
    yield at('queue', part, `taken in, and ${waiting.length} were there of ${most} that may wait`);
  }
}
