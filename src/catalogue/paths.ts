/** No segment of a path: control characters, halves of surrogate pairs, which no URL can hold, a slash, dots alone. */
const noSegment = /[/\p{Cc}\p{Surrogate}]|^\.{0,2}$/u;

/**
 * Whether a text may be one segment of a path on the device: not empty, no `.` or `..`, no slash and no
 * control character, also not percent-encoded, since the device may decode what a body holds.
 */
export function isSegment(text: string): boolean {
  return !noSegment.test(decodeRisky(text));
}

/** Whether a text is a path of such segments; an encoded slash parts them as a slash does. */
export function isPath(text: string): boolean {
  return decodeRisky(text).split('/').every(isSegment);
}

/**
 * Whether a request's path, as it is sent, stays below the device's base path, also where a gateway before the device
 * decodes it once or twice: then it would lead to a stranger, with the login of the device. Some gateways read
 * `%u002e` as a dot, and so a form of it that is longer than UTF-8 allows; and a segment to its first semicolon.
 */
export function staysBelow(path: string): boolean {
  const [asSent = ''] = path.split('?', 1);
  const parts = asSent.split('/').length;
  const risky = /[\\\p{Cc}]|%u[\da-f]{4}|(?:^|\/)\.\.?(?:[;/]|$)/iu;
  try {
    const once = decodeAll(asSent);
    return [asSent, once, decodeAll(once)].every(
      (read) => !risky.test(read) && read.split('/').length === parts,
    );
  } catch {
    return false;
  }
}

/** @throws URIError where bytes are no UTF-8 */
function decodeAll(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (codes) => decodeURIComponent(codes));
}

/** Decodes only what could lead a path astray; any other `%` may be a part of a name. */
function decodeRisky(text: string): string {
  return text.replace(/%(?:2[ef]|[01][\da-f]|7f)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
