/** Something that rings. */
export interface Ring {
  readonly evid: unknown;
  readonly name: unknown;
  readonly start_time: unknown;
  readonly color?: unknown;
  readonly skipped?: unknown;
}

/** By date. */
export type Rings = Readonly<Record<string, readonly Ring[]>>;
