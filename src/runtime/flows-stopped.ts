/**
 * Whether all flows have been stopped. A deploy of what was changed lets the others run, also for as long as it is
 * not over: where a type of node is missing it never is, and Node-RED says no more of it.
 * @param stop what comes with Node-RED's `flows:stopped`
 */
export function stopsAll(stop: unknown): boolean {
  const { type } = Object(stop) as { readonly type?: unknown };
  return type !== 'nodes' && type !== 'flows';
}
