/** Something that rings. */
export interface Ring {
  readonly evid: unknown;
  readonly name: unknown;
  readonly start_time: unknown;
  readonly color?: unknown;
  readonly skipped?: unknown;
  /** The place of its bell in the form, where it is one of these. */
  readonly place?: number;
}

/** By date. */
export type Rings = Readonly<Record<string, readonly Ring[]>>;
