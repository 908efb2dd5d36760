/** A part of a long list: `rows` are drawn; `gap` is a number of rows that are not drawn. */
export type Piece = { readonly rows: readonly number[]; readonly gap?: undefined } | { readonly gap: number };

export interface Screen {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** Number of rows that are drawn above and below the visible part, so that scrolling shows no gap. */
const beyond = 8;
/** Maximum number of drawn rows, except the kept row, even if the visible part has an unexpected height. */
const maxDrawn = 200;

/** The row `kept` (-1 for none) is drawn too, since an undrawn row would lose the focus. */
export function piecesOf(length: number, { top, height, rowHeight }: Screen, kept: number): Piece[] {
  const wanted = Math.max(0, Math.floor(top / rowHeight) - beyond);
  const count = Math.min(maxDrawn, Math.ceil(height / rowHeight) + 2 * beyond);
  const first = Math.max(0, Math.min(wanted, length - count));
  const last = Math.min(length, first + count);
  const seen = Array.from({ length: last - first }, (_, index) => first + index);
  const isApart = kept >= 0 && kept < length && (kept < first || kept >= last);
  const runs = !isApart ? [seen] : kept < first ? [[kept], seen] : [seen, [kept]];
  const pieces: Piece[] = [];
  let next = 0;
  for (const rows of runs) {
    const [start] = rows;
    if (start === undefined) continue;
    if (start > next) pieces.push({ gap: start - next });
    pieces.push({ rows });
    next = start + rows.length;
  }
  if (next < length) pieces.push({ gap: length - next });
  return pieces;
}
