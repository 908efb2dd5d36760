/**
 * Works on an input while its row is outside of the page: a widget asks at each step what its parts look like, and
 * within the page every answer takes a layout.
 */
export function apart(input: JQuery, work: () => void): void {
  const [row] = input.closest('.form-row').get();
  const place = document.createComment('');
  row?.replaceWith(place);
  try {
    work();
  } finally {
    if (row) place.replaceWith(row);
  }
}
