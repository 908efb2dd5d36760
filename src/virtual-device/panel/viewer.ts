/** Who looks at a panel. */
export interface Viewer {
  readonly mayChange: boolean;
  /** Whether the permission to look still holds; asked again and again while something is streamed. */
  mayStay(): boolean;
}

/** On the command line, whoever reaches the panel. */
export const anybody: Viewer = { mayChange: true, mayStay: () => true };
