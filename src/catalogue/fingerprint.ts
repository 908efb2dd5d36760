/** The prefix that OpenSSL and other tools put before a fingerprint: `sha256 Fingerprint=`, `SHA-256:`. */
const lead = /^sha-?256\b\s*(?:fingerprint)?\s*[:=]?/i;

/**
 * Returns the upper-case hex digits of a SHA-256 fingerprint, without prefix and separators; empty if the
 * text is not a fingerprint.
 */
export function fingerprintOf(text: string): string {
  const digits = text
    .trim()
    .replace(lead, '')
    .replace(/[:\s-]/g, '')
    .toUpperCase();
  return /^[\dA-F]{64}$/.test(digits) ? digits : '';
}
