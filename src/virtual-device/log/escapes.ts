const controls = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' } as const;

/** Returns a text without the escapes of URLs, JSON and HTML. */
export function withoutEscapes(text: string): string {
  const ofCode = (written: string, code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : written);
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString())
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#x([0-9a-f]{1,6});/gi, (written, code) => ofCode(written, Number.parseInt(code, 16)))
    .replace(/&#(\d{1,7});/g, (written, code) => ofCode(written, Number(code)))
    .replace(/\\([bfnrt])/g, (_, letter: keyof typeof controls) => controls[letter])
    .replace(/\\(.)/g, '$1');
}

/** Maximum number of encodings within each other that are decoded. */
const maxDepth = 4;

/** Returns a text without the escapes of URLs, JSON and HTML, also those that appear when others are decoded. */
export function withoutNestedEscapes(text: string): string {
  let decoded = text;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const next = withoutEscapes(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** Replaces characters that change a line of a terminal or the direction of its text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '?');
}
