import type { Locator } from 'playwright-core';

/**
 * What assistive technology is told of a form's visible rows. Core has three boxes of its own in every form, out
 * of sight, for password managers; they are in no row.
 */
export async function snapshotOf(form: Locator): Promise<string> {
  const rows = await form.locator(':is(.form-row, .algo-others):visible').all();
  return (await Promise.all(rows.map((row) => row.ariaSnapshot()))).join('\n');
}

/** The controls of a snapshot that have no name. */
export function namelessIn(snapshot: string): string[] {
  return snapshot.match(/^ *- (?:textbox|combobox|checkbox|button|listbox)(?! ").*$/gm) ?? [];
}
