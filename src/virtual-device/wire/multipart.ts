export interface Part {
  readonly name: string;
  readonly filename: string;
  /** Content type; empty if the part has no content type. */
  readonly type: string;
  readonly data: Buffer;
}

const blankLine = Buffer.from('\r\n\r\n');

/**
 * Parses a multipart/form-data body (RFC 7578); returns undefined if the content type or the body is invalid.
 */
export function readMultipart(contentType: string, content: Buffer): Part[] | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  // With a leading line break, the first delimiter has the same form as all other delimiters.
  const whole = Buffer.concat([Buffer.from('\r\n'), content]);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  let at = whole.indexOf(delimiter);
  if (at !== 0) return undefined;
  for (;;) {
    const start = at + delimiter.length;
    const mark = whole.toString('latin1', start, start + 2);
    if (mark === '--') return parts;
    at = whole.indexOf(delimiter, start);
    if (mark !== '\r\n' || at < 0) return undefined;
    const part = partOf(whole.subarray(start + 2, at));
    if (!part) return undefined;
    parts.push(part);
  }
}

function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data; ?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))$/.exec(contentType);
  return match?.[1] ?? match?.[2];
}

function partOf(section: Buffer): Part | undefined {
  const end = section.indexOf(blankLine);
  if (end < 0) return undefined;
  const head = section.subarray(0, end).toString('utf8');
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get('content-disposition') ?? '';
  const parameter = (name: string): string => new RegExp(`; ?${name}="([^"]*)"`).exec(disposition)?.[1] ?? '';
  if (!disposition.startsWith('form-data') || parameter('name') === '') return undefined;
  return {
    name: parameter('name'),
    filename: parameter('filename'),
    type: headers.get('content-type') ?? '',
    data: section.subarray(end + blankLine.length),
  };
}
