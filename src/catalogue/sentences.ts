import { describeField, oneOf, show } from './describe';
import { formats } from './formats';
import type { Field, Operation, Shape, Variant } from './operation';
import { nameVariant } from './variants';

type Given = Readonly<Record<string, unknown>>;

/** One thing that speaks against a value, in the words of ajv: the keyword of JSON Schema, where, and why. */
export interface SchemaError {
  readonly keyword: string;
  /** A JSON pointer to what is wrong. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The value of the keyword, and the schema that it is in. */
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>> | undefined;
  /** What is wrong. */
  readonly data?: unknown;
  /** What is wrong is the name of a property. */
  readonly propertyName?: string;
}

/** What is wrong with a parameter: where, as the names on the way there, and a sentence that begins with it. */
export interface Finding {
  readonly path: readonly string[];
  readonly sentence: string;
}

/** What a sentence calls the value at a path. */
export type NameOf = (path: readonly string[]) => string;

/** What parameters are checked against; `variants` are the operation's, to say where a parameter would be. */
type Checked = (Shape | Variant) & Pick<Operation, 'variants'>;

/** The errors of a check as sentences to a person, each once. */
export function findingsIn(
  shape: Checked,
  parameters: Given,
  errors: readonly SchemaError[],
  nameOf: NameOf = (path) => placeOf(shape, path),
): Finding[] {
  const findings = errors
    // What a condition or a name's own check found is told by another error.
    .filter(({ keyword, propertyName }) => keyword !== 'if' && propertyName === undefined)
    .map((error) => findingOf(shape, parameters, error, nameOf));
  return [...new Map(findings.map((finding) => [finding.sentence, finding])).values()];
}

function findingOf(shape: Checked, parameters: Given, error: SchemaError, nameOf: NameOf): Finding {
  const { keyword, params } = error;
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (keyword === 'required') return missing(shape, path, error, nameOf);
  if (keyword === 'additionalProperties') {
    const own = [...path, String(params.additionalProperty)];
    return { path: own, sentence: unknownName(shape, parameters, own) };
  }
  return { path, sentence: sentenceAbout(shape, path, error, nameOf) };
}

function missing(shape: Checked, owner: readonly string[], error: SchemaError, nameOf: NameOf): Finding {
  const path = [...owner, String(error.params.missingProperty)];
  const because = reasonOf(owner, error, nameOf);
  const what = describeField(fieldAt(shape, path));
  return { path, sentence: `${nameOf(path)} is missing${because}; it is ${what}` };
}

function sentenceAbout(shape: Checked, path: readonly string[], error: SchemaError, nameOf: NameOf): string {
  const { keyword, params, data } = error;
  const place = nameOf(path);
  if (keyword === 'propertyNames') {
    const words = shape.others ? formats[shape.others.name].words : 'known';
    return `${String(params.propertyName)} cannot be sent; it must be ${words}`;
  }
  if (keyword === 'exactlyOne') {
    return `${place} must have exactly one of ${(error.schema as string[]).join(', ')}; got ${show(data)}`;
  }
  const because = reasonOf(path.slice(0, -1), error, nameOf);
  if (keyword === 'not') return `${place} must not be given${because}`;
  // A rule may leave fewer choices than the field's own.
  const isRuled = because && keyword === 'enum';
  const may = isRuled ? oneOf(params.allowedValues as unknown[]) : describeField(fieldAt(shape, path));
  return `${place} must be ${may}${because}; got ${show(data)}`;
}

/** Why a rule asks for what it does: its `because`, with the places of the fields it names. */
function reasonOf(owner: readonly string[], { parentSchema }: SchemaError, nameOf: NameOf): string {
  if (typeof parentSchema?.because !== 'string') return '';
  return ` ${parentSchema.because.replace(/\{(\w+)\}/g, (_, name: string) => nameOf([...owner, name]))}`;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Where a value is, as a person writes it: `events[2].start_date`. */
export function placeOf(shape: Shape, path: readonly string[]): string {
  return path.reduce((place, segment, index) => {
    if (index === 0) return segment;
    const isEntry = fieldAt(shape, path.slice(0, index))?.type === 'array';
    return isEntry ? `${place}[${segment}]` : `${place}.${segment}`;
  }, '');
}

function fieldAt({ fields, others }: Shape, path: readonly string[]): Field | undefined {
  const [first = '', ...rest] = path;
  const head = Object.hasOwn(fields, first) ? fields[first] : others?.value;
  return rest.reduce<Field | undefined>((field, name) => {
    if (field?.type === 'array') return field.items;
    const inside = field?.properties ?? {};
    return Object.hasOwn(inside, name) ? inside[name] : undefined;
  }, head);
}

function unknownName(shape: Checked, parameters: Given, path: readonly string[]): string {
  const place = placeOf(shape, path);
  const isTop = path.length === 1;
  const known = isTop ? shape.fields : (fieldAt(shape, path.slice(0, -1))?.properties ?? {});
  const names = Object.keys(known);
  const list = names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`;
  if (!isTop || !('when' in shape)) return `${place} is not a parameter here; ${list}`;
  return `${place} is not a parameter of ${nameVariant(shape, parameters)}${owners(shape, place)}; ${list}`;
}

/** Where a parameter that was not expected would be, when that is soon said. */
function owners({ variants = [] }: Pick<Operation, 'variants'>, name: string): string {
  const having = variants.filter(({ fields }) => Object.hasOwn(fields, name));
  if (having.length === 0 || having.length > 3) return '';
  return `, but of ${having.map((variant) => nameVariant(variant)).join(' and ')}`;
}
