export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether lists and objects are at most `levels` deep. The check itself goes no deeper. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}

/**
 * Whether the sum of the weights in a JSON value exceeds `max`. Stops when the sum exceeds `max`, so that the
 * cost is limited.
 * @param weightOf returns the weight of a value without its members, or of the name of a member; at least 1
 */
export function isHeavier(json: unknown, max: number, weightOf: (one: unknown) => number): boolean {
  let left = max;
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    left -= weightOf(value);
    if (left < 0) return true;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (Array.isArray(value)) {
      if (value.length > left) return true;
      for (const member of value) waiting.push(member);
      continue;
    }
    for (const [name, member] of Object.entries(value)) {
      left -= weightOf(name);
      waiting.push(member);
    }
  }
  return left < 0;
}

/** Returns the minimum length in JSON of a value without its members, or of a name, in characters. */
export function lengthInJson(one: unknown): number {
  return typeof one === 'string' ? one.length + 2 : 1;
}
