import type { Journal } from './journal';
import type { Json } from './lines';

const maxNamed = 5;

/**
 * Reads the entries whose keys begin with a prefix. An entry that `parse` does not understand stays in the
 * journal, since another version might have written the entry.
 * @param parse returns undefined for an unknown value; may throw
 */
export function readEntries<T>(
  journal: Pick<Journal, 'entries'> & Partial<Pick<Journal, 'warn'>>,
  prefix: string,
  parse: (value: Json, key: string) => T | undefined,
): [key: string, value: T][] {
  const found: [string, T][] = [];
  const odd: string[] = [];
  for (const [key, value] of journal.entries(prefix)) {
    const read = attempt(() => parse(value, key));
    if (read === undefined) odd.push(key);
    else found.push([key, read]);
  }
  if (odd.length > 0) {
    const names = odd.slice(0, maxNamed).map((key) => JSON.stringify(key).slice(0, 200));
    const more = odd.length > maxNamed ? ` and ${odd.length - maxNamed} more` : '';
    journal.warn?.(
      `The journal contains unknown entries, which are kept but not used: ${names.join(', ')}${more}`,
    );
  }
  return found;
}

function attempt<T>(task: () => T | undefined): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
