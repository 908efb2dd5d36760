const noSegment = /[/\p{Cc}\p{Surrogate}]|^\.{0,2}$/u;

/**
 * Whether a text is a valid segment of a path on the device: not empty, not `.` or `..`, without slashes and
 * control characters. The check decodes percent-encoded dots, slashes and control characters first, since the
 * device might decode a value from the body.
 */
export function isSegment(text: string): boolean {
  return !noSegment.test(decodeRisky(text));
}

/** Whether a text is a path of valid segments; an encoded slash counts as a slash. */
export function isPath(text: string): boolean {
  return decodeRisky(text).split('/').every(isSegment);
}

/**
 * Whether a request's path stays below the device's base path, even if a gateway decodes the path once or
 * twice. Otherwise the login of the device could reach another server. Some gateways read `%u002e` or an
 * overlong UTF-8 form as a dot, and a segment only to its first semicolon.
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

/** @throws URIError if the bytes are not UTF-8 */
function decodeAll(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (codes) => decodeURIComponent(codes));
}

/** Decodes only characters that could change a path. Any other `%` can be part of a name. */
function decodeRisky(text: string): string {
  return text.replace(/%(?:2[ef]|[01][\da-f]|7f)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
