/** Returns whether a value is an object with named members: no list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns whether something that was read from JSON weighs more than `max`. Looks no further than that, so that the
 * question costs little, however much there is.
 * @param weightOf the weight of a value without its members, and of the name of one
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

/** The least that a value, or a name, takes in JSON, in characters. */
export function lengthInJson(one: unknown): number {
  return typeof one === 'string' ? one.length + 2 : 1;
}
