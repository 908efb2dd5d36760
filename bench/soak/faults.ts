/** What a device may make of a request that it has read. */
import type { Verdict } from './history';
import type { Random } from './random';

/** A request on its connection, with all that a fault can do to it. */
export interface Exchange {
  readonly random: Random;
  /** What the device says when it does what it is asked. */
  readonly body: Buffer;
  /** Milliseconds that the package waits for an answer; a minute or two where it is patient. */
  readonly limitMs: number;
  readonly patient: boolean;
  /** The device's clock, as a header has it. */
  readonly date: string;
  write(bytes: string | Buffer): void;
  /** The answer is out, to its last byte: the connection waits for the next request. */
  done(): void;
  /** Unless another request comes before, or the connection is closed. */
  idle(ms: number, act: () => void): void;
  /** Unless the connection is closed before. */
  later(ms: number, act: () => void): NodeJS.Timeout;
  end(): void;
  reset(): void;
}

export interface Fault {
  readonly name: string;
  readonly weight: number;
  /** Whether the device does it; undefined: sometimes. */
  readonly taken?: boolean;
  readonly verdict: Verdict;
  /** What it is on a connection that was used before. */
  readonly verdictLater?: Verdict;
  /** The error code of a refusal. */
  readonly code?: string;
  readonly play: (exchange: Exchange) => void;
}

const html = '<html><head><title>Oops</title></head><body><h1>It <b>went</b> wrong</h1></body></html>';

function headOf(status: number, length: number, date: string, extra = ''): string {
  const type = length > 0 ? 'Content-Type: application/json\r\n' : '';
  return `HTTP/1.1 ${status} Whatever\r\nDate: ${date}\r\n${type}${extra}Content-Length: ${length}\r\n\r\n`;
}

/** A whole answer. */
function answer(exchange: Exchange, status: number, body: string | Buffer, extra = ''): void {
  const bytes = Buffer.from(body);
  exchange.write(Buffer.concat([Buffer.from(headOf(status, bytes.length, exchange.date, extra)), bytes]));
  exchange.done();
}

const fine = (exchange: Exchange) => answer(exchange, 200, exchange.body);

/** Byte by byte, within a part of the time limit. */
function dribble(exchange: Exchange): void {
  const bytes = Buffer.concat([
    Buffer.from(headOf(200, exchange.body.length, exchange.date)),
    exchange.body,
  ]).subarray(0, 400);
  const whole = bytes.length < 400;
  const next = (at: number): void => {
    if (at < bytes.length) {
      exchange.write(bytes.subarray(at, at + 8));
      exchange.later(2, () => next(at + 8));
    } else if (whole) exchange.done();
    else exchange.reset();
  };
  next(0);
}

/** Never an answer; where the package would wait for minutes, the connection breaks instead. */
function silence(exchange: Exchange): void {
  if (exchange.patient) exchange.later(exchange.random.between(100, 2600), () => exchange.reset());
}

function endless(exchange: Exchange): void {
  exchange.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const next = (left: number): void => {
    exchange.write(chunk);
    exchange.later(1, () => (left > 0 ? next(left - 1) : exchange.reset()));
  };
  next(700);
}

interface Refusal {
  readonly name?: string;
  readonly code?: string;
  readonly body?: string;
  readonly extra?: string;
}

function refusal(status: number, weight: number, more: Refusal = {}): Fault {
  const { name, code = 'REFUSED', body = '{"error":"no"}', extra } = more;
  return {
    name: name ?? String(status),
    weight,
    taken: false,
    verdict: 'no',
    code,
    play: (exchange) => answer(exchange, status, body, extra),
  };
}

/** The refusal of somebody who may not ask. */
export const denied = (name: string): Fault => refusal(403, 0, { name, code: 'AUTHENTICATION' });

const yes = (name: string, weight: number, play: Fault['play']): Fault => ({
  name,
  weight,
  taken: true,
  verdict: 'yes',
  play,
});

/** Nobody can tell from outside; `taken` where the device knows. */
const unclear = (name: string, weight: number, play: Fault['play'], taken?: boolean): Fault => ({
  name,
  weight,
  verdict: 'unclear',
  ...(taken !== undefined && { taken }),
  play,
});

/** What comes on a connection that the device has ended already. */
export const tooLate: Fault = unclear('too late', 0, () => {}, false);

