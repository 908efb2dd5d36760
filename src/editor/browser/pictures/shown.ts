/** The body of a request to a screen, or of one that lays a text over it. */
export interface ScreenShown {
  readonly screen?: Readonly<Record<string, unknown>>;
  readonly overlay?: Readonly<Record<string, unknown>>;
}
