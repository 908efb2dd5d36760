import type { Course, History, Receipt, Request } from '../../bench/soak/history';
import { judge } from '../../bench/soak/model';

/** Histories made by hand: times are milliseconds, and each message has a second of its own. */

export const device = 3;
export const name = 'Device 003';

interface Overrides {
  readonly spec: string;
  readonly node?: string;
  readonly sentAt?: number;
  readonly endAt?: number;
  readonly receipt?: Partial<Receipt>;
  readonly course?: Partial<Course>;
}

/** A message to one device, which was accepted unless something else is said. */
export function course(id: number, given: Overrides): Course {
  const { spec, node = spec.split('/')[0] ?? spec, sentAt = 1000 * id, endAt = sentAt + 100 } = given;
  const operation = spec.split(' ')[0] ?? spec;
  const receipt: Receipt = { device: name, operation, outcome: 'accepted', attempts: 1, ...given.receipt };
  const isGood = receipt.outcome === 'accepted';
  const code = receipt.error?.code;
  return {
    message: { id, node, spec, targets: [{ name, device }] },
    order: id,
    sentAt,
    ends: [{ at: endAt, failed: !isGood, ...(code !== undefined && { code }) }],
    out: isGood ? 1 : 0,
    completed: isGood ? 1 : 0,
    caught: isGood ? 0 : 1,
    receipts: [receipt],
    ...given.course,
  };
}

export const control = (path: string) => ({ method: 'POST', path: `/api/controls/${path}` });

/** A request that the device did, and said so at once, unless something else is said. */
export function request(
  at: number,
  what: { method: string; path: string },
  more: Partial<Request> = {},
): Request {
  const given = { device, connection: 1, body: '', fault: 'fine', taken: true, verdict: 'yes', at } as const;
  return { ...given, answeredAt: at + 5, ...what, ...more };
}

export const unlock = (at: number, more: Partial<Request> = {}) =>
  request(at, control('door/unlock'), { body: '{"doorid":"local"}', ...more });
export const lock = (at: number, more: Partial<Request> = {}) =>
  request(at, control('door/lock'), { body: '{"doorid":"local"}', ...more });
export const tone = (id: number, at: number, more: Partial<Request> = {}) =>
  request(at, control('tone/start'), { body: `{"path":"soak${id}z.wav","loop":false}`, ...more });

export function history(given: Partial<History>): History {
  return {
    courses: [],
    requests: [],
    losses: [],
    deploys: [],
    stalls: [],
    complaints: [],
    logs: [],
    ...given,
  };
}

export const rules = (given: Partial<History>): string[] => [
  ...new Set(judge(history(given)).map(({ rule }) => rule)),
];

export const failed = (code: string, attempts = 1): Partial<Receipt> => ({
  outcome: 'failed',
  attempts,
  error: { code, message: code },
});
export const unknown = (code: string, attempts = 1): Partial<Receipt> => ({
  ...failed(code, attempts),
  outcome: 'unknown',
});
