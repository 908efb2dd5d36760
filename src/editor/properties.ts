import type { Operation, OperationGroup } from '../catalogue/operation';
import { choicesOf } from '../catalogue/validate';
import { optionsOf } from './action';
import { deliveryProperties, isFlag, isUseful } from './delivery';
import { type Choice, type Form, type FormField, formOf, placeholderOf } from './field';
import { escapeMarkdown } from './html';
import { type KeyOf, type Words, wordAt } from './words';

interface Texts {
  readonly text: (key: string) => string;
  readonly keyOf: KeyOf;
}

export function renderProperties(group: OperationGroup, words: Words, keyOf: KeyOf): string {
  const texts: Texts = { text: (key) => escapeMarkdown(wordAt(words, key)), keyOf };
  const operations = group.operations.map((operation) => renderOperation(operation, texts));
  return [...operations, ...renderOptions(group, texts), renderDelivery(group, texts)].join('\n\n');
}

function renderOperation(operation: Operation, texts: Texts): string {
  const { text } = texts;
  const { id, others } = operation;
  const form = formOf(operation);
  const about = `${text(`operation.${id}.help`)} ${text(`operation.${id}.availability`)}`;
  const fields = form.choices.length === 0 ? form.rows : [];
  const lines = fields.map((row) => renderField(operation, row, texts));
  if (others) lines.push(renderOthers(id, texts));
  const variants = form.choices.length === 0 ? [] : renderVariants(operation, form, texts);
  return [`#### ${text(`operation.${id}.title`)} (\`${id}\`)`, '', about, '', ...lines, ...variants]
    .join('\n')
    .trimEnd();
}

function renderField(operation: Operation, row: FormField, { text, keyOf }: Texts): string {
  const key = keyOf(operation, row);
  const term = row.required ? row.name : `*${row.name}*`;
  const limits = sentence(text(`${key}.${choicesOf(row.field) ? 'values' : 'limits'}`));
  return `: ${term} (${row.field.type}) : ${text(`${key}.help`)} ${limits}`;
}

function renderOthers(id: string, { text }: Texts): string {
  const key = `operation.${id}.others`;
  const kinds = `${text(`${key}.help`)} ${sentence(text(`${key}.limits`))}`;
  return `: *${text('others.any')}* (string | number) : ${sentence(text(`${key}.name`))} ${kinds}`;
}

function renderVariants(operation: Operation, { rows, choices, all }: Form, texts: Texts): string[] {
  const list = (places: readonly number[]) =>
    places.flatMap((index) => (rows[index] ? [renderField(operation, rows[index], texts)] : []));
  const title = (name: string) => texts.text(`operation.${operation.id}.variant.${name}`);
  const deciding = choices.flatMap(({ sets }) => Object.keys(sets));
  const common = placesInAll(choices);
  const single = choices.filter(({ value }) => value === undefined);
  const shared = without(placesInAll(single), common);
  const lines = [...list(all.filter((index) => deciding.includes(rows[index]?.name ?? '')))];
  lines.push(...list(common), '', `##### ${texts.text('form.unlessGrouped')}`, '', ...list(shared), '');
  for (const choice of single) {
    const { variant, rows: own } = choice;
    lines.push(`##### ${title(variant.id)} (${conditions(choice)})`, '');
    lines.push(...list(without(own, [...common, ...shared])), '');
  }
  const several = choices.filter(({ value }) => value !== undefined);
  for (const kind of new Set(several.map(({ variant }) => placeholderOf(variant.title) ?? ''))) {
    const members = several.filter(({ variant }) => placeholderOf(variant.title) === kind);
    const ofKind = placesInAll(members);
    lines.push(`##### ${title(kind)}`, '', ...list(without(ofKind, common)), '');
    for (const [names, own] of familiesOf(members)) {
      lines.push(`###### ${title(kind)} ${names}`, '', ...list(without(own, ofKind)), '');
    }
  }
  return lines;
}

function familiesOf(choices: readonly Choice[]): [names: string, rows: readonly number[]][] {
  return [...new Set(choices.map(({ variant }) => variant))].map((variant) => {
    const family = choices.filter((choice) => choice.variant === variant);
    return [family.map(({ value }) => `\`${value}\``).join(', '), family[0]?.rows ?? []];
  });
}

function without(places: readonly number[], others: readonly number[]): number[] {
  return places.filter((index) => !others.includes(index));
}

function conditions({ sets, needs }: Choice): string {
  const given = Object.entries(sets).map(([name, value]) => `\`${name}\` \`${value}\``);
  return [...given, ...needs.map((name) => `\`${name}\``)].join(', ');
}

function placesInAll(choices: readonly Choice[]): number[] {
  const [first, ...others] = choices;
  return (first?.rows ?? []).filter((index) => others.every(({ rows }) => rows.includes(index)));
}

function renderOptions(group: OperationGroup, { text }: Texts): string[] {
  const options = optionsOf(group);
  if (options.length === 0) return [];
  const lines = options.map(
    (option) => `: ${text(`option.${option}.label`)} (checkbox) : ${text(`option.${option}.help`)}`,
  );
  return [[`#### ${text('option.title')}`, '', ...lines].join('\n')];
}

function renderDelivery(group: OperationGroup, { text }: Texts): string {
  const shown = deliveryProperties.filter((name) => isUseful(name, group));
  const lines = shown.map((name) => {
    const kind = isFlag(name) ? 'checkbox' : 'number';
    return `: ${text(`delivery.${name}`)} (${kind}) : ${text(`delivery.${name}Help`)}`;
  });
  return [`#### ${text('delivery.title')}`, '', ...lines].join('\n');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
