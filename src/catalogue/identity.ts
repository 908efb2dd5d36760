/** The identity of a device, as far as known. An absent part is unknown and never restricts the device. */
export interface Identity {
  readonly model?: string;
  readonly firmware?: string;
}

/**
 * Returns a negative number if version `a` is older than version `b`, a positive number if newer, 0 if equal.
 * Missing parts count as 0.
 */
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

/** Number of characters at the start of a text in which a model or a version is searched. */
const maxLookedAt = 200;

export function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
  return text.slice(0, maxLookedAt);
}

/**
 * Finds the product number in a free text such as "Algo 8180G2 IP Audio Alerter"; undefined if there is none.
 * The number has the form 8ddd, or 8dddS if neither a letter nor a digit follows the S. A suffix such as "G2"
 * is left out.
 */
export function modelIn(text: unknown): string | undefined {
  const found = /(?<!\d)(8\d{3})(S(?![a-z]))?(?!\d)/i.exec(textOf(text));
  return found ? `${found[1]}${found[2]?.toUpperCase() ?? ''}` : undefined;
}

export function firmwareIn(text: unknown): string | undefined {
  return /(?<!\d)\d{1,9}(?:\.\d{1,9})+(?!\d)/.exec(textOf(text))?.[0];
}
