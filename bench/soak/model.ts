/** What has to hold of every message, whatever its devices do (contract, sections 2.2 and 2.5). Pure functions. */

import { bounded, deliveryOf, splitOf } from './delivery';
import { endings } from './endings';
import { optional } from './flow';
import {
  type Course,
  type Deploy,
  type History,
  type Receipt,
  type Request,
  stalledMs,
  type Violation,
} from './history';
import { join, type Part } from './join';
import { orderAtOneDevice } from './order';
import { identify, wordOf } from './specs';
import { wayOf } from './ways';

const success = ['accepted', 'confirmed', 'dry-run'];
const outcomes = [...success, 'failed', 'unknown', 'skipped', 'expired', 'superseded'];
/** Codes that say that nothing was sent. */
const unsent = ['INVALID_PARAMETER', 'NOT_CONFIGURED', 'NOT_SUPPORTED', 'TLS_UNTRUSTED'];
const neverSent = [...unsent, 'EXPIRED', 'QUEUE_FULL', 'SUPERSEDED'];

/** An answer is clear when it was out so long before any time limit. */
const clearMs = 400;

/** What is written this short before or after a connection is reset may not arrive. */
const lostMs = 50;

/** By how many milliseconds clocks and their grains may differ. */
const grainMs = 20;

/** Milliseconds after which a request that was sent has been read. */
const lateMs = 250;

type Found = Omit<Violation, 'message'>;

const overlaps = (deploys: readonly Deploy[], from: number, to: number): Deploy[] =>
  deploys.filter((deploy) => deploy.from <= to && deploy.to >= from);

/** One end, and the ways that it has to be seen. */
function* ends(course: Course, deploys: readonly Deploy[]): Generator<Found> {
  const { message, ends, out, completed, caught, receipts } = course;
  const [end] = ends;
  if (!end) return yield { rule: 'one end', text: 'never ended' };
  if (ends.length > 1) yield { rule: 'one end', text: `ended ${ends.length} times` };
  const names = receipts?.map(({ device }) => device) ?? [];
  const wanted = message.targets.map(({ name }) => name);
  if (names.join() !== wanted.join()) {
    const isMixed = [...names].sort().join() === [...wanted].sort().join();
    const rule = isMixed ? 'receipts in order' : 'one receipt per target';
    yield { rule, text: `receipts of [${names}], targets are [${wanted}]` };
  }
  const good = (receipts ?? []).filter(({ outcome }) => success.includes(outcome));
  const skipped = (receipts ?? []).filter(({ outcome }) => outcome === 'skipped');
  const bad = (receipts ?? []).filter((receipt) => !good.includes(receipt) && !skipped.includes(receipt));
  const fails = bad.length > 0 || good.length === 0;
  if (end.failed !== fails) yield { rule: 'error', text: `done ${end.failed ? 'with' : 'without'} an error` };
  const codes = (bad.length > 0 ? bad : skipped).map(({ error }) => error?.code);
  const code = codes[0];
  if (fails && end.code !== code) yield { rule: 'error', text: `the error says ${end.code}, not ${code}` };
  // A deploy that replaces the nodes behind leaves nobody to see it, nor does any while it starts nodes.
  if (overlaps(deploys, course.sentAt, end.at + 100).some(({ type }) => type === 'full')) return;
  if (overlaps(deploys, end.at, end.at).length > 0) return;
  const seen = `left ${out} times, completed ${completed}, caught ${caught}`;
  yield* splitOf(course, good);
  const due = wayOf(message.node).split ? good.length : Math.min(good.length, 1);
  if (out !== due) yield { rule: 'goes on', text: seen };
  if (completed !== (fails ? 0 : 1) || caught !== (fails ? 1 : 0))
    yield { rule: 'seen by Catch', text: seen };
}

