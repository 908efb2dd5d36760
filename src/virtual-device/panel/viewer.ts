/** A viewer of a panel. */
export interface Viewer {
  readonly mayChange: boolean;
  /** Whether the permission to look still holds; asked again and again while something is streamed. */
  mayStay(): boolean;
}

/** Anyone who reaches the panel of the command line. */
export const anybody: Viewer = { mayChange: true, mayStay: () => true };

/** Nothing from another host, nothing inline, and nothing inside of another host's page, where clicks are stolen. */
export const panelHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
