import { everyGroup } from '../../src/catalogue';
import type { Field, Fields, Shape } from '../../src/catalogue/operation';
import { texts } from './texts';

/** Chance that can be had again by its seed. */
export class Chance {
  constructor(private state: number) {}

  /** At least 0, less than 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.next() * 100 < share;
  }

  one<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (found === undefined) throw new Error('There is nothing to choose from');
    return found;
  }

  some<T>(list: readonly T[], share: number): T[] {
    return list.filter(() => this.percent(share));
  }
}

/** What the parameters of each operation are checked against, variant by variant. */
const shapes: readonly Shape[] = everyGroup.flatMap(({ operations }) =>
  operations.flatMap((operation): readonly Shape[] => operation.variants ?? [operation]),
);

/** A shape of the catalogue, often with some of its fields and rules left out. */
export function randomShape(chance: Chance): Shape {
  const shape = chance.one(shapes);
  if (chance.percent(40)) return shape;
  const fields = Object.fromEntries(chance.some(Object.entries(shape.fields), 70));
  const rules = chance.some(shape.rules ?? [], 70);
  return { ...shape, fields, rules, required: chance.some(shape.required, 70) };
}

/** Parameters for a shape: mostly what it wants, with something wrong here and there. */
export function randomParameters(
  chance: Chance,
  { fields, required, others }: Shape,
): Record<string, unknown> {
  const given = randomRecord(chance, fields, required);
  if (!others || chance.percent(20)) return given;
  const { takes, refuses } = texts[others.name];
  const name = chance.one(chance.percent(80) ? takes : refuses);
  return Object.fromEntries([...Object.entries(given), [name, randomValue(chance, others.value)]]);
}

function randomRecord(chance: Chance, fields: Fields, required: readonly string[]): Record<string, unknown> {
  const names = Object.keys(fields).filter((name) => chance.percent(required.includes(name) ? 93 : 40));
  const entries = names.map((name) => [name, randomValue(chance, fields[name] as Field)]);
  if (chance.percent(5)) entries.push([chance.one(['nobody', 'a/b', '~', '__proto__', '']), 1]);
  return Object.fromEntries(entries);
}

/** A value for a field, mostly of its kind. */
export function randomValue(chance: Chance, field: Field): unknown {
  if (chance.percent(6)) return chance.one(strays);
  if (field.type === 'object') return randomRecord(chance, field.properties ?? {}, field.required ?? []);
  if (field.type === 'array') {
    const length = Math.floor(chance.next() * 4) + (chance.percent(5) ? 4 : 0);
    return Array.from({ length }, () => (field.items ? randomValue(chance, field.items) : 1));
  }
  const listed = [...(field.enum ?? []), ...(field.names ?? []), ...(field.words ?? [])];
  if (listed.length > 0 && chance.percent(70)) return chance.one(listed);
  if (field.type === 'boolean') return chance.percent(50);
  if (field.type === 'binary') return Buffer.from('bytes');
  return ['integer', 'number'].includes(field.type) ? randomNumber(chance, field) : randomText(chance, field);
}

function randomNumber(chance: Chance, { minimum = 0, maximum = 100 }: Field): number {
  const beyond = [minimum - 1, maximum + 1, minimum + 0.5];
  return chance.one([minimum, maximum, Math.floor((minimum + maximum) / 2), ...chance.some(beyond, 10)]);
}

function randomText(chance: Chance, { format, minLength = 0, maxLength = 12 }: Field): string {
  if (format) return chance.one(texts[format][chance.percent(85) ? 'takes' : 'refuses']);
  // A text as long as a whole file would take most of the time.
  const most = Math.min(maxLength, 10_000);
  const length = chance.one([minLength, most, most + (chance.percent(20) ? 1 : 0)]);
  // Two code units each, one character.
  return chance.one(['x', '😀']).repeat(length);
}

const strays = [null, true, 0, -1, 1.5, '', 'x', '7', [], [1], {}, { x: 1 }, Number.NaN] as const;