/** A receipt by itself. */
function* receiptAlone(receipt: Receipt, { spec, target }: Part): Generator<Found> {
  const { outcome, error, attempts, operation } = receipt;
  const code = error?.code ?? '';
  if (!outcomes.includes(outcome)) yield { rule: 'outcome', text: `outcome ${outcome}` };
  if (operation !== spec.operation) yield { rule: 'operation', text: `operation ${operation}` };
  if (success.includes(outcome) === (error !== undefined) && outcome !== 'skipped') {
    yield { rule: 'error', text: `${outcome} with the error ${code}` };
  }
  if (code === 'INVALID_PARAMETER') yield { rule: 'parameters', text: error?.message ?? '' };
  if (outcome === 'unknown' && attempts === 0) yield { rule: 'unknown', text: 'unknown, and never sent' };
  // What is unknown was sent, and something after it was not, for example the reload.
  if (neverSent.includes(code) && attempts > 0 && outcome !== 'unknown' && !isChanged(receipt)) {
    yield { rule: 'attempts', text: `${code} after ${attempts} attempts` };
  }
  const isNobody = target.code !== undefined && !['SUPERSEDED', 'EXPIRED', 'ABORTED'].includes(code);
  if (isNobody && (code !== target.code || attempts > 0)) {
    yield { rule: 'nobody', text: `${code} after ${attempts} attempts, ${target.code} is due` };
  }
}

/** It was sent, perhaps refused, and to be sent once more; by then its device had another certificate. */
const isChanged = ({ error, attempts }: Receipt): boolean => error?.code === 'TLS_UNTRUSTED' && attempts > 0;

const optionOf = ({ course }: Part): string | undefined => optional[course.message.node]?.[1];

const isDenied = ({ code }: Request): boolean => code === 'AUTHENTICATION';

/** The outcome against what the device knows. */
function* outcome(receipt: Receipt, part: Part, requests: readonly Request[]): Generator<Found> {
  const { outcome, error, note } = receipt;
  const isTaken = requests.some(({ taken }) => taken);
  const code = error?.code ?? '';
  if (outcome === 'failed' && isTaken) yield { rule: 'failed', text: `${code}, and it was done` };
  const isSame = optionOf(part) === 'skipUnchanged' && note !== undefined;
  if (success.includes(outcome) && outcome !== 'dry-run' && !isTaken && !isSame) {
    yield { rule: 'accepted', text: `${outcome}, and it was not done` };
  }
  const isUnsent =
    (neverSent.includes(code) && outcome !== 'unknown' && !isChanged(receipt)) || outcome === 'skipped';
  if (isUnsent && requests.length > 0) {
    yield { rule: 'nothing sent', text: `${code}, and there are ${requests.length} requests` };
  }
  if (code === 'UNREACHABLE' && part.losses.length === 0) {
    yield { rule: 'unreachable', text: 'the device was there all the time' };
  }
}

/** What a device says clearly is believed. */
function* clearAnswer(receipt: Receipt, part: Part, requests: readonly Request[]): Generator<Found> {
  const { outcome, error, response } = receipt;
  const code = error?.code ?? '';
  const [last] = requests.slice(-1);
  // Whether the device reloads after it, or comes back, is another question.
  if (!last || code === 'ABORTED' || ['waitUntilBack', 'reloadAfter'].includes(optionOf(part) ?? '')) return;
  const { answeredAt, verdict, method, path } = last;
  if (answeredAt === undefined || answeredAt - last.at > clearMs) return;
  // What is written after its connection was closed, or shortly before, does not arrive.
  if (part.losses.some(({ at }) => at > last.at - lostMs && at < answeredAt + lostMs)) return;
  if (verdict === 'yes' && !success.includes(outcome)) {
    yield { rule: 'clear answer', text: `the device said yes, the receipt ${outcome} ${code}` };
  }
  const isNo = requests.every(({ verdict }) => verdict === 'no') && receipt.attempts <= requests.length;
  if (isNo && (outcome !== 'failed' || (code !== last.code && !isChanged(receipt)))) {
    yield { rule: 'clear answer', text: `the device said ${last.code}, the receipt ${outcome} ${code}` };
  }
  const echoes = /^GET \/api\/(?:settings|soak|files)/.test(`${method} ${path}`);
  const word = wordOf(part.course.message.id);
  if (verdict === 'yes' && echoes && success.includes(outcome) && !response?.includes(word)) {
    yield { rule: 'answer', text: `got ${response}` };
  }
}

