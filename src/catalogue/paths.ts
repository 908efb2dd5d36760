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

/** Decodes only what could lead a path astray; any other `%` may be a part of a name. */
function decodeRisky(text: string): string {
  return text.replace(/%(?:2[ef]|[01][0-9a-f]|7f)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
