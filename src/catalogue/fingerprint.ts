/** What OpenSSL and others write before it: `sha256 Fingerprint=`, `SHA-256:`. */
const lead = /^sha-?256\b\s*(?:fingerprint)?\s*[:=]?/i;

/** The digits of a SHA-256 fingerprint in capitals, without what may stand before and between them; else empty. */
export function fingerprintOf(text: string): string {
  const digits = text
    .trim()
    .replace(lead, '')
    .replace(/[:\s-]/g, '')
    .toUpperCase();
  return /^[\dA-F]{64}$/.test(digits) ? digits : '';
}
