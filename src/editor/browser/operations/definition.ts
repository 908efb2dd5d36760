import type { Fields, Rule, Shape } from '../../../catalogue/operation';
import type { Stored } from './entry';
import type { Choice, OthersField, RowField } from './field';
import { choiceOf } from './variant';

export interface Definition {
  readonly rows: readonly (readonly [name: string, field: RowField])[];
  readonly choices: readonly Choice[];
  readonly others: OthersField | undefined;
  /** Fields that a stored form can contain, but for which a dialog has no row. */
  readonly unasked: Readonly<Record<string, RowField>>;
  /** Minimum number of fields with a value. */
  readonly atLeast: number;
  readonly rules: readonly Rule[];
  /** Rules across the inner fields of each object, keyed by the name of the object. */
  readonly objects: Readonly<Record<string, readonly Rule[]>>;
}

type Definitions = Readonly<Record<string, Definition>>;

/** Cache: the definitions of each template. A template does not change while the editor is open. */
const known = new WeakMap<Element, Definitions>();

export function definitionOf(type: string): Definitions {
  const script = scriptOf(type);
  if (!script) return {};
  const definitions = known.get(script) ?? readTemplate(templateIn(script));
  known.set(script, definitions);
  return definitions;
}

export function templateOf(type: string): DocumentFragment | undefined {
  const script = scriptOf(type);
  return script && templateIn(script);
}

function scriptOf(type: string): Element | undefined {
  return document.querySelector(`script[data-template-name="${CSS.escape(type)}"]`) ?? undefined;
}

function templateIn(script: Element): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = script.textContent ?? '';
  return template.content;
}

function readTemplate(content: DocumentFragment): Definitions {
  const sections = [...content.querySelectorAll<HTMLElement>('[data-operation]')];
  return Object.fromEntries(sections.map((section) => [section.dataset.operation, readSection(section)]));
}

export function readSection(section: HTMLElement): Definition {
  const rows = [...section.querySelectorAll<HTMLElement>('[data-field]')];
  const objects = [...section.querySelectorAll<HTMLElement>('[data-object]')];
  const choices = [...section.querySelectorAll<HTMLOptionElement>('option[data-rows]')];
  return {
    rows: rows.map(readRow),
    choices: choices.map(readChoice),
    others: readOthers(section.querySelector<HTMLElement>('.algo-others')),
    unasked: JSON.parse(section.dataset.unasked ?? '{}'),
    atLeast: Number(section.dataset.atLeast ?? 0),
    rules: readRules(section),
    objects: Object.fromEntries(objects.map((object) => [object.dataset.object, readRules(object)])),
  };
}

function readRules({ dataset }: HTMLElement): readonly Rule[] {
  return JSON.parse(dataset.rules ?? '[]');
}

export function readRow({ dataset }: HTMLElement): [name: string, field: RowField] {
  const { field = '', schema = '{}', key } = dataset;
  return [field, { ...JSON.parse(schema), key, isRow: true }];
}

function readChoice(option: HTMLOptionElement): Choice {
  const { value, dataset } = option;
  const list = (text = '') => text.split(' ').filter((part) => part !== '');
  return {
    id: value,
    rows: list(dataset.rows).map(Number),
    needs: list(dataset.needs),
    sets: JSON.parse(dataset.sets ?? '{}'),
    rules: readRules(option),
    title: dataset.i18n ?? '',
  };
}

function readOthers(list: HTMLElement | null): OthersField | undefined {
  if (!list) return undefined;
  const { schema = '{}', key, name = '', pick } = list.dataset;
  return { ...JSON.parse(schema), key, name, namePick: pick };
}

export function variantsOf({ choices }: Definition): readonly Choice[] {
  return choices.filter(({ id }) => id !== '' && id !== 'all');
}

export interface FormFields {
  readonly fields: ReadonlyMap<string, RowField>;
  /** The shape of the parameters without required fields, for a check that finds missing values itself. */
  readonly shape: Shape;
  readonly strictShape: Shape;
}

/**
 * Cache: the fields for each selected option of each definition, since a form is checked after each
 * keystroke.
 */
const fieldsOfChoices = new WeakMap<Definition, Map<string, FormFields>>();

export function fieldsFor(definition: Definition, stored: Stored): FormFields {
  const variants = variantsOf(definition);
  const id = variants.length === 0 ? '' : choiceOf(variants, stored);
  const made = fieldsOfChoices.get(definition) ?? new Map<string, FormFields>();
  const form = made.get(id) ?? fieldsOf(definition, id);
  fieldsOfChoices.set(definition, made.set(id, form));
  return form;
}

function fieldsOf({ rows, choices, rules, unasked, objects }: Definition, id: string): FormFields {
  if (choices.length === 0) return formOf(new Map([...rows, ...Object.entries(unasked)]), rules, objects);
  const choice = choices.find((one) => one.id === id);
  const sets = Object.entries(choice?.sets ?? {});
  const own = sets.map(([name, text]) => [name, { type: 'string', enum: [text] }] as const);
  const shown = (choice?.rows ?? []).flatMap((index) => (rows[index] ? [rows[index]] : []));
  return formOf(new Map<string, RowField>([...own, ...shown]), choice?.rules ?? [], objects);
}

function formOf(
  fields: FormFields['fields'],
  rules: readonly Rule[],
  objects: Definition['objects'],
): FormFields {
  const outerFields: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const [outer, inner] = splitName(objects, name);
    if (inner === undefined) outerFields[name] = field;
    else {
      outerFields[outer] ??= { type: 'object', properties: {}, rules: objects[outer] };
      (outerFields[outer] as { properties: Record<string, unknown> }).properties[inner] = field;
    }
  }
  const shape = { fields: outerFields as Fields, required: [], rules };
  const required = [...fields].filter(([, field]) => field.required).map(([name]) => name);
  return { fields, shape, strictShape: { ...shape, required } };
}

export function splitName(objects: Definition['objects'], name: string): [outer: string, inner?: string] {
  const [outer = '', ...inner] = name.split('.');
  return inner.length > 0 && Object.hasOwn(objects, outer) ? [outer, inner.join('.')] : [name];
}

/**
 * Names of inherited properties, such as `hasOwnProperty`, are not accepted, since such names would break the
 * editor.
 */
export function isNameable({ name }: OthersField, text: string): boolean {
  return new RegExp(name, 'u').test(text) && !(text in {});
}

export function sentenceOf(translate: Translate, field: RowField, finding: string): string {
  if (finding === 'required' && !field.required) return translate('form.invalid.empty');
  const part = finding === 'name' ? 'name' : 'limits';
  const limits = field.key ? translate(`${field.key}.${part}`) : '';
  return translate(`form.invalid.${finding}`, { limits });
}
