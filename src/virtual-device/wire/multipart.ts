export interface Part {
  readonly name: string;
  readonly filename: string;
  /** Content type; empty if the part has no content type. */
  readonly type: string;
  readonly data: Buffer;
}

/** Maximum number of parts. The upload of the interface document has two parts. */
const maxParts = 10;

/** Maximum size of the header of a part, in bytes. */
const maxHeaderBytes = 8 * 1024;

/** Maximum number of lines in the header of a part. */
const maxHeaderLines = 20;

/**
 * Minimum length of the boundary in a large body. To find a delimiter of fewer than 8 bytes, Node can take
 * half a second.
 */
const minBoundaryLength = 4;
const largeBodyBytes = 1024 * 1024;

const blankLine = Buffer.from('\r\n\r\n');
const notWhole = 'the body is not whole multipart/form-data';
const nameParameter = /; ?name="([^"]*)"/;
const filenameParameter = /; ?filename="([^"]*)"/;

/**
 * Parses a multipart/form-data body (RFC 7578). Checks the limits of parts and lines while it splits the
 * body, since nothing else runs in the process in the meantime.
 * @returns the parts, or a message if the content type or the body is invalid
 */
export function readMultipart(contentType: string, content: Buffer): readonly Part[] | string {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return notWhole;
  if (boundary.length < minBoundaryLength && content.length > largeBodyBytes)
    return `the boundary of a large body must have at least ${minBoundaryLength} characters`;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line break before it.
  const opening = delimiter.subarray(2);
  if (!content.subarray(0, opening.length).equals(opening)) return notWhole;
  const parts: Part[] = [];
  let start = opening.length;
  for (;;) {
    const mark = content.toString('latin1', start, start + 2);
    if (mark === '--') return parts;
    if (parts.length === maxParts) return `the body must have at most ${maxParts} parts`;
    const end = content.indexOf(delimiter, start);
    if (mark !== '\r\n' || end < 0) return notWhole;
    const part = partOf(content.subarray(start + 2, end));
    if (typeof part === 'string') return part;
    parts.push(part);
    start = end + delimiter.length;
  }
}

function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data; ?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))$/.exec(contentType);
  return match?.[1] ?? match?.[2];
}

function partOf(section: Buffer): Part | string {
  const end = section.subarray(0, maxHeaderBytes + blankLine.length).indexOf(blankLine);
  if (end < 0)
    return section.length > maxHeaderBytes
      ? `the header of a part must have at most ${maxHeaderBytes} bytes`
      : notWhole;
  const lines = section.toString('utf8', 0, end).split('\r\n', maxHeaderLines + 1);
  if (lines.length > maxHeaderLines) return `the header of a part must have at most ${maxHeaderLines} lines`;
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get('content-disposition') ?? '';
  const name = nameParameter.exec(disposition)?.[1] ?? '';
  if (!disposition.startsWith('form-data') || name === '') return notWhole;
  return {
    name,
    filename: filenameParameter.exec(disposition)?.[1] ?? '',
    type: headers.get('content-type') ?? '',
    data: section.subarray(end + blankLine.length),
  };
}
