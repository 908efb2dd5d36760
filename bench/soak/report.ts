/** What a person reads at the end of a run. */

import type { History, Request, Stall, Violation } from './history';
import { join } from './join';
import type { Run } from './run';
import { specs } from './specs';

/** How many violations of a rule are told in full. */
const inFull = 5;

function counted(words: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function worst(stalls: readonly Stall[]): string {
  const longest = stalls.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  return `${stalls.length} stalls, ${longest.toFixed(0)} ms at most`;
}

export function summary({ history, seconds, before, after }: Run): string {
  const { courses, requests, deploys, logs } = history;
  const receipts = courses.flatMap((course) => course.receipts ?? []);
  const asked = new Set(courses.map(({ message: { spec } }) => spec));
  const never = specs.filter(({ name }) => !asked.has(name)).map(({ name }) => name);
  return [
    `${courses.length} messages with ${receipts.length} receipts and ${requests.length} requests in ${seconds.toFixed(0)} s`,
    `outcomes: ${counted(receipts.map(({ outcome }) => outcome))}`,
    `codes: ${counted(receipts.flatMap(({ error }) => error?.code ?? []))}`,
    `answers: ${counted(requests.map(({ fault }) => fault))}`,
    `nodes: ${counted(courses.map(({ message: { node } }) => (node.includes('-') ? (node.split('-')[0] ?? '') : 'plain')))}`,
    `deploys: ${counted(deploys.map(({ type }) => type))}`,
    `log: ${logs.length} lines`,
    `heap: ${megabytes(before.heapBytes)} before, ${megabytes(after.heapBytes)} after; ${worst(history.stalls)}`,
    ...(never.length > 0 ? [`never asked: ${never.join(', ')}`] : []),
  ].join('\n');
}

/** What happened to a message at a device, in the order of time. */
function story({ message, device }: Violation, history: History, parts: ReturnType<typeof join>): string[] {
  const part = parts.find(
    ({ course, target }) =>
      course.message.id === message && (device === undefined || target.device === device),
  );
  if (!part) return [];
  const { course, spec, receipt, requests = [] } = part;
  const at = (time: number) => `${(time - course.sentAt).toFixed(1)} ms`;
  const before = (request: Request) =>
    history.requests
      .slice(0, history.requests.indexOf(request))
      .findLast((one) => one.device === request.device && one.connection === request.connection)?.fault;
  const outcome = `${receipt?.outcome} ${receipt?.error?.code ?? ''} after ${receipt?.attempts} attempts`;
  return [
    `${spec.name} by ${course.message.node} to ${part.target.name}: ${outcome}, ended at ${at(part.endAt)}`,
    ...(receipt?.error ? [receipt.error.message.slice(0, 200)] : []),
    ...requests.map(
      (request) =>
        `  ${at(request.at)} ${request.fault}${request.taken ? ', done' : ''} on connection ${request.connection} after ${before(request) ?? 'nothing'}` +
        `${request.answeredAt === undefined ? '' : `, answered ${at(request.answeredAt)}`}`,
    ),
    ...part.losses.slice(0, 5).map((loss) => `  ${at(loss.at)} closed by the device`),
    ...history.stalls
      .filter(({ from, to }) => from <= part.endAt && to >= course.sentAt)
      .map(({ from, to }) => `  ${at(from)} to ${at(to)} stalled`)
      .slice(0, 5),
    ...history.deploys
      .filter(({ from, to }) => from <= part.endAt && to >= course.sentAt)
      .map(({ type, from, to }) => `  ${at(from)} to ${at(to)} deploy of ${type}`),
  ];
}

/** Returns the other requests to the same device output at about that time, in the order of the messages. */
function company({ message, device }: Violation, parts: ReturnType<typeof join>): string[] {
  const part = parts.find(({ course, target }) => course.message.id === message && target.device === device);
  if (!part?.spec.deviceOutput) return [];
  const { course } = part;
  const at = (time: number) => `${(time - course.sentAt).toFixed(1)} ms`;
  return parts
    .filter(
      (other) =>
        other !== part &&
        other.target.device === device &&
        other.spec.deviceOutput === part.spec.deviceOutput &&
        other.course.sentAt <= part.endAt &&
        other.endAt >= course.sentAt,
    )
    .sort((one, other) => one.course.order - other.course.order)
    .map(
      (other) =>
        `  beside it ${other.spec.name} of message ${other.course.message.id} by ${other.course.message.node}, ` +
        `${at(other.course.sentAt)} to ${at(other.endAt)}: ${other.receipt?.outcome}, ` +
        `seen at ${other.requests?.map((request) => at(request.at)).join(', ') || 'no time'}`,
    );
}

/** Each violation, those of one rule together, with what is needed to look into the first. */
export function accusations(violations: readonly Violation[], history: History): string {
  if (violations.length === 0) return 'everything held';
  const parts = join(history);
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  return rules
    .flatMap((rule) => {
      const those = violations.filter((violation) => violation.rule === rule);
      const lines = those
        .slice(0, inFull)
        .flatMap((violation) => [
          `  message ${violation.message ?? '-'}, device ${violation.device ?? '-'}: ${violation.text}`,
          ...[...story(violation, history, parts), ...company(violation, parts)].map(
            (line) => `      ${line}`,
          ),
        ]);
      return [`broken: ${rule}, ${those.length} times`, ...lines];
    })
    .join('\n');
}