/** How a device answers when nothing is wrong. */
export const fair: readonly Fault[] = [
  yes('fine', 70, fine),
  yes('slow', 20, (exchange) => exchange.later(exchange.random.between(5, 120), () => fine(exchange))),
  yes('dribbled', 3, dribble),
  yes('says close', 4, (exchange) => {
    answer(exchange, 200, exchange.body, 'Connection: close\r\n');
    exchange.end();
  }),
  yes('chunked', 3, (exchange) => {
    const { body } = exchange;
    const part = body.length > 0 ? `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n` : '';
    const head = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    exchange.write(Buffer.from(`HTTP/1.1 200 OK\r\n${head}${part}0\r\n\r\n`, 'latin1'));
    exchange.done();
  }),
];

export const faults: readonly Fault[] = [
  refusal(400, 3),
  refusal(400, 2, { name: '400 as a page', body: html }),
  refusal(401, 2, { code: 'AUTHENTICATION' }),
  refusal(403, 2, { code: 'AUTHENTICATION', body: html }),
  refusal(404, 2),
  refusal(405, 1),
  // On a connection that was used before, it may say that this was idle for too long.
  { ...refusal(408, 2, { body: '', extra: 'Connection: close\r\n' }), verdictLater: 'unclear' },
  refusal(501, 1),
  refusal(503, 3),
  refusal(400, 1, { name: '400 of two types', extra: 'Content-Type: text/plain\r\n' }),
  refusal(400, 0.1, { name: '400 without end', body: '['.repeat(200_000) }),
  refusal(400, 0.1, { name: '400 of tags', body: '<a<<'.repeat(25_000) }),
  unclear('500', 4, (exchange) => answer(exchange, 500, html)),
  unclear(
    'redirect',
    2,
    (exchange) => answer(exchange, 307, '', 'Location: https://127.0.0.1:1/api\r\n'),
    false,
  ),
  unclear(
    'overdue',
    3,
    (exchange) => {
      const wait = exchange.patient ? 2400 : exchange.limitMs * 0.9;
      exchange.later(exchange.random.between(wait * 0.8, wait * 1.4), () => fine(exchange));
    },
    true,
  ),
  unclear('silent', 3, silence),
  unclear('reset unread', 4, (exchange) => exchange.reset(), false),
  unclear('reset after reading', 5, (exchange) => exchange.reset(), true),
  unclear('closed after reading', 4, (exchange) => exchange.end(), true),
  unclear(
    'reset in the answer',
    4,
    (exchange) => {
      exchange.write(`${headOf(200, 100, exchange.date)}{"half`);
      exchange.later(5, () => exchange.reset());
    },
    true,
  ),
  unclear(
    'closed in the head',
    2,
    (exchange) => {
      exchange.write('HTTP/1.1 200 O');
      exchange.later(1, () => exchange.end());
    },
    true,
  ),
  unclear('garbage', 3, (exchange) => {
    exchange.write(Buffer.from(Array.from({ length: 60 }, () => exchange.random.between(0, 255))));
    exchange.later(20, () => exchange.end());
  }),
  unclear('half JSON', 2, (exchange) => answer(exchange, 200, '{"half": [1, '), true),
  unclear(
    'more than promised',
    2,
    (exchange) => {
      exchange.write(`${headOf(200, 2, exchange.date)}{} and more of it`);
      exchange.done();
    },
    true,
  ),
  unclear(
    'two answers',
    2,
    (exchange) => {
      // In one piece: what comes after the next request was sent cannot be told from its answer.
      exchange.write(`${headOf(200, 0, exchange.date)}${headOf(200, 0, exchange.date)}`);
      exchange.done();
    },
    true,
  ),
  unclear(
    'two types',
    1,
    (exchange) => answer(exchange, 200, exchange.body, 'Content-Type: text/x\r\n'),
    true,
  ),
  unclear(
    'continue',
    2,
    (exchange) => {
      exchange.write('HTTP/1.1 100 Continue\r\n\r\n');
      exchange.later(3, () => fine(exchange));
    },
    true,
  ),
  unclear('endless', 0.05, endless, true),
  yes('then an idle 408', 2, (exchange) => {
    fine(exchange);
    exchange.idle(15, () => {
      exchange.write(headOf(408, 0, exchange.date, 'Connection: close\r\n'));
      exchange.end();
    });
  }),
  yes('then closed', 3, (exchange) => {
    fine(exchange);
    exchange.idle(exchange.random.between(0, 10), () => exchange.end());
  }),
];
