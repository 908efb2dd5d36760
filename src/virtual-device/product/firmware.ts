/** The form of firmware versions: `5.7`, `5.3.4`, `5.5_beta11` (docs/field-notes.md section 3). */
export const firmwarePattern = /^\d+(\.\d+)*([_-].*)?$/;

/** Whether `version` is `minimum` or newer. A beta counts as its release: `5.5_beta11` counts as `5.5`. */
export function isAtLeast(version: string, minimum: string): boolean {
  const have = numbersOf(version);
  const want = numbersOf(minimum);
  for (let i = 0; i < Math.max(have.length, want.length); i += 1) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Returns the next version, such as `5.8` after `5.7`. */
export function versionAfter(version: string): string {
  const numbers = numbersOf(version);
  return [...numbers.slice(0, -1), (numbers.at(-1) ?? 0) + 1].join('.');
}

function numbersOf(version: string): number[] {
  const digits = /^\d+(\.\d+)*/.exec(version)?.[0] ?? '0';
  return digits.split('.').map(Number);
}
