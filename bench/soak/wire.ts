/** Reads requests off a socket's bytes, as little as a device needs to. */

export interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Whole extends Head {
  readonly body: Buffer;
}

const gap = Buffer.from('\r\n\r\n');

function headOf(text: string): Head {
  const [line = '', ...rest] = text.split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = rest.map((header): [string, string] => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
  });
  return { method, path, headers: Object.fromEntries(headers) };
}

/** A chunked body and where it ends; undefined while some of it is missing. */
function chunked(bytes: Buffer): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = end;
  }
}

export class RequestReader {
  private bytes: Buffer = Buffer.alloc(0);

  /** Whether a request has begun and not ended. */
  get inside(): boolean {
    return this.bytes.length > 0;
  }

  /** The requests that these bytes complete. */
  push(more: Buffer): Whole[] {
    this.bytes = this.bytes.length === 0 ? more : Buffer.concat([this.bytes, more]);
    const found: Whole[] = [];
    for (let whole = this.take(); whole; whole = this.take()) found.push(whole);
    return found;
  }

  private take(): Whole | undefined {
    const end = this.bytes.indexOf(gap);
    if (end < 0) return undefined;
    const head = headOf(this.bytes.toString('latin1', 0, end));
    const rest = this.bytes.subarray(end + gap.length);
    const body =
      head.headers['transfer-encoding'] === 'chunked'
        ? chunked(rest)
        : measured(rest, Number(head.headers['content-length'] ?? 0));
    if (!body) return undefined;
    this.bytes = rest.subarray(body.end);
    return { ...head, body: body.body };
  }
}

function measured(bytes: Buffer, length: number): { body: Buffer; end: number } | undefined {
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), end: length };
}
