/** A finding about a row or a line: a key of `finding` in the locale file, and the words for it. */
export interface Finding {
  /** The number of the row, or of the line of the text, from 1. */
  readonly line: number;
  readonly what: string;
  readonly words: Readonly<Record<string, string>>;
}

/** A row of texts with its number in the list, or with its line in the text. */
export interface Placed<Column extends string> {
  readonly row: Record<Column, string>;
  readonly line: number;
}

/** The maximum number of findings that are shown; a list of a thousand helps no one. */
const maxShown = 8;

/**
 * Creates a live region for a list. The list cannot be the region itself, since the role would replace its
 * own role.
 */
export function findingsRegion(): JQuery {
  return $('<div class="algo-error algo-findings" role="status">');
}

export function showInRegion(region: JQuery, items: readonly JQuery[]): void {
  region.empty();
  if (items.length > 0) region.append($('<ul>').append([...items]));
}

/**
 * Shows sentences as a list in a region.
 * @param chosen called with the index of the sentence that the user clicks; without it the sentences are
 * plain text
 */
export function showFindings(
  region: JQuery,
  sentences: readonly string[],
  translate: Translate,
  chosen?: (place: number) => void,
): void {
  const items = sentences.slice(0, maxShown).map((sentence, place) => {
    if (!chosen) return $('<li>').text(sentence);
    const button = $('<button type="button" class="algo-link">').text(sentence);
    return $('<li>').append(button.on('click', () => chosen(place)));
  });
  const hidden = sentences.length - items.length;
  if (hidden > 0) items.push($('<li>').text(translate('finding.more', { count: String(hidden) })));
  showInRegion(region, items);
}

/** Returns a finding as a sentence, with the number of its line or row in front if `place` is set. */
export function sentenceOfFinding(
  translate: Translate,
  { line, what, words }: Finding,
  place?: 'line' | 'row',
): string {
  const { by, ...others } = words;
  const other = by === undefined ? '' : translate(`finding.${by}`, others);
  const sentence = translate(`finding.${what}`, { ...others, other });
  return place === undefined ? sentence : translate(`finding.${place}`, { line: String(line), sentence });
}
