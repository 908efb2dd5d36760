import { said, type Text } from '../catalogue/saying';
import type { WireRequest } from './call';
import { DeviceError, wordsOf } from './errors';

/**
 * A request written by hand, as bytes: an object or a list becomes JSON, a text and a Buffer stay as they are.
 * @param parameters `method`, `path`, and maybe `body` and `contentType`, already checked
 * @throws DeviceError INVALID_PARAMETER when the body cannot be written as JSON
 */
export function wireRequestOf(parameters: Readonly<Record<string, unknown>>): WireRequest {
  const { method, path, body, contentType } = parameters;
  const line = { method: method as WireRequest['method'], path: String(path) };
  if (body === undefined) return line;
  const [bytes, usualType] = bytesOf(body);
  const type = String(contentType ?? usualType);
  // Section 5: the body of a form in parts is not signed.
  return { ...line, body: bytes, contentType: type, ...(/^multipart\//i.test(type) && { signBody: false }) };
}

function bytesOf(body: unknown): [Buffer, string] {
  if (Buffer.isBuffer(body)) return [body, 'application/octet-stream'];
  if (typeof body === 'string') return [Buffer.from(body), 'text/plain'];
  return [Buffer.from(jsonOf(body)), 'application/json'];
}

/** What a program holds may refer to itself, or be no JSON at all. */
function jsonOf(body: unknown): string {
  let reason: Text = said('noSuchJson');
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return text;
  } catch (error) {
    [reason = reason] = wordsOf(error).split('\n', 1);
  }
  throw new DeviceError(
    'INVALID_PARAMETER',
    said('nothingSent', { reason: said('bodyNoJson', { words: reason }) }),
  );
}
