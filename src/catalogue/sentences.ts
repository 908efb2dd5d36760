import { describeField, oneOf, shorten, show } from './describe';
import { formats } from './formats';
import type { Field, Operation, Shape, Variant } from './operation';
import type { Fault } from './report';
import { nameVariant } from './variants';

type Given = Readonly<Record<string, unknown>>;

/** What is wrong with a parameter: where, as the names on the way there, and a sentence that begins with it. */
export interface Finding {
  readonly path: readonly string[];
  readonly sentence: string;
}

/** What a sentence calls the value at a path. */
export type NameOf = (path: readonly string[]) => string;

/** What parameters are checked against; `variants` are the operation's, to say where a parameter would be. */
type Checked = (Shape | Variant) & Pick<Operation, 'variants'>;

/** The faults of a check as sentences to a person, each once. */
export function findingsIn(
  shape: Checked,
  parameters: Given,
  faults: readonly Fault[],
  nameOf: NameOf = (path) => placeOf(shape, path),
): Finding[] {
  const findings = faults.map((fault) => findingOf(shape, parameters, fault, nameOf));
  return [...new Map(findings.map((finding) => [finding.sentence, finding])).values()];
}

function findingOf(shape: Checked, parameters: Given, fault: Fault, nameOf: NameOf): Finding {
  const { keyword, name = '' } = fault;
  const path = keyword === 'propertyNames' || fault.name === undefined ? fault.path : [...fault.path, name];
  if (keyword === 'required') {
    const because = reasonOf(fault.path, fault, nameOf);
    return {
      path,
      sentence: `${nameOf(path)} is missing${because}; it is ${describeField(fieldAt(shape, path))}`,
    };
  }
  if (keyword === 'additionalProperties') return { path, sentence: unknownName(shape, parameters, path) };
  return { path, sentence: sentenceAbout(shape, fault, nameOf) };
}

function sentenceAbout(shape: Checked, fault: Fault, nameOf: NameOf): string {
  const { keyword, schema, path, data, name = '' } = fault;
  const place = nameOf(path);
  if (keyword === 'propertyNames') {
    const words = shape.others ? formats[shape.others.name].words : 'known';
    return `${shorten(name)} cannot be sent; it must be ${words}`;
  }
  if (keyword === 'exactlyOne') {
    const names = schema.exactlyOne as readonly string[];
    return `${place} must have exactly one of ${names.join(', ')}; got ${show(data)}`;
  }
  const because = reasonOf(path.slice(0, -1), fault, nameOf);
  if (keyword === 'not') return `${place} must not be given${because}`;
  // A rule may leave fewer choices than the field's own.
  const isRuled = because && keyword === 'enum';
  const may = isRuled ? oneOf(schema.enum as readonly unknown[]) : describeField(fieldAt(shape, path));
  const came = keyword === 'maxItems' ? `${(data as readonly unknown[]).length} entries` : show(data);
  return `${place} must be ${may}${because}; got ${came}`;
}

/** Why a rule asks for what it does: its `because`, with the places of the fields it names. */
function reasonOf(owner: readonly string[], { schema }: Fault, nameOf: NameOf): string {
  if (typeof schema.because !== 'string') return '';
  return ` ${schema.because.replace(/\{(\w+)\}/g, (_, name: string) => nameOf([...owner, name]))}`;
}

/** Where a value is, as a person writes it: `events[2].start_date`. */
export function placeOf(shape: Shape, path: readonly string[]): string {
  return path.reduce((place, segment, index) => {
    if (index === 0) return shorten(segment);
    const isEntry = fieldAt(shape, path.slice(0, index))?.type === 'array';
    return isEntry ? `${place}[${segment}]` : `${place}.${shorten(segment)}`;
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
  return `${place} is not a parameter of ${nameVariant(shape, parameters)}${owners(shape, path[0] ?? '')}; ${list}`;
}

/** Where a parameter that was not expected would be, when that is soon said. */
function owners({ variants = [] }: Pick<Operation, 'variants'>, name: string): string {
  const having = variants.filter(({ fields }) => Object.hasOwn(fields, name));
  if (having.length === 0 || having.length > 3) return '';
  return `, but of ${having.map((variant) => nameVariant(variant)).join(' and ')}`;
}
