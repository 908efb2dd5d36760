import type { Schema } from './schema';

class Unknown {
  toString(): string {
    return '…';
  }
}

/** A marker for a value that only a message or the environment will provide. */
export const unknown: object = Object.freeze(new Unknown());

/** One fault of a value: the keyword that failed, its schema and the path to the value. */
export interface Fault {
  readonly keyword: string;
  /** The schema that contains the keyword. */
  readonly schema: Schema;
  readonly path: readonly string[];
  readonly data: unknown;
  /** Name of the property, for the keywords `required`, `additionalProperties` and `propertyNames`. */
  readonly name?: string;
}

/** A report of a check: the first faults, and the number of further faults. */
export class Report {
  readonly faults: Fault[] = [];
  /** Number of faults beyond the maximum. */
  more = 0;
  private readonly path: string[] = [];
  private readonly tooLong: (readonly string[])[] = [];

  /** @param max maximum number of kept faults */
  constructor(private readonly max: number) {}

  /** Adds a member to the current path, until `leave` is called. */
  enter(name: string): void {
    this.path.push(name);
  }

  leave(): void {
    this.path.pop();
  }

  add(keyword: string, schema: Schema, data: unknown, name?: string): void {
    // Faults inside a list that is too long are not reported.
    if (this.tooLong.some((list) => list.every((part, index) => part === this.path[index]))) return;
    const path = [...this.path];
    if (keyword === 'maxItems') this.tooLong.push(path);
    if (this.faults.length >= this.max) this.more += 1;
    else this.faults.push({ keyword, schema, path, data, ...(name !== undefined && { name }) });
  }
}
