/** A viewer of a panel. */
export interface Viewer {
  readonly mayChange: boolean;
  /** Whether the permission to look still applies; checked repeatedly during a stream. */
  mayStay(): boolean;
}

/** The viewer of the command line's panel: everyone who can reach it. */
export const anybody: Viewer = { mayChange: true, mayStay: () => true };

/**
 * Headers of the panel: no content from another host, no inline scripts, and no frame in a page of another
 * host (clickjacking).
 */
export const panelHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
