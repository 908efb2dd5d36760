import type { Schema } from './schema';

class Unknown {
  toString(): string {
    return '…';
  }
}

/** Stands for a value that only a message or an environment variable will provide. */
export const unknown: object = Object.freeze(new Unknown());

export interface Fault {
  readonly keyword: string;
  readonly schema: Schema;
  readonly path: readonly string[];
  readonly data: unknown;
  /** Name of the property, for the keywords `required`, `additionalProperties` and `propertyNames`. */
  readonly name?: string;
}

export class Report {
  readonly faults: Fault[] = [];
  more = 0;
  /** Whether a text or a list is longer than it may be. */
  isTooLarge = false;
  private readonly path: string[] = [];
  private readonly tooLong: (readonly string[])[] = [];

  constructor(private readonly max: number) {}

  enter(name: string): void {
    this.path.push(name);
  }

  leave(): void {
    this.path.pop();
  }

  add(keyword: string, schema: Schema, data: unknown, name?: string): void {
    // Faults inside a list that is too long are not reported.
    if (this.tooLong.some((list) => list.every((part, index) => part === this.path[index]))) return;
    if (keyword === 'maxLength' || keyword === 'maxItems') this.isTooLarge = true;
    const path = [...this.path];
    if (keyword === 'maxItems') this.tooLong.push(path);
    if (this.faults.length >= this.max) this.more += 1;
    else this.faults.push({ keyword, schema, path, data, ...(name !== undefined && { name }) });
  }
}
