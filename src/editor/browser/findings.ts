/** So many findings are shown; a list of a thousand helps nobody. */
const mostShown = 8;

/**
 * Shows sentences as a list.
 * @param chosen called with the place of a sentence that was chosen; without it none can be
 */
export function showFindings(
  list: JQuery,
  sentences: readonly string[],
  translate: Translate,
  chosen?: (place: number) => void,
): void {
  const items = sentences.slice(0, mostShown).map((sentence, place) => {
    if (!chosen) return $('<li>').text(sentence);
    const button = $('<button type="button" class="algo-link">').text(sentence);
    return $('<li>').append(button.on('click', () => chosen(place)));
  });
  const hidden = sentences.length - items.length;
  if (hidden > 0) items.push($('<li>').text(translate('finding.more', { count: String(hidden) })));
  list.empty().append(items);
}
