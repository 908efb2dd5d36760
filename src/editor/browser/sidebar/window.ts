/** A piece of a long list: rows that are drawn, or as many that are not. */
export type Piece = { readonly rows: readonly number[]; readonly gap?: undefined } | { readonly gap: number };

/** What is on the screen, in the same unit. */
export interface Screen {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** Rows beyond the edges, so that scrolling shows no gaps. */
const beyond = 8;
/** However high the screen claims to be. */
const maxDrawn = 200;

/**
 * What of a list is drawn: what is on the screen, and the row that has the focus wherever that is, since a row that
 * is taken away takes the focus with it.
 */
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
