/** FNV-1a over the words, so that chance depends on what is decided and never on when. */
export function hash(...words: readonly (string | number)[]): number {
  let sum = 0x811c9dc5;
  for (const letter of words.join(' ')) {
    sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  return sum >>> 0;
}

/** Chance that can be had again: mulberry32. */
export class Random {
  constructor(private seed: number) {}

  /** From 0 up to, but without, 1. */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both limits included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(part: number): boolean {
    return this.next() < part;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (found === undefined) throw new Error('There is nothing to pick from');
    return found;
  }

  /** One of them, each as often as its weight says. */
  weighed<T extends { readonly weight: number }>(list: readonly T[]): T {
    let rest = this.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of list) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    return this.pick(list);
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  }
}
