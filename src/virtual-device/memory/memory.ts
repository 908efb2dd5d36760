import type { Database } from '../schedule/database';

/** What a device remembers for good (section 1.3), as it is at a moment: whoever changes it makes another one. */
export interface Memory {
  readonly settings: ReadonlyMap<string, string>;
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly schedules: Database;
}

/** Whether nothing has changed between two moments of one device. */
export function isSame(a: Memory, b: Memory): boolean {
  return a.schedules === b.schedules && hasSame(a.settings, b.settings) && hasSame(a.files, b.files);
}

function hasSame<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
