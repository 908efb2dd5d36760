/** A spreadsheet takes a text that begins so for a formula, and would run what somebody else wrote. */
const formula = /^[=+\-@\t\r\n]/;

/** Where numbers have a comma, a spreadsheet takes cells apart at semicolons. */
export function separatorIn(language?: string): string {
  return Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ',';
}

/** Rows as CSV that a spreadsheet opens: quoted throughout, and with nothing in it that it would run. */
export function csvOf(rows: readonly (readonly string[])[], separator: string): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('')}`;
}

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Hands a text to the person as a file. */
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