/** How often it was sent. */
function* attempts(receipt: Receipt, part: Part, requests: readonly Request[]): Generator<Found> {
  const { attempts: said } = receipt;
  const seen = requests.length;
  if (said < seen) yield { rule: 'attempts', text: `${said} attempts, ${seen} requests` };
  const withReads = optionOf(part) !== undefined;
  if (said > seen + part.losses.length && !withReads) {
    const text = `${said} attempts, ${seen} requests and ${part.losses.length} that may be lost`;
    yield { rule: 'attempts', text };
  }
  if (part.spec.repeatable) return;
  const taken = requests.filter((request) => request.taken).length;
  if (taken > 1) yield { rule: 'unsafe twice', text: `done ${taken} times` };
  const sent = requests.filter((request) => !isDenied(request)).length;
  if (sent > 1) yield { rule: 'unsafe twice', text: `sent ${sent} times` };
}

function* aborted(receipt: Receipt, { course, endAt }: Part, deploys: readonly Deploy[]): Generator<Found> {
  if (receipt.error?.code !== 'ABORTED') return;
  if (overlaps(deploys, course.sentAt, endAt).length === 0) {
    yield { rule: 'aborted', text: 'ABORTED without a deploy' };
  }
}

/**
 * What the receipt of a stop speaks of: not what is sent once more, which may come before the receipts of the
 * message's other targets.
 */
function ownOf(receipt: Receipt, { course, endAt }: Part, requests: readonly Request[]): Request[] {
  const saidAt = Math.min(endAt, course.sentAt + (receipt.latencyMs ?? Number.POSITIVE_INFINITY));
  return requests.filter(({ at }, index) => at < saidAt - grainMs || index < receipt.attempts);
}

function* ofPart(part: Part, history: History): Generator<Found> {
  const { receipt, requests, target, blurred } = part;
  const { deploys, stalls } = history;
  if (!receipt) return;
  yield* receiptAlone(receipt, part);
  yield* aborted(receipt, part, deploys);
  yield* deliveryOf(receipt, part, history);
  if (!requests || target.device === undefined || blurred) return;
  // A stop may be sent once more after its receipt; nothing else is.
  const { endAt, spec } = part;
  const until = endAt + lateMs + stalledMs(stalls, endAt - lateMs, endAt + 10 * lateMs);
  const before = requests.filter(({ at }) => at <= until);
  if (spec.role !== 'stop' && before.length < requests.length) {
    const text = `${requests.length - before.length} requests after its receipt`;
    yield { rule: 'after the end', text };
  }
  // Nobody can tell its own from what an earlier one sends once more, and tries again.
  if (part.echoed) return;
  const own = spec.role === 'stop' ? ownOf(receipt, part, before) : before;
  yield* outcome(receipt, part, own);
  yield* clearAnswer(receipt, part, own);
  yield* attempts(receipt, part, own);
}

/** Requests that nobody can have asked for. */
function* strays({ requests, courses }: History): Generator<Violation> {
  const known = new Set(courses.map(({ message: { id } }) => id));
  for (const { device, method, path, body, fault } of requests) {
    const { message } = identify(method, path, body);
    if (fault === 'badly signed') yield { rule: 'signature', text: `${method} ${path}`, device };
    if (message !== undefined && !known.has(message)) {
      yield { rule: 'stray', text: `${method} ${path} of no message`, message, device };
    }
  }
}

/** Everything in a history that must not be. */
export function judge(history: History): Violation[] {
  const { courses, deploys, complaints } = history;
  const parts = join(history);
  const of = (message: number, found: Iterable<Found>): Violation[] =>
    [...found].map((violation) => ({ ...violation, message }));
  return [
    ...courses.flatMap((course) => of(course.message.id, ends(course, deploys))),
    ...parts.flatMap((part) =>
      of(part.course.message.id, ofPart(part, history)).map((violation) => ({
        ...violation,
        ...(part.target.device !== undefined && { device: part.target.device }),
      })),
    ),
    ...orderAtOneDevice(parts, history),
    ...endings(parts, history),
    ...bounded(parts, history),
    ...strays(history),
    ...complaints.map((text) => ({ rule: 'no complaint', text })),
  ];
}
