import { connect, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type * as Undici from 'undici';
import { callSeconds, maxAnswerBytes, maxAnswerHeaderBytes, maxReceivedBytes } from '../choices';
import { type Address, isLoopback } from './address';
import type { PreparedCall } from './call';
import { type CallAnswer, CallError } from './result';

/** Maximum number of bytes of an answer that are parsed together. */
const sliceBytes = 1024;

/** Loads only undici's Client, on demand: most devices send no calls. */
function loadClient(): typeof Undici.Client {
  try {
    return require('undici/lib/dispatcher/client.js');
  } catch {
    return (require('undici') as typeof Undici).Client;
  }
}

/**
 * Redirects are not followed.
 * @param signal ends the call
 * @throws CallError if no complete answer arrived
 */
export async function exchange(
  call: PreparedCall,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<CallAnswer> {
  const socket = await openSocket(call, addresses, signal);
  try {
    return await request(call, socket, signal);
  } finally {
    socket.destroy();
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ECONNREFUSED' ? `no program listens there (${code})` : (code ?? message);
}

/** The name is not resolved again, since the result could differ. */
function openSocket(call: PreparedCall, addresses: readonly Address[], signal: AbortSignal): Promise<Socket> {
  const { host, port, isSecure } = call;
  const lookup = pinnedTo(addresses);
  const options = { host, port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1000 };
  // On a loopback address, no other computer can answer, so the certificate is not verified.
  const rejectUnauthorized = !addresses.every(({ address }) => isLoopback(address));
  const servername = isIP(host) === 0 ? host : '';
  const socket = isSecure ? connectTls({ ...options, rejectUnauthorized, servername }) : connect(options);
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      socket.destroy();
      reject(new CallError('unreachable', reason));
    };
    const onAbort = (): void => fail(`no connection within ${callSeconds} s`);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // The listener stays after the connection, since an error without a listener would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => fail(reasonOf(error)));
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', onAbort);
      readInSlices(socket);
      resolve(socket);
    });
  });
}

/**
 * undici parses all that it has read even after it has closed the connection because of too long headers,
 * and creates an error for each further line. So undici reads little at a time, and nothing afterwards.
 */
function readInSlices(socket: Socket): void {
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    const isLong = size === undefined && socket.readableLength > sliceBytes;
    return Socket.prototype.read.call(socket, isLong ? sliceBytes : size);
  };
}

type LookupCallback = (error: null, address: string | Address[], family?: number) => void;

function pinnedTo(addresses: readonly Address[]) {
  return (_name: string, options: { readonly all?: boolean | undefined }, done: LookupCallback): void => {
    const [first] = addresses;
    // A socket ignores the result of a lookup function that calls back synchronously.
    if (options.all || !first) process.nextTick(done, null, [...addresses]);
    else process.nextTick(done, null, first.address, first.family);
  };
}

function request(call: PreparedCall, socket: Socket, signal: AbortSignal): Promise<CallAnswer> {
  const Client = loadClient();
  let isTaken = false;
  const client = new Client(call.origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxAnswerHeaderBytes,
    // The callback is delayed, since undici ignores a socket that is delivered during the call of `connect`.
    connect: (_options, callback) =>
      queueMicrotask(() => {
        // undici asks for a second connection to send the call again, but each call is sent only once.
        if (isTaken || socket.destroyed) callback(new Error('the connection was closed'), null);
        else callback(null, socket);
        isTaken = true;
      }),
  });
  const { method, path, body } = call;
  const headers = call.headers.flat();
  const answered = new Promise<CallAnswer>((resolve, reject) => {
    const reader = new AnswerReader(resolve, reject);
    const onAbort = (): void => reader.end();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('readable', () => {
      if (socket.bytesRead > maxReceivedBytes) reader.refuse();
    });
    // `reset` asks the server to close the connection.
    const options = { method, path, headers, body: body ?? null, reset: true };
    client.dispatch(options as Undici.Dispatcher.DispatchOptions, reader);
    if (signal.aborted) onAbort();
  });
  return answered.finally(() => void client.destroy().catch(() => undefined));
}

class AnswerReader implements Undici.Dispatcher.DispatchHandler {
  readonly #resolve: (answer: CallAnswer) => void;
  readonly #reject: (error: CallError) => void;
  /**
   * The received part of the body. Each chunk is copied into this buffer and not kept, since a chunk can have
   * a single byte.
   */
  readonly #body = Buffer.allocUnsafe(maxAnswerBytes);
  #length = 0;
  #isCut = false;
  /** HTTP status; 0 before the answer. */
  #status = 0;

  constructor(resolve: (answer: CallAnswer) => void, reject: (error: CallError) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** undici's interface requires this method. */
  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number): void {
    // Skips interim answers (1xx).
    if (status >= 200) this.#status = status;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isCut) return;
    const copied = chunk.copy(this.#body, this.#length);
    this.#length += copied;
    this.#isCut = copied < chunk.length;
    if (this.#isCut) this.#finish();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: unknown, error: NodeJS.ErrnoException): void {
    const { code = '', message } = error;
    if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
      this.#fail('invalid', message);
    else this.#fail('broken', code.startsWith('UND_') || code === '' ? message : code);
  }

  end(): void {
    this.#fail('timed-out', `no complete answer within ${callSeconds} s`);
  }

  refuse(): void {
    this.#fail('invalid', `more than ${maxReceivedBytes} bytes received`);
  }

  #finish(): void {
    const body = this.#body.toString('utf8', 0, this.#length);
    this.#resolve({ status: this.#status, body, isCut: this.#isCut });
  }

  #fail(outcome: 'timed-out' | 'invalid' | 'broken', reason: string): void {
    const known = this.#status === 0 ? '' : `the answer began with status ${this.#status}: `;
    this.#reject(new CallError(outcome, known + reason));
  }
}
