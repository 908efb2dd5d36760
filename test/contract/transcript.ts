/**
 * One exchange of the interface document, typed by hand from it: what goes over the wire and what comes
 * back. Neither the catalogue nor the virtual device is looked at when one is written; both are held
 * against it.
 */
export interface Transcript {
  /** A sentence: what happens here. */
  readonly title: string;
  /** The section of the interface document that says so. */
  readonly section: string;
  /** The device that is asked. */
  readonly device: Device;
  /** What the device was told beforehand, so that it has something to answer. Each of these succeeds. */
  readonly before?: readonly Request[];
  /** What a flow asks for, as `resource/operation`, with its parameters. Absent: no operation sends this. */
  readonly ask?: { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> };
  /** What is then on the wire. Absent: the request is refused before it is sent. */
  readonly request?: Request;
  /** A request by another method than GET that changes nothing. */
  readonly reads?: true;
  /**
   * What is then to be seen of the device (section 3), and was not before: its parts by name (`traces.ts`). The
   * name of one part alone: it holds the very body of the request.
   */
  readonly leaves?: string | Readonly<Record<string, unknown>>;
  /** What the device answers. */
  readonly answer?: Answer;
  /** How the package refuses to send `ask`. */
  readonly refusal?: Refusal;
}

export interface Device {
  readonly model: string;
  readonly firmware: string;
}

/** `json` is the parsed body, `body` raw bytes, `parts` a multipart form; none of them: no body. */
export interface Request {
  readonly line: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly json?: unknown;
  readonly body?: Buffer;
  readonly parts?: readonly Part[];
  /** The content type; `application/json` where there is `json` and this is absent. */
  readonly type?: string;
  /** How the signature is spoiled; absent: it is good. */
  readonly signature?: Spoiled;
}

/** One part of a multipart form. */
export interface Part {
  readonly name: string;
  readonly type: string;
  readonly json?: unknown;
  readonly body?: Buffer;
}

export type Spoiled =
  | 'absent'
  | 'basic'
  | 'other password'
  | 'other user'
  | 'other path'
  | 'other method'
  | 'other body'
  | 'capital digest'
  | 'no date'
  | 'no md5'
  | 'base64 md5'
  | 'clock 60 s behind'
  | 'clock 60 s ahead';

/** `json` deep-equals the parsed answer, `body` its bytes, `text` its words; none of them: it is empty. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly body?: Buffer;
  /**
   * What differs from device to device: these members of `json` need only match, as
   * JSON where they are no strings; others may be beside them.
   */
  readonly varies?: Readonly<Record<string, RegExp>>;
  /** The content type, where it is not told by `json`, `text` or `body`. */
  readonly type?: string;
  /** Words that the answer contains: the reason of a refusal; or instead of `text`, which is then a sample. */
  readonly words?: RegExp;
}

export interface Refusal {
  /** One of the error codes of docs/contract.md 2.2. */
  readonly code: 'INVALID_PARAMETER' | 'NOT_SUPPORTED';
  /** The field that the sentence begins with, dotted where it is nested. */
  readonly field?: string;
  /** What else the sentence contains: what it may be, what came. */
  readonly mentions?: readonly string[];
}

/** A parameter that is refused before anything is sent: title, parameters, the field named, and words. */
export type RefusedRow = readonly [
  title: string,
  parameters: Readonly<Record<string, unknown>>,
  field: string | undefined,
  ...mentions: string[],
];

/** Bad parameters of one operation, as transcripts. */
export function refused(
  operation: string,
  section: string,
  device: Device,
  rows: readonly RefusedRow[],
): readonly Transcript[] {
  return rows.map(([title, parameters, field, ...mentions]) => ({
    title: `${operation}: ${title}`,
    section,
    device,
    ask: { operation, parameters },
    refusal: { code: 'INVALID_PARAMETER', ...(field === undefined ? {} : { field }), mentions },
  }));
}

/** A request that the device itself refuses, though it is signed well: title, body, status and reason. */
export type RejectedRow = readonly [title: string, json: unknown, words: RegExp];

/** Bad bodies of one route, all answered with status 400, as transcripts. */
export function rejected(
  line: Request['line'],
  section: string,
  device: Device,
  rows: readonly RejectedRow[],
): readonly Transcript[] {
  return rows.map(([title, json, words]) => ({
    title: `${line} is turned down: ${title}`,
    section,
    device,
    request: json === undefined ? { line } : { line, json },
    answer: { status: 400, words },
  }));
}

/** A route that a model or a firmware lacks: status 404. */
export function absent(line: Request['line'], section: string, device: Device, json?: unknown): Transcript {
  return {
    title: `${line} does not exist on ${device.model} with ${device.firmware}`,
    section,
    device,
    request: json === undefined ? { line } : { line, json },
    answer: { status: 404 },
  };
}

/** An operation that the package does not send to a model or a firmware that lacks it. */
export function unsupported(
  operation: string,
  section: string,
  device: Device,
  parameters: Readonly<Record<string, unknown>>,
  ...mentions: string[]
): Transcript {
  return {
    title: `${operation} is not sent to ${device.model} with ${device.firmware}`,
    section,
    device,
    ask: { operation, parameters },
    refusal: { code: 'NOT_SUPPORTED', mentions },
  };
}

/** The dotted names in an object; lists are looked through. */
export function namesIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, prefix));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...namesIn(inner, `${prefix}${name}.`),
  ]);
}
