/** Numbers from rounds. Undefined stands for a round that was not measured. */

/** The value below which this part of the sorted values lies. */
export function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** The middle of the values, with the least and the most of them. */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, least: sorted[0], most: sorted.at(-1) };
}

/** The ratio of two contestants, round by round: what disturbs the machine disturbs both of a round. */
export function ratioOf(values, baseValues) {
  return spreadOf(values.map((value, round) => value / baseValues[round]));
}
