import { isPasswordName } from '../../../catalogue/describe';
import { type Definition, definitionOf, variantsOf } from '../operations/definition';
import { entriesOf, type Stored, shown } from '../operations/entry';
import type { Choice, RowField } from '../operations/field';
import { operationNamed } from '../operations/named-operation';
import { wordOf } from '../operations/values';
import { choiceOf } from '../operations/variant';
import { listIn } from '../targets/group-rows';
import { severalWords, targetOf } from '../targets/target';
import { titleOf } from './alert-actions';
import { endOf } from './delivery';
import { operationOf } from './validate';

/**
 * A label shows up to `maxValues` values, each cut to `maxValueLength` characters, so that the label fits
 * into a node.
 */
const maxValues = 3;
const maxValueLength = 24;

/** For these types of entries, a label shows the source of the value instead of the value. */
const places: Readonly<Record<string, (value: string) => string>> = {
  msg: (value) => `msg.${value}`,
  flow: (value) => `flow.${value}`,
  global: (value) => `global.${value}`,
  env: (value) => `\${${value}}`,
};

export function label(node: EditorNode): string {
  return node.name || [operationText(node), whereOf(node)].filter(Boolean).join(' → ');
}

export function alertLabel(node: EditorNode): string {
  const [first, ...others] = listIn(node.actions) ?? [];
  if (node.name || first === undefined) return node.name || node._def._('resource');
  const actions = others.length > 0 ? `${titleOf(first)} +${others.length}` : titleOf(first);
  return [actions, whereOf(node)].filter(Boolean).join(' → ');
}

export function remoteLabel(node: EditorNode): string {
  const { operation, alert, action } = Object(node.job) as Readonly<Record<string, unknown>>;
  const title = alert
    ? `${node._def._(`action.${action === 'clear' || action === 'acknowledge' ? action : 'start'}`)} ${cut(String(alert))}`
    : operationNamed(operation)?.title;
  if (node.name || !title) return node.name || node._def._('resource');
  const sites = Array.isArray(node.sites) ? node.sites.join(', ') : String(node.sites || 'msg.site');
  return `${title} → ${cut(sites)}`;
}

function whereOf(node: EditorNode): string {
  const kind = targetOf(node);
  if (kind === 'msg') return 'msg.device';
  if (kind === 'several') return severalWords(node);
  const target = kind === 'device' || kind === 'group' ? RED.nodes.node(node[kind]) : null;
  return target ? RED.utils.getNodeLabel(target, target.id) : '';
}

function operationText(node: EditorNode): string {
  const translate = node._def._;
  const operation = operationOf(node);
  const operations = definitionOf(node.type);
  const definition = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!definition)
    return [translate('resource'), ...(operation === 'msg' ? ['msg.operation'] : [])].join(' ');
  const title = translate(`operation.${operation}.title`);
  const end = endOf(node, operation);
  const ending = end === undefined ? [] : [`${end} s`];
  const source = String(node.parametersType ?? 'form');
  if (source !== 'form') {
    const place = definition.rows.length > 0 || definition.others ? places[source] : undefined;
    return [title, ...(place ? [cut(place(String(node.parameters ?? '')))] : []), ...ending].join(' ');
  }
  const entries = entriesOf(node.form);
  const choice = chosenIn(definition, entries);
  const head = choice ? `${title}${translate('colon')}${translate(choice.title)}` : title;
  // A value that the head says already, such as the tag "bells" of "Sync bells", would look like a slip.
  const said = new Set(head.toLowerCase().split(' '));
  const values = valuesIn(definition, entries, choice, translate).filter(
    (value) => !said.has(value.toLowerCase()),
  );
  return [head, ...values.slice(0, maxValues), ...ending].join(' ');
}

function chosenIn(definition: Definition, entries: Stored): Choice | undefined {
  const variants = variantsOf(definition);
  const id = variants.length > 0 ? choiceOf(variants, entries) : '';
  return variants.find((variant) => variant.id === id);
}

function valuesIn(
  definition: Definition,
  entries: Stored,
  choice: Choice | undefined,
  translate: Translate,
): string[] {
  if (definition.others)
    return Object.entries(entries).map(([name, entry]) => {
      const { type, value } = shown(entry);
      const isOpen = (type === 'str' || type === 'num') && !isPasswordName(name);
      return isOpen ? `${cut(name)} ${cut(value)}`.trim() : cut(name);
    });
  const rows = choice
    ? choice.rows.flatMap((index) => (definition.rows[index] ? [definition.rows[index]] : []))
    : definition.rows;
  const given = rows.filter(
    ([name]) => Object.hasOwn(entries, name) && !Object.hasOwn(choice?.sets ?? {}, name),
  );
  const texts = given.flatMap(([name, field]) => {
    const text = textOf(field, shown(entries[name]), translate, choice !== undefined);
    return text ? [{ text: cut(text), isLong: field.unit !== undefined }] : [];
  });
  // A label shows at most one value with a unit, as its last value, since readers could not tell two
  // durations apart.
  const [first] = texts.filter(({ isLong }) => isLong);
  const listed = definition.atLeast > 0 ? given.map(([, { key }]) => translate(`${key}.label`)) : [];
  const others = texts.filter(({ isLong }) => !isLong).slice(0, first ? maxValues - 1 : maxValues);
  const shownTexts = [...others, ...(first ? [first] : [])].map(({ text }) => text);
  return [...new Set(shownTexts.length > 0 ? shownTexts : listed)];
}

function textOf(
  field: RowField,
  { type, value }: { readonly type: string; readonly value: string },
  translate: Translate,
  isVariant: boolean,
): string | undefined {
  const { required, unit, pick, literal, key, foremost } = field;
  if (value === '') return undefined;
  if (literal === 'bool' && !places[type])
    return required && !field.enum && value === 'true' ? translate(`${key}.label`) : undefined;
  if (type !== 'str' && type !== 'num') return required ? places[type]?.(value) : undefined;
  const isText = field.type === 'string' && !field.enum && !field.names && !field.format;
  const isAsked = required || foremost || (pick !== undefined && !isVariant);
  if (!isAsked && !isText && !unit) return undefined;
  const word = wordOf(field, value, translate);
  return unit ? `${cut(word)} ${unit}` : word;
}

function cut(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
