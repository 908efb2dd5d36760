export interface Part {
  readonly name: string;
  readonly filename: string;
  /** Content type; empty if the part has no content type. */
  readonly type: string;
  readonly data: Buffer;
}

const blankLine = Buffer.from('\r\n\r\n');
const notWhole = 'the body is not whole multipart/form-data';
const nameParameter = /; ?name="([^"]*)"/;
const filenameParameter = /; ?filename="([^"]*)"/;

/**
 * Parses a multipart/form-data body (RFC 7578).
 * @returns the parts, or a message if the content type or the body is invalid
 */
export function readMultipart(contentType: string, content: Buffer): readonly Part[] | string {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return notWhole;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line break before it.
  const opening = delimiter.subarray(2);
  if (!content.subarray(0, opening.length).equals(opening)) return notWhole;
  const parts: Part[] = [];
  let start = opening.length;
  for (;;) {
    const mark = content.toString('latin1', start, start + 2);
    if (mark === '--') return parts;
    const end = content.indexOf(delimiter, start);
    if (mark !== '\r\n' || end < 0) return notWhole;
    const part = partOf(content.subarray(start + 2, end));
    if (!part) return notWhole;
    parts.push(part);
    start = end + delimiter.length;
  }
}

function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data; ?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))$/.exec(contentType);
  return match?.[1] ?? match?.[2];
}

function partOf(section: Buffer): Part | undefined {
  const end = section.indexOf(blankLine);
  if (end < 0) return undefined;
  const lines = section.toString('utf8', 0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get('content-disposition') ?? '';
  const name = nameParameter.exec(disposition)?.[1] ?? '';
  if (!disposition.startsWith('form-data') || name === '') return undefined;
  return {
    name,
    filename: filenameParameter.exec(disposition)?.[1] ?? '',
    type: headers.get('content-type') ?? '',
    data: section.subarray(end + blankLine.length),
  };
}
