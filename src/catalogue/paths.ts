/** Control characters, and halves of surrogate pairs, which no URL can hold. */
const unprintable = /[\p{Cc}\p{Surrogate}]/u;

/**
 * Whether a text may be one segment of a path on the device: not empty, no `.` or `..`, no slash and no
 * control character, also not percent-encoded, since the device may decode what a body holds.
 */
export function isSegment(text: string): boolean {
  const decoded = decodeRisky(text);
  return !unprintable.test(decoded) && !decoded.includes('/') && !['', '.', '..'].includes(decoded);
}

/** Whether a text is a path of such segments; an encoded slash parts them as a slash does. */
export function isPath(text: string): boolean {
  return decodeRisky(text).split('/').every(isSegment);
}

/**
 * Whether a request's path, as it is sent, stays below the device's base path, also where a gateway before the device
 * decodes it once or twice: then it would lead to a stranger, with the login of the device.
 */
export function staysBelow(path: string): boolean {
  const [asSent = ''] = path.split('?', 1);
  const parts = asSent.split('/').length;
  const once = decodeAll(asSent);
  return [asSent, once, decodeAll(once)].every(
    (read) => !/[\\\p{Cc}]/u.test(read) && read.split('/').length === parts && !hasDots(read),
  );
}

/** Some gateways read a segment to its first semicolon. */
function hasDots(path: string): boolean {
  return path.split('/').some((segment) => ['.', '..'].includes(segment.split(';', 1)[0] ?? ''));
}

function decodeAll(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

/** Decodes only what could lead a path astray; any other `%` may be a part of a name. */
function decodeRisky(text: string): string {
  return text.replace(/%(?:2[ef]|[01][0-9a-f]|7f)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
