import { isPlainObject } from '../../../catalogue/coerce';
import { show } from '../../../catalogue/describe';
import { openRecords } from '../../../catalogue/open-records';
import type { Parameters } from '../../../catalogue/operation';
import { judge } from '../../judge';
import { phraseFormatterWith } from '../language/sentences';
import { checkEntry, isVariable } from './check';
import {
  type Definition,
  definitionOf,
  fieldsFor,
  isNameable,
  sentenceOf,
  splitName,
  variantsOf,
} from './definition';
import type { Entry } from './entry';
import { isUndecided } from './variant';

/**
 * Each line has the name of its parameter instead of the label, since a user who writes JSON does not see
 * labels.
 * @param isOpen whether the records of the device can have unknown keys
 */
export function linesInJson(
  definition: Definition,
  written: unknown,
  translate: Translate,
  isOpen: boolean,
): string[] {
  const label = translate('form.parameters');
  const given = parsed(written);
  if (given === undefined) return [`${label}${translate('colon')}${translate('form.invalid.json')}`];
  if (given === unknownYet) return [];
  if (isPlainObject(given)) return linesInObject(definition, given, translate, isOpen);
  const { rows, objects } = definition;
  if (rows.length === 0) return [];
  const formatPhrase = phraseFormatterWith(translate);
  const outer = rows.map(([name]) => splitName(objects, name)[0]);
  const limits = formatPhrase('object', { names: [...new Set(outer)].join(', ') });
  return [formatPhrase('wrong', { place: label, limits, got: show(given) })];
}

const unknownYet = Symbol('comes from the environment');

/**
 * Parses parameters like the runtime. Returns undefined for invalid JSON, and `unknownYet` for an environment
 * variable.
 */
function parsed(written: unknown): unknown {
  if (typeof written !== 'string') return written ?? {};
  if (isVariable(written)) return unknownYet;
  if (written === '') return {};
  try {
    return JSON.parse(written) ?? {};
  } catch {
    return undefined;
  }
}

function linesInObject(
  definition: Definition,
  given: Parameters,
  translate: Translate,
  isOpen: boolean,
): string[] {
  const { others, atLeast } = definition;
  const entries = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, entryOf(value)]));
  const variants = variantsOf(definition);
  const { strictShape: shape } = fieldsFor(definition, entries);
  const isOther = (name: string) => others !== undefined && !Object.hasOwn(shape.fields, name);
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => !isOther(name)));
  const accepted = isOpen ? openRecords(shape) : shape;
  const lines = judge(accepted, own, phraseFormatterWith(translate)).map(({ sentence }) => sentence);
  for (const [name, entry] of Object.entries(entries)) {
    if (!others || !isOther(name)) continue;
    const finding = isNameable(others, name) ? checkEntry(others, entry) : 'name';
    if (finding) lines.push(`${name}${translate('colon')}${sentenceOf(translate, others, finding)}`);
  }
  if (variants.length > 0 && isUndecided(variants, entries)) lines.unshift(translate('form.invalid.variant'));
  const sent = Object.keys(given).filter((name) => !Object.hasOwn(definition.unasked, name));
  if (sent.length < atLeast) lines.push(translate('form.invalid.tooFew'));
  return lines;
}

function entryOf(value: unknown): Entry {
  return typeof value === 'string' ? { type: 'str', value } : { type: 'json', value: JSON.stringify(value) };
}

export class JsonFindings {
  private readonly status = $('<div class="algo-error" id="algo-parameters-error" role="status">');
  private operation: () => string = () => '';
  private isOpen: () => boolean = () => false;

  constructor(
    private readonly parameters: JQuery,
    private readonly node: EditorNode,
  ) {}

  /** Starts the checks. Must be called after the typedInput was created. */
  open(operation: () => string, isOpen: () => boolean): void {
    this.operation = operation;
    this.isOpen = isOpen;
    this.status.appendTo(this.parameters.parent());
    this.box.attr('aria-describedby', 'algo-parameters-error').on('input', () => this.show());
    this.parameters.on('change', () => this.show());
  }

  private get box(): JQuery {
    return this.parameters.next().find('.red-ui-typedInput-input');
  }

  show(): void {
    const lines = this.lines();
    this.status.text(lines.join('\n'));
    this.box.attr('aria-invalid', String(lines.length > 0));
  }

  private lines(): string[] {
    const operations = definitionOf(this.node.type);
    const id = this.operation();
    const definition = Object.hasOwn(operations, id) ? operations[id] : undefined;
    if (!definition || this.parameters.typedInput('type') !== 'json') return [];
    const written = this.parameters.typedInput('value');
    return linesInJson(definition, written, this.node._def._, this.isOpen());
  }
}
