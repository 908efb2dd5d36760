import { describeField, oneOf, shorten, show } from './describe';
import type { Field, Operation, Shape, Variant } from './operation';
import { english, type Phrase, type Say } from './phrases';
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

/** How a language's sentences name a place, and what they are made of. */
export interface Wording {
  readonly nameOf: NameOf;
  readonly say: Say;
}

/** As errors and logs say it. */
export function inEnglish(shape: Shape): Wording {
  return { nameOf: (path) => placeOf(shape, path), say: english };
}

/** The faults of a check as sentences to a person, each once. */
export function findingsIn(
  shape: Checked,
  parameters: Given,
  faults: readonly Fault[],
  wording: Wording,
): Finding[] {
  const findings = faults.map((fault) => findingOf(shape, parameters, fault, wording));
  return [...new Map(findings.map((finding) => [finding.sentence, finding])).values()];
}

function findingOf(shape: Checked, parameters: Given, fault: Fault, wording: Wording): Finding {
  const { keyword, name = '' } = fault;
  const { nameOf, say } = wording;
  const path = keyword === 'propertyNames' || fault.name === undefined ? fault.path : [...fault.path, name];
  if (keyword === 'required') {
    const because = reasonOf(fault.path, fault, wording);
    const words = { place: nameOf(path), limits: describeField(fieldAt(shape, path), say), because };
    return { path, sentence: say(because ? 'missingBecause' : 'missing', words) };
  }
  if (keyword === 'additionalProperties') {
    return { path, sentence: unknownName(shape, parameters, path, say) };
  }
  return { path, sentence: sentenceAbout(shape, fault, wording) };
}

function sentenceAbout(shape: Checked, fault: Fault, wording: Wording): string {
  const { keyword, schema, path, data, name = '' } = fault;
  const { nameOf, say } = wording;
  const place = nameOf(path);
  if (keyword === 'propertyNames') {
    return say('unsendable', { place: shorten(name), limits: say(shape.others?.name ?? 'known') });
  }
  if (keyword === 'exactlyOne') {
    const names = schema.exactlyOne as readonly string[];
    return say('exactlyOne', { place, names: names.join(', '), got: show(data) });
  }
  const because = reasonOf(path.slice(0, -1), fault, wording);
  if (keyword === 'not') return say(because ? 'forbiddenBecause' : 'forbidden', { place, because });
  // A rule may leave fewer choices than the field's own.
  const isRuled = because && keyword === 'enum';
  const limits = isRuled
    ? oneOf(schema.enum as readonly unknown[], say)
    : describeField(fieldAt(shape, path), say);
  const isLong = keyword === 'maxItems';
  const got = isLong ? say('entries', { count: String((data as readonly unknown[]).length) }) : show(data);
  return say(because ? 'wrongBecause' : 'wrong', { place, limits, because, got });
}

/** Why a rule asks for what it does: its `because`, with the places of the fields it names. */
function reasonOf(owner: readonly string[], { schema }: Fault, { nameOf, say }: Wording): string {
  if (typeof schema.because !== 'string') return '';
  const reason = say(schema.because as Phrase);
  return reason.replace(/\{(\w+)\}/g, (_, name: string) => nameOf([...owner, name]));
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

function unknownName(shape: Checked, parameters: Given, path: readonly string[], say: Say): string {
  const place = placeOf(shape, path);
  const isTop = path.length === 1;
  const known = isTop ? shape.fields : (fieldAt(shape, path.slice(0, -1))?.properties ?? {});
  const names = Object.keys(known).join(', ');
  if (!isTop || !('when' in shape)) return say(names ? 'unknown' : 'unknownOfNone', { place, names });
  // In English only: no dialog has fields of another variant.
  const list = names ? `known are ${names}` : 'there are none';
  return `${place} is not a parameter of ${nameVariant(shape, parameters)}${owners(shape, path[0] ?? '')}; ${list}`;
}

/** Where a parameter that was not expected would be, when that is soon said. */
function owners({ variants = [] }: Pick<Operation, 'variants'>, name: string): string {
  const having = variants.filter(({ fields }) => Object.hasOwn(fields, name));
  if (having.length === 0 || having.length > 3) return '';
  return `, but of ${having.map((variant) => nameVariant(variant)).join(' and ')}`;
}
