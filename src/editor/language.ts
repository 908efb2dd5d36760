import type { Operation, Option } from '../catalogue/operation';

/** The texts of a language, and how it lists names. */
export interface Language {
  /** Of the locale file `help.json`, with words in the place of its `__names__`. */
  readonly help: (key: string, words?: Readonly<Record<string, string>>) => string;
  readonly titles: (operations: readonly Operation[]) => string;
  /** The label of an option. */
  readonly option: (name: Option) => string;
}
