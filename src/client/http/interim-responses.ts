import type net from 'node:net';

/** Maximum size of the head of an interim response, in bytes; undici has the same limit for every head. */
const maxHeadBytes = 16 * 1024;

const endOfHead = '\r\n\r\n';
const interimStart = /^HTTP\/1\.[01] 1\d\d[ \r]/;
const interimStarts = ['HTTP/1.1 1', 'HTTP/1.0 1'];
const startLength = 'HTTP/1.1 100 '.length;

/**
 * Removes the interim responses (1xx) in front of a response, since a client ignores them (RFC 9110 15.2).
 * undici closes the connection at a `100 Continue` that the request did not ask for, and at a `101`.
 */
export class InterimResponses {
  /** Bytes that might belong to an interim response. */
  #held: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(socket: net.Socket) {
    // undici takes all bytes with `read`. A stream between the socket and undici would cost a copy.
    const read = socket.read.bind(socket);
    socket.read = (size) => {
      const chunk: Buffer | null = read(size);
      return chunk === null || this.#hasBegun ? chunk : this.#filter(chunk);
    };
  }

  /** Whether bytes have arrived that do not belong to a complete interim response. */
  get hasBegun(): boolean {
    return this.#hasBegun || this.#held.length > 0;
  }

  /** Begins the wait for the next response. */
  restart(): void {
    this.#hasBegun = false;
  }

  #filter(chunk: Buffer): Buffer | null {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    for (let end = endOfInterim(rest); end !== undefined; end = endOfInterim(rest)) {
      rest = rest.subarray(end);
      this.#held = rest;
      if (rest.length === 0) return null;
    }
    if (mightBeInterim(rest)) {
      this.#held = rest;
      return null;
    }
    this.#held = rest.subarray(0, 0);
    this.#hasBegun = true;
    return rest;
  }
}

/** Returns the length of the complete interim response at the start; undefined if there is none. */
function endOfInterim(bytes: Buffer): number | undefined {
  if (!interimStart.test(bytes.toString('latin1', 0, startLength))) return undefined;
  const end = bytes.indexOf(endOfHead);
  return end < 0 ? undefined : end + endOfHead.length;
}

function mightBeInterim(bytes: Buffer): boolean {
  if (bytes.length > maxHeadBytes) return false;
  const start = bytes.toString('latin1', 0, startLength);
  if (start.length === startLength) return interimStart.test(start);
  return interimStarts.some((one) => one.startsWith(start) || start.startsWith(one));
}
