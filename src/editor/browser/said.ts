/** What an action node's dialog says now. */
export interface DialogValues {
  readonly operation: string;
  /** Absent where the parameters come from elsewhere. */
  readonly form: Readonly<Record<string, unknown>> | undefined;
}
