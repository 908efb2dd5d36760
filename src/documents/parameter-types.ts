import { catalogue } from '../catalogue';
import type { Field, Fields, FieldType, Operation } from '../catalogue/operation';
import { effectOnWire, numberOnWire } from './wire-words';

/**
 * TypeScript type of the values that the runtime accepts for a field, keyed by the type of the field. The
 * runtime also converts some values, for example `'5'` to 5 (docs/readings.md).
 */
const types: Readonly<Record<Exclude<FieldType, 'array' | 'object'>, string>> = {
  string: 'string | number | boolean',
  integer: 'number | `$' + '{number}`',
  number: 'number | `$' + '{number}`',
  boolean: "boolean | 'true' | 'false'",
  flag: "boolean | 0 | 1 | '0' | '1' | 'true' | 'false'",
  setting: 'string | number',
  binary: 'Buffer',
  any: 'unknown',
};

/**
 * Returns the text of `parameters.d.ts` of the package: the parameters of each operation, for programs that
 * use the library. Types that TypeScript derives from the catalogue would be several times larger and no more
 * helpful.
 */
export function parameterTypes(): string {
  const operations = catalogue.flatMap(({ resource, operations }) =>
    operations.map((operation: Operation) => declaration(`${resource}/${operation.id}`, operation)),
  );
  return `/** The parameters of each operation by the names of the wire. Rendered from the catalogue. */
export interface OperationParameters {
${operations.join('')}}
`;
}

function declaration(name: string, { description, fields, required, others }: Operation): string {
  const other = others ? `    readonly [name: string]: ${typeOf(others.value, '    ')};\n` : '';
  const known = members(fields, required, '    ') + other;
  const type = known === '' ? 'Readonly<Record<string, never>>' : `{\n${known}  }`;
  return `${comment(effectOnWire(name, description), '  ')}  readonly '${name}': ${type};\n`;
}

function members(fields: Fields, required: readonly string[], indent: string): string {
  const lines = Object.entries(fields).map(([name, field]) => {
    const type = typeOf(field, indent);
    const member = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${comment(aboutField(name, field), indent)}${indent}readonly ${member};\n`;
  });
  return lines.join('');
}

function aboutField(name: string, { description, unit, firmware }: Field): string {
  const since = firmware ? ` Since firmware ${firmware}.` : '';
  return `${numberOnWire(name, description)}${unit ? ` (${unit})` : ''}${since}`;
}

/**
 * Returns the type of a field, without the names for numbers: only the nodes know which number a name has on
 * a model.
 */
function typeOf(field: Field, indent: string): string {
  const words = (field.words ?? []).map(literal);
  if (field.enum) return [...field.enum.flatMap(choice), ...words].join(' | ');
  if (field.type === 'object') {
    return `{\n${members(field.properties ?? {}, field.required ?? [], `${indent}  `)}${indent}}`;
  }
  if (field.type === 'array') {
    const entry = field.items ? typeOf(field.items, indent) : 'unknown';
    return `readonly ${entry.includes(' | ') && !entry.startsWith('{') ? `(${entry})` : entry}[]`;
  }
  if (field.type === 'string' && field.format) return 'string | number';
  if (field.type === 'binary' && field.encoding) return `${types.binary} | string`;
  return [types[field.type], ...words].join(' | ');
}

/** For a text such as '1' or 'true', the number or the boolean is accepted too. */
function choice(value: string | number | boolean): string[] {
  const isPlain = value === 'true' || value === 'false' || String(Number(value)) === value;
  return typeof value === 'string' && isPlain ? [literal(value), value] : [literal(value)];
}

function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function comment(text: string, indent: string): string {
  return `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}
