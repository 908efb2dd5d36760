/**
 * A problem of one row. `what` is a key under `finding` in the locale file; `words` are the values in its
 * text.
 */
export interface Finding {
  /** Number of the row in the table, or of the line in the text, from 1. */
  readonly line: number;
  readonly what: string;
  readonly words: Readonly<Record<string, string>>;
  /** Whether the row is valid, but is perhaps not what the user means. */
  readonly isHint?: boolean;
}

export interface Placed<Column extends string> {
  readonly row: Record<Column, string>;
  readonly line: number;
}

const maxShown = 8;

/** A list cannot itself have the role `status`, since screen readers would no longer recognize the list. */
export function findingsRegion(look: 'algo-error' | 'algo-warning' = 'algo-error'): JQuery {
  return $('<div class="algo-findings" role="status">').addClass(look);
}

export function showInRegion(region: JQuery, items: readonly JQuery[]): void {
  region.empty();
  if (items.length > 0) region.append($('<ul>').append([...items]));
}

/** Returns the first sentences as items, and an item with the number of the others. */
export function itemsOf(
  sentences: readonly string[],
  most: number,
  translate: Translate,
  itemOf = (sentence: string, _: number) => $('<li>').text(sentence),
): JQuery[] {
  const items = sentences.slice(0, most).map(itemOf);
  const hidden = sentences.length - items.length;
  if (hidden > 0) items.push($('<li>').text(translate('finding.more', { count: String(hidden) })));
  return items;
}

/**
 * @param chosen called with the index of the sentence that the user clicks; if absent, sentences are plain
 * text
 */
export function showFindings(
  region: JQuery,
  sentences: readonly string[],
  translate: Translate,
  chosen?: (index: number) => void,
): void {
  const linkOf = (sentence: string, index: number) => {
    const button = $('<button type="button" class="algo-link">').text(sentence);
    return $('<li>').append(button.on('click', () => chosen?.(index)));
  };
  showInRegion(region, itemsOf(sentences, maxShown, translate, chosen && linkOf));
}

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
