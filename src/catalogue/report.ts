import type { Schema } from './schema';

class Unknown {
  toString(): string {
    return '…';
  }
}

/** In the place of a value that is there, but which only a message or the environment will tell. */
export const unknown: object = Object.freeze(new Unknown());

/** One thing that speaks against a value: a keyword of JSON Schema, in which schema, and where. */
export interface Fault {
  readonly keyword: string;
  /** The schema that the keyword is in. */
  readonly schema: Schema;
  /** The names on the way to what is wrong. */
  readonly path: readonly string[];
  /** What is wrong. */
  readonly data: unknown;
  /** The property that is meant, for `required`, `additionalProperties` and `propertyNames`. */
  readonly name?: string;
}

/** Where a check puts down what it finds: the first faults, and how many there are besides. */
export class Report {
  readonly faults: Fault[] = [];
  more = 0;
  private readonly path: string[] = [];
  private readonly tooLong: (readonly string[])[] = [];

  /** @param max how many faults are kept */
  constructor(private readonly max: number) {}

  /** The check goes on inside of what is being checked, until `leave`. */
  enter(name: string): void {
    this.path.push(name);
  }

  leave(): void {
    this.path.pop();
  }

  add(keyword: string, schema: Schema, data: unknown, name?: string): void {
    // What is in a list that is too long does not matter.
    if (this.tooLong.some((list) => list.every((part, place) => part === this.path[place]))) return;
    const path = [...this.path];
    if (keyword === 'maxItems') this.tooLong.push(path);
    if (this.faults.length >= this.max) this.more += 1;
    else this.faults.push({ keyword, schema, path, data, ...(name !== undefined && { name }) });
  }
}
