/** Who a device is, as far as known. An absent part is unknown, and unknown locks nothing out. */
export interface Identity {
  /** The product number, for example `8301` or `8190S`. */
  readonly model?: string;
  /** The firmware version, for example `5.7`. */
  readonly firmware?: string;
}

/** Below zero when version `a` is older than version `b`, above when newer. Missing parts count as 0. */
export function compareFirmware(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  const length = Math.max(left.length, right.length);
  for (let part = 0; part < length; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
