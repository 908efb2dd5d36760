import { Budget, coerceParameters } from './coerce';
import { type Check, compile } from './compile';
import type { IsSecret } from './describe';
import { localizedPhrase, type Text } from './localized-message';
import { openRecords } from './open-records';
import type { Operation, Parameters, Shape, Variant } from './operation';
import type { FormatPhrase } from './phrases';
import { Report } from './report';
import { objectSchema } from './schema';
import { type Finding, findingsIn, inEnglish, placeOf, type Wording } from './sentences';
import { chooseVariant } from './variants';

export { choicesOf, describeField } from './describe';

export type Checked =
  | { readonly ok: true; readonly parameters: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly findings: readonly string[];
      readonly localizedFindings: readonly Text[];
      /** Whether the parameters are too large to be looked into. */
      readonly isTooLarge: boolean;
    };

/** Maximum number of messages in one error. Further messages are only counted. */
const maxFindings = 50;

/**
 * Maximum number of faults in a report. Higher than `maxFindings`, since several faults can give the same
 * message.
 */
const maxFaults = 200;

const compiled = new WeakMap<Shape, Check>();

/**
 * Coerces the parameters to the types of the wire, then checks the parameters against the operation or its
 * matching variant. Rejects unknown names, so that a user notices a misspelled name.
 * @param letDeviceDecide whether the records of the device can have unknown keys
 * @param hides whether no finding shows a value of a name, also where the name is no password
 */
export function checkParameters(
  documented: Operation,
  raw: Parameters,
  letDeviceDecide = false,
  hides?: IsSecret,
): Checked {
  const operation = letDeviceDecide ? openRecords(documented) : documented;
  const budget = new Budget();
  const parameters = coerceParameters(operation, raw, budget);
  if (budget.exceededAt) return refused([tooMuch(budget.exceededAt, inEnglish(operation)).sentence], true);
  const chosen = chooseVariant(operation, parameters);
  if ('findings' in chosen) return refused(chosen.findings);
  const { findings, more, isTooLarge } = check(
    chosen.shape,
    parameters,
    operation,
    inEnglish(chosen.shape, hides),
  );
  const sentences = [...findings.map(({ sentence }) => sentence), ...tooFew(operation, parameters)];
  if (sentences.length > 0) return refused(firstOf(sentences, more), isTooLarge);
  const sent = Object.entries(parameters).filter(([name]) => operation.fields[name]?.sent !== false);
  return { ok: true, parameters: Object.fromEntries(sent) };
}

function refused(localizedFindings: readonly Text[], isTooLarge = false): Checked {
  return { ok: false, findings: localizedFindings.map(String), localizedFindings, isTooLarge };
}

/**
 * Returns mistakes that `checkParameters` would report for every message. The marker `unknown` stands for a
 * value that only a message or the environment will provide.
 * @param formatPhrase formats the phrases in the editor's language
 * @param labelOf returns the label of a parameter, if any
 */
export function judge(
  shape: Shape & Pick<Operation, 'variants'>,
  raw: Parameters,
  formatPhrase: FormatPhrase,
  labelOf: (path: readonly string[]) => string | undefined = () => undefined,
): readonly Finding[] {
  const wording: Wording = {
    nameOf: (path) => labelOf(path) ?? placeOf(shape, path),
    format: formatPhrase,
    because: (reason, nameOf) =>
      formatPhrase(reason).replace(/\{(\w+)\}/g, (_, name: string) => nameOf(name)),
  };
  const budget = new Budget();
  const parameters = coerceParameters(shape, raw, budget);
  if (budget.exceededAt) return [tooMuch(budget.exceededAt, wording)];
  return check(shape, parameters, shape, wording).findings;
}

const nothing = { findings: [], more: 0, isTooLarge: false } as const;

function check<Words>(
  shape: Shape | Variant,
  parameters: Parameters,
  { variants }: Pick<Operation, 'variants'>,
  wording: Wording<Words>,
): { readonly findings: readonly Finding<Words>[]; readonly more: number; readonly isTooLarge: boolean } {
  const checkShape = compiledOf(shape);
  if (checkShape(parameters) !== 'bad') return nothing;
  const report = new Report(maxFaults);
  checkShape(parameters, report);
  const known = variants ? { ...shape, variants } : shape;
  const { faults, more, isTooLarge } = report;
  return { findings: findingsIn(known, parameters, faults, wording), more, isTooLarge };
}

function compiledOf(shape: Shape): Check {
  const known = compiled.get(shape);
  if (known) return known;
  const made = compile(objectSchema(shape));
  compiled.set(shape, made);
  return made;
}

export function firstOf(sentences: readonly Text[], more = 0): readonly Text[] {
  const others = Math.max(0, sentences.length - maxFindings) + more;
  if (others === 0) return sentences;
  return [...sentences.slice(0, maxFindings), localizedPhrase('more', { count: String(others) })];
}

function tooMuch<Words>(
  path: readonly string[],
  { nameOf, format: formatPhrase }: Wording<Words>,
): Finding<Words> {
  const place = path.length === 0 ? formatPhrase('whatIsGiven') : nameOf(path);
  return { path, sentence: formatPhrase('tooMuch', { place }) };
}

function tooFew({ atLeast = 0, fields, others }: Operation, parameters: Parameters): Text[] {
  const isSent = (name: string): boolean => fields[name]?.sent !== false;
  if (atLeast === 0 || Object.keys(parameters).filter(isSent).length >= atLeast) return [];
  if (others && Object.keys(fields).length === 0) return [localizedPhrase('atLeastOneOther')];
  const names = Object.keys(fields).filter(isSent);
  return [localizedPhrase('atLeastOne', { place: names.join(' or ') })];
}
