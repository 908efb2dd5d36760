/** The body of a request to a screen, or of one that lays a text over it. */
export interface ScreenShown {
  readonly screen?: Readonly<Record<string, unknown>>;
  /** What people call the template; without it stands the device's own name. */
  readonly title?: string;
  readonly overlay?: Readonly<Record<string, unknown>>;
}
