import type * as Undici from 'undici';
import { callSeconds, maxAnswerBytes } from '../choices';
import type { PreparedCall } from './call';
import { type CallAnswer, CallError } from './result';

/**
 * Redirects are not followed.
 * @param signal ends the call
 * @throws CallError if no complete answer arrived
 */
export async function exchange(call: PreparedCall, signal: AbortSignal): Promise<CallAnswer> {
  const { origin, isLoopback, method, path, headers, body = null } = call;
  // Loaded on demand: most devices send no calls.
  const { Client } = require('undici') as typeof Undici;
  // On a loopback address, no other computer can answer, so the certificate is not verified.
  const connect = { timeout: callSeconds * 1000, rejectUnauthorized: !isLoopback };
  const client = new Client(origin, { connect });
  let isConnected = false;
  client.once('connect', () => {
    isConnected = true;
  });
  const end = (): void => void client.destroy().catch(() => undefined);
  // The client also ends a connection that is not established yet; the option `signal` of a request does not.
  signal.addEventListener('abort', end);
  try {
    // `reset` asks the server to close the connection.
    const answer = await client.request({ method, path, headers: headers.flat(), body, reset: true });
    return { status: answer.statusCode, body: await startOf(answer.body) };
  } catch (error) {
    throw failureOf(error as NodeJS.ErrnoException, isConnected, signal);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Copies the chunks, since each chunk holds all that arrived with it. */
async function startOf(body: AsyncIterable<Buffer>): Promise<string> {
  const start = Buffer.allocUnsafe(maxAnswerBytes);
  let length = 0;
  for await (const chunk of body) {
    length += chunk.copy(start, length);
    if (length === maxAnswerBytes) break;
  }
  return start.toString('utf8', 0, length);
}

function failureOf(
  { name, code = '', message }: NodeJS.ErrnoException,
  isConnected: boolean,
  signal: AbortSignal,
): CallError {
  const reason = code === '' || code.startsWith('UND_') ? message : code;
  if (invalidRequestCodes.includes(code)) return new CallError('not-sent', reason);
  if (!isConnected) {
    if (signal.aborted) return new CallError('unreachable', `no connection within ${callSeconds} s`);
    const refused = code === 'ECONNREFUSED' ? `no program listens there (${code})` : reason;
    return new CallError('unreachable', refused);
  }
  if (signal.aborted) return new CallError('timed-out', `no complete answer within ${callSeconds} s`);
  const isInvalid = name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW';
  return new CallError(isInvalid ? 'invalid' : 'broken', reason);
}

/** The codes with which undici refuses a method, a path or a header, before it sends anything. */
const invalidRequestCodes = [
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
];
