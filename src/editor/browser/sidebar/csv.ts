/** Matches a text that a spreadsheet would run as a formula. The text can come from another person. */
const formula = /^[=+\-@\t\r\n]/;

/**
 * Returns the separator for CSV files in a language. As spreadsheets expect, languages with a decimal comma
 * use a semicolon.
 */
export function separatorIn(language?: string): string {
  return Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ',';
}

/**
 * Returns rows as CSV for spreadsheets. Each cell is quoted, and a cell that looks like a formula gets an
 * apostrophe in front.
 */
export function csvOf(rows: readonly (readonly string[])[], separator: string): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('')}`;
}

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Lets the user save a text as a CSV file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
