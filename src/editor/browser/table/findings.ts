/** What is wrong in one place: a key of the locale file's `finding`, and the words for it. */
export interface Finding {
  /** The place of the row, or the line of the text, from 1. */
  readonly line: number;
  readonly what: string;
  readonly words: Readonly<Record<string, string>>;
}

/** A row of texts and its place: in the list, or in the text that it was read from. */
export interface Placed<Column extends string> {
  readonly row: Record<Column, string>;
  readonly line: number;
}

/** The maximum number of findings that are shown; a list of a thousand helps no one. */
const maxShown = 8;

/** A region that is read out when a list in it changes. The list itself cannot be the region: it would be none then. */
export function findingsRegion(): JQuery {
  return $('<div class="algo-error algo-findings" role="status">');
}

export function showInRegion(region: JQuery, items: readonly JQuery[]): void {
  region.empty();
  if (items.length > 0) region.append($('<ul>').append([...items]));
}

/**
 * Shows sentences as a list in a region.
 * @param chosen called with the place of a sentence that was chosen; without it none can be
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

/** A finding as a sentence that begins with its place, unless it stands there. */
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
