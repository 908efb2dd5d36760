/** What an expression's text is made of: groups, quantifiers, and parts that stand for one character. */
const tokens =
  /\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[)|^$]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|\[(?:\\.|[^\]\\])*\]|./gs;

const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

/** Characters that an expression may tell apart. The first that fits is the sample of a part. */
const characters = ['a', '0', ' ', '-', ...letters, '\n', '\t', '\0', 'é', '\u2028', '\ud800'];

/** Texts that an expression is interested in. */
export interface Samples {
  /** One character of each kind that the expression tells apart. */
  readonly kinds: readonly string[];
  /** What matches its parts and, last, the whole: each at least nearly. */
  readonly words: readonly string[];
}

/** Reads samples off an expression's own text. */
export function samplesOf(expression: RegExp): Samples {
  const reader = new Reader(expression);
  const words = reader.alternatives();
  return {
    kinds: kindsOf([...reader.parts.keys()], [...reader.parts.values()]),
    words: [...new Set([...reader.words, ...words])],
  };
}

/** Characters that are matched by the same parts are of one kind. */
function kindsOf(tokens: readonly string[], parts: readonly RegExp[]): string[] {
  const kinds = new Map<string, string>();
  for (const character of [...characters, ...tokens.filter(({ length }) => length === 1)]) {
    const kind = parts.map((part) => Number(part.test(character))).join('');
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  return [...kinds.values()];
}

/** Reads an expression from left to right. */
class Reader {
  /** The parts that stand for one character. */
  readonly parts = new Map<string, RegExp>();
  readonly words: string[] = [];
  readonly #groups: string[] = [];
  readonly #tokens: readonly string[];
  readonly #flags: string;
  #next = 0;

  constructor({ source, flags }: RegExp) {
    this.#tokens = source.match(tokens) ?? [];
    this.#flags = flags.replace(/[gy]/g, '');
  }

  /** Up to the end of the group: what its alternatives match. */
  alternatives(): string[] {
    const options: string[] = [];
    for (;;) {
      options.push(...this.#sequence());
      const token = this.#tokens[this.#next++];
      if (token !== '|') return options;
    }
  }

  /** What stands one after the other: the first choice everywhere, or another one in one place. */
  #sequence(): string[] {
    const places: string[][] = [];
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined || token === ')' || token === '|') break;
      this.#next += 1;
      places.push(this.#repeated(this.#choices(token)));
    }
    const firsts = places.map(([first = '']) => first);
    const others = places.flatMap((choices, index) =>
      choices.slice(1).map((choice) => firsts.with(index, choice).join('')),
    );
    return [firsts.join(''), ...others];
  }

  #choices(token: string): string[] {
    if (token.startsWith('(')) return this.#group(token);
    if (/^(?:[$^]|\\b)$/i.test(token)) return [''];
    if (/^\\[1-9]$/.test(token)) return [this.#groups[Number(token[1]) - 1] ?? ''];
    const part = new RegExp(`^${token}$`, this.#flags);
    this.parts.set(token, part);
    return [[...characters, token].find((character) => part.test(character)) ?? ''];
  }

  #group(opening: string): string[] {
    const isCaptured = opening === '(' || /^\(\?<\w/.test(opening);
    const index = isCaptured ? this.#groups.push('') - 1 : -1;
    const options = this.alternatives();
    this.words.push(...options);
    if (isCaptured) this.#groups[index] = options[0] ?? '';
    // What must not follow, or what went before, is no part of the text here.
    return /^\(\?(?:!|<[=!])/.test(opening) ? [''] : options;
  }

  /** As often as it has to be there, and once at least. */
  #repeated(options: string[]): string[] {
    const [, atLeast = '1'] = /^(?:[*+?]|\{(\d+))/.exec(this.#tokens[this.#next] ?? '') ?? [];
    if (/^(?:[*+?]|\{\d)/.test(this.#tokens[this.#next] ?? '')) this.#next += 1;
    return options.map((option) => option.repeat(Math.max(1, Number(atLeast))));
  }
}
