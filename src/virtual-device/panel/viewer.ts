/** A viewer of a panel. */
export interface Viewer {
  readonly mayChange: boolean;
  /** Whether the permission to look still holds; asked again and again while something is streamed. */
  mayStay(): boolean;
}

/** Anyone who reaches the panel of the command line. */
export const anybody: Viewer = { mayChange: true, mayStay: () => true };
