import { describeField, type IsSecret, isHidden, oneOf, shorten, show } from './describe';
import { LocalizedMessage, localizedPhrase, type Text } from './localized-message';
import type { Field, Operation, Parameters, Shape, Variant } from './operation';
import { type FormatPhrase, type Phrase, phrases } from './phrases';
import type { Fault } from './report';
import { nameVariant } from './variants';

export interface Finding<Words = string> {
  readonly path: readonly string[];
  readonly sentence: Words | string;
}

type NameOf = (path: readonly string[]) => string;

type Checked = (Shape | Variant) & Pick<Operation, 'variants'>;

export interface Wording<Words = string> {
  readonly nameOf: NameOf;
  readonly format: FormatPhrase<Words>;
  /** Formats a reason, and replaces its `{braces}` with the names of fields. */
  readonly because: (reason: Phrase, nameOf: (name: string) => string) => Words;
  /** Whether no sentence shows a value of this name; default: `isHidden`. */
  readonly hides?: IsSecret | undefined;
}

export function inEnglish(shape: Shape, hides?: IsSecret): Wording<Text> {
  return { nameOf: (path) => placeOf(shape, path), format: localizedPhrase, because, hides };
}

function because(reason: Phrase, nameOf: (name: string) => string): LocalizedMessage {
  const text = phrases[reason];
  const names = text.match(/(?<=\{)\w+(?=\})/g) ?? [];
  return new LocalizedMessage(reason, text, Object.fromEntries(names.map((name) => [name, nameOf(name)])));
}

export function findingsIn<Words>(
  shape: Checked,
  parameters: Parameters,
  faults: readonly Fault[],
  wording: Wording<Words>,
): Finding<Words>[] {
  const findings = faults.map((fault) => findingOf(shape, parameters, fault, wording));
  return [...new Map(findings.map((finding) => [String(finding.sentence), finding])).values()];
}

function findingOf<Words>(
  shape: Checked,
  parameters: Parameters,
  fault: Fault,
  wording: Wording<Words>,
): Finding<Words> {
  const { keyword, name = '' } = fault;
  const { nameOf, format: formatPhrase } = wording;
  const path = keyword === 'propertyNames' || fault.name === undefined ? fault.path : [...fault.path, name];
  if (keyword === 'required') {
    const because = reasonOf(fault.path, fault, wording);
    const words = { place: nameOf(path), limits: describeField(fieldAt(shape, path), formatPhrase), because };
    return { path, sentence: formatPhrase(because ? 'missingBecause' : 'missing', words) };
  }
  if (keyword === 'additionalProperties') {
    return { path, sentence: unknownName(shape, parameters, path, formatPhrase) };
  }
  return { path, sentence: sentenceAbout(shape, fault, wording) };
}

function sentenceAbout<Words>(shape: Checked, fault: Fault, wording: Wording<Words>): Words {
  const { keyword, schema, path, data, name = '' } = fault;
  const { nameOf, format: formatPhrase } = wording;
  const place = nameOf(path);
  if (keyword === 'propertyNames') {
    return formatPhrase('unsendable', {
      place: shorten(name),
      limits: formatPhrase(shape.others?.name ?? 'known'),
    });
  }
  if (keyword === 'exactlyOne') {
    const names = schema.exactlyOne as readonly string[];
    return formatPhrase('exactlyOne', { place, names: names.join(', '), got: show(data) });
  }
  const because = reasonOf(path.slice(0, -1), fault, wording);
  if (keyword === 'not') return formatPhrase(because ? 'forbiddenBecause' : 'forbidden', { place, because });
  // A rule can allow fewer choices than the field.
  const isRuled = because && keyword === 'enum';
  const ofField =
    keyword === 'minItems' ? formatPhrase('listNotEmpty') : describeField(fieldAt(shape, path), formatPhrase);
  const limits = isRuled ? oneOf(schema.enum as readonly unknown[], formatPhrase) : ofField;
  const isLong = keyword === 'maxItems';
  const got = isLong
    ? formatPhrase('entries', { count: String((data as readonly unknown[]).length) })
    : path.some((name) => isHidden(name) || wording.hides?.(name))
      ? '***'
      : show(data);
  return formatPhrase(because ? 'wrongBecause' : 'wrong', { place, limits, because, got });
}

function reasonOf<Words>(
  owner: readonly string[],
  { schema }: Fault,
  { nameOf, because }: Wording<Words>,
): Words | string {
  if (typeof schema.because !== 'string') return '';
  return because(schema.because as Phrase, (name) => nameOf([...owner, name]));
}

/** Returns the path of a value in the notation of JavaScript, for example `events[2].start_date`. */
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

function unknownName<Words>(
  shape: Checked,
  parameters: Parameters,
  path: readonly string[],
  formatPhrase: FormatPhrase<Words>,
): Words {
  const place = placeOf(shape, path);
  const isTop = path.length === 1;
  const known = isTop ? shape.fields : (fieldAt(shape, path.slice(0, -1))?.properties ?? {});
  const names = Object.keys(known).join(', ');
  if (!isTop || !('when' in shape))
    return formatPhrase(names ? 'unknown' : 'unknownOfNone', { place, names });
  const having = variantsAllowing(shape, path[0] ?? '');
  const values = { place, variant: nameVariant(shape, parameters), owners: having, names };
  if (!names) return formatPhrase('unknownOfBare', values);
  return formatPhrase(having ? 'unknownOfVariant' : 'unknownOfKnown', values);
}

function variantsAllowing({ variants = [] }: Pick<Operation, 'variants'>, name: string): string {
  const having = variants.filter(({ fields }) => Object.hasOwn(fields, name));
  if (having.length === 0 || having.length > 3) return '';
  return having.map((variant) => nameVariant(variant)).join(', ');
}
