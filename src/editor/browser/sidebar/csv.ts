/** Matches the start of a text that a spreadsheet might run as a formula. */
const formula = /^[=+\-@\t\r\n]/;

export function separatorIn(language?: string): string {
  return Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ',';
}

export function csvOf(rows: readonly (readonly string[])[], separator: string): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('')}`;
}

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

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
