import { openRecords } from '../../../catalogue/open-records';
import type { Shape } from '../../../catalogue/operation';
import { judge, unknown } from '../../judge';
import { phraseFormatterWith } from '../language/sentences';
import { checkEntry, readValue } from './check';
import {
  type Definition,
  type FormFields,
  fieldsFor,
  isNameable,
  sentenceOf,
  splitName,
  variantsOf,
} from './definition';
import { isEntry, type Stored } from './entry';
import type { RowField } from './field';
import { isUndecided } from './variant';

interface Problem {
  /** Name of the row with the problem; undefined if the problem concerns the whole form. */
  readonly name?: string | undefined;
  readonly field: RowField;
  readonly sentence: string;
  /** Set if a rule of the runtime found the problem. The sentence then names the row. */
  readonly isRuled?: true;
}

interface Finding {
  readonly field: RowField;
  readonly finding: string;
}

/** @param isOpen whether the records of the device can have unknown keys */
export function problemsOf(
  definition: Definition,
  stored: Stored,
  translate: Translate,
  isOpen = false,
): Problem[] {
  const form = fieldsFor(definition, stored);
  const findings = entryFindings(definition, form, stored);
  const problems: Problem[] = [...findings].map(([name, { field, finding }]) => ({
    name,
    field,
    sentence: sentenceOf(translate, field, finding),
  }));
  const variants = variantsOf(definition);
  if (variants.length > 0 && isUndecided(variants, stored)) {
    problems.unshift({ field: {}, sentence: translate('form.invalid.variant') });
  }
  const shape = isOpen ? openRecords(form.shape) : form.shape;
  problems.push(...ruleProblems(definition, form, shape, stored, findings, translate));
  const sent = Object.keys(stored).filter((name) => !Object.hasOwn(definition.unasked, name));
  if (sent.length < definition.atLeast)
    problems.push({ field: {}, sentence: translate('form.invalid.tooFew') });
  return problems;
}

export function linesIn(
  definition: Definition,
  stored: Stored,
  translate: Translate,
  isOpen = false,
): string[] {
  const problems = problemsOf(definition, stored, translate, isOpen);
  return problems.map(({ name, field, sentence, isRuled }) => {
    if (name === undefined || isRuled) return sentence;
    return `${field.isRow ? translate(`${field.key}.label`) : name}${translate('colon')}${sentence}`;
  });
}

function entryFindings({ others }: Definition, { fields }: FormFields, stored: Stored): Map<string, Finding> {
  const findings = new Map<string, Finding>();
  for (const name of new Set([...fields.keys(), ...Object.keys(stored)])) {
    const own = fields.get(name);
    const field = own ?? others ?? { unknown: true };
    const isMisnamed = !own && others && !isNameable(others, name);
    const finding = isMisnamed ? 'name' : checkEntry(field, stored[name]);
    if (finding) findings.set(name, { field, finding });
  }
  return findings;
}

function ruleProblems(
  { objects }: Definition,
  { fields }: FormFields,
  shape: Shape,
  stored: Stored,
  findings: ReadonlyMap<string, Finding>,
  translate: Translate,
): Problem[] {
  const values: Record<string, unknown> = {};
  for (const name of fields.keys()) {
    const entry = stored[name];
    // `checkEntry` has already reported this entry, so the rules treat its value as unknown.
    if (findings.has(name)) put(objects, values, name, unknown);
    else if (isEntry(entry)) put(objects, values, name, readValue(entry));
  }
  const keyAt = (path: readonly string[]) => fields.get(path.join('.'))?.key;
  const labelOf = (path: readonly string[]) => {
    const key = keyAt(path);
    return key && translate(`${key}.label`);
  };
  return judge(shape, values, phraseFormatterWith(translate), labelOf).map(({ path, sentence }) => {
    const [outer = ''] = path;
    const name = Object.hasOwn(objects, outer) ? path.slice(0, 2).join('.') : outer;
    return { name, field: fields.get(name) ?? {}, sentence, isRuled: true };
  });
}

function put(
  objects: Definition['objects'],
  values: Record<string, unknown>,
  name: string,
  value: unknown,
): void {
  const [outer, inner] = splitName(objects, name);
  if (inner === undefined) values[name] = value;
  else {
    values[outer] ??= {};
    (values[outer] as Record<string, unknown>)[inner] = value;
  }
}
