import { maxPreviewBytes } from '../choices';
import { printable } from '../log/escapes';
import { hasBlank, isHiddenTarget, withoutSecrets } from '../log/secrets';
import { readJsonText } from '../wire/json-text';
import type { Call } from './call';
import { type CallAnswer, CallError, type CallOutcome } from './result';

export interface CallEntry {
  /** Device time in ISO 8601. */
  readonly at: string;
  /** Name of the scheduled event that caused the call; absent if a command caused the call. */
  readonly event?: string;
  readonly method: string;
  /** Start of the target as written, without a slash at its end; `***` for a target with an @ or a blank. */
  readonly target: string;
  readonly path: string;
  /** The payload: parsed JSON, the start of any other text, or the size of a long payload in bytes. */
  readonly parameters?: unknown;
  readonly outcome: CallOutcome;
  readonly status?: number;
  readonly answer?: string;
  readonly reason?: string;
}

/** Maximum length of a target, a method or the name of an event in the log, in characters. */
const maxTargetLength = 300;

/** Maximum length of a path or an answer in the log, in characters. */
const maxAnswerLength = 2000;

/** Maximum length of an answer within a log line, in characters. */
const maxLineAnswer = 200;

/**
 * @param event name of the scheduled event
 * @param now device time in epoch milliseconds
 * @param isSecret whether an answer might repeat a secret
 */
export function callEntryOf(
  call: Call,
  event: string | undefined,
  result: CallAnswer | CallError,
  now: number,
  isSecret: (answer: string) => boolean,
): CallEntry {
  const { method, target, path, payload } = call;
  const parameters = payload ? parametersOf(payload) : undefined;
  return {
    at: new Date(now).toISOString(),
    ...(event === undefined ? {} : { event: shown(event.slice(0, maxTargetLength)) }),
    method: shown(method.slice(0, maxTargetLength)),
    target: isHiddenTarget(target) ? '***' : shown(target.slice(0, maxTargetLength)).replace(/\/$/, ''),
    path: hasBlank(path)
      ? '***'
      : shown((path.startsWith('/') ? path : `/${path}`).slice(0, maxAnswerLength)),
    ...(parameters === undefined ? {} : { parameters }),
    ...(result instanceof CallError ? failed(result) : answered(result, isSecret)),
  };
}

function failed({ outcome, message }: CallError) {
  return { outcome, reason: message };
}

function answered({ status, body, isCut }: CallAnswer, mightBeRepeated: (answer: string) => boolean) {
  // A password whose start is shown can end behind what is shown.
  const compared = body.slice(0, 2 * maxAnswerLength);
  const isSecret = body !== '' && mightBeRepeated(compared);
  const notes = [
    status >= 300 && status < 400 ? 'the redirect was not followed' : '',
    isCut ? 'the body was not read to its end' : '',
    !isSecret && !isCut && body.length > maxAnswerLength ? 'only the start is shown' : '',
    isSecret ? 'the answer is not shown, because its target might repeat a secret' : '',
  ].filter(Boolean);
  return {
    outcome: 'answered' as const,
    status,
    ...(body === '' || isSecret ? {} : { answer: shown(body.slice(0, maxAnswerLength)) }),
    ...(notes.length === 0 ? {} : { reason: notes.join('; ') }),
  };
}

function parametersOf(payload: string): unknown {
  if (payload.length > maxPreviewBytes) return { bytes: Buffer.byteLength(payload) };
  try {
    return withoutSecrets(readJsonText(Buffer.from(payload)));
  } catch {
    return shown(payload.slice(0, maxAnswerLength));
  }
}

/** Match a signature of the device, which a called device can repeat in its answer, and the digest in it. */
const signature = /hmac [^\s:]+:[^\s:]+:[0-9a-f]+/gi;
const digest = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;

function shown(text: string): string {
  return String(withoutSecrets(text)).replace(signature, 'hmac ***').replace(digest, '***');
}

export function callLineOf(entry: CallEntry): string {
  const { event, method, target, path, parameters, outcome, status, answer, reason } = entry;
  const asked = [
    'call',
    event === undefined ? '' : `for ${JSON.stringify(event)}`,
    method,
    `${target}${path}`,
    parameters === undefined ? '' : JSON.stringify(parameters),
  ];
  const got = [
    outcome === 'answered' ? String(status) : outcome.replaceAll('-', ' '),
    answer === undefined ? '' : JSON.stringify(answer.slice(0, maxLineAnswer)),
  ];
  const line = `${join(asked)} -> ${join(got)}${reason === undefined ? '' : `: ${reason}`}`;
  return printable(line);
}

function join(parts: readonly string[]): string {
  return parts.filter(Boolean).join(' ');
}
