import { formats } from '../catalogue/formats';
import type { Operation, Rule } from '../catalogue/operation';
import { choiceGroupsOf } from './choice-groups';
import { type Choice, type Form, type FormField, formOf, rowSchema, unaskedFields } from './field';
import { dataAttribute, escapeHtml } from './html';
import type { KeyOf } from './words';

export function renderSection(operation: Operation, keyOf: KeyOf): string {
  const form = formOf(operation);
  const parts = [
    ...(operation.variants ? [renderChoices(operation, form)] : []),
    ...renderRows(operation, form.rows, keyOf),
    ...(operation.others ? [renderOthers(operation.id, operation.others)] : []),
  ];
  const atLeast = operation.atLeast ? ` data-at-least="${operation.atLeast}"` : '';
  const unasked = Object.entries(unaskedFields(operation)).map(([name, field]) => [
    name,
    rowSchema({ field, required: false }),
  ]);
  const silent = unasked.length > 0 ? dataAttribute('unasked', Object.fromEntries(unasked)) : '';
  return `  <div data-operation="${operation.id}"${atLeast}${silent}${rulesAttribute(operation.rules)} hidden>
${parts.join('\n')}
    <div class="algo-error algo-too-few" role="status"></div>
  </div>`;
}

function renderChoices(operation: Operation, { choices, all }: Form): string {
  const { id } = operation;
  const select = `algo-${id}-variant`;
  const single = choices.filter(({ value }) => value === undefined);
  const options = choiceGroupsOf(operation).map((group) => {
    const members = Object.keys(group.values).flatMap((value) =>
      choices.filter((one) => one.value === value),
    );
    return `        <optgroup data-i18n="[label]operation.${id}.choice.${group.id}">
${members.map((choice) => renderChoice(id, choice)).join('\n')}
        </optgroup>`;
  });
  return `    <div class="form-row algo-variant">
      <label for="${select}"><span data-i18n="form.variant"></span></label>
      <select id="${select}" aria-describedby="${select}-error">
        <option value="" data-rows="" data-i18n="form.choose"></option>
${[...single.map((choice) => renderChoice(id, choice)), ...options].join('\n')}
        <option value="all" data-rows="${all.join(' ')}" data-i18n="form.allFields"></option>
      </select>
      <div class="algo-error" id="${select}-error" role="status"></div>
    </div>`;
}

function renderChoice(operation: string, { variant, value, sets, needs, rows }: Choice): string {
  const words = value === undefined ? `variant.${variant.id}` : `choice.${value}`;
  const data = `data-rows="${rows.join(' ')}" data-needs="${needs.join(' ')}"${dataAttribute('sets', sets)}${rulesAttribute(variant.rules)}`;
  return `        <option value="${value ?? variant.id}" ${data} data-i18n="operation.${operation}.${words}"></option>`;
}

/**
 * Renders the rows of a form. The rows for the inner fields of an object are inside a `<details>` element
 * with the title of the object, since the object is optional.
 */
function renderRows(operation: Operation, rows: readonly FormField[], keyOf: KeyOf): string[] {
  return rows.map((row, index) => {
    const isFirst = row.parent !== undefined && row.parent !== rows[index - 1]?.parent;
    const isLast = row.parent !== undefined && row.parent !== rows[index + 1]?.parent;
    const head = isFirst ? renderHead(operation, row.parent ?? '', keyOf) : '';
    return `${head}${renderRow(operation, row, keyOf)}${isLast ? '\n    </details>' : ''}`;
  });
}

function renderHead(operation: Operation, name: string, keyOf: KeyOf): string {
  const key = keyOf(operation, { name });
  const rules = rulesAttribute(operation.fields[name]?.rules);
  return `    <details class="algo-fold" data-object="${escapeHtml(name)}"${rules} hidden><summary data-i18n="${key}.label"></summary><div class="algo-hint" data-i18n="${key}.help"></div>\n`;
}

/**
 * Renders a row as an empty element. The script `browser/form/row-parts.ts` fills the element when the row is
 * first shown.
 */
function renderRow(operation: Operation, row: FormField, keyOf: KeyOf): string {
  const own = row.variant === undefined ? '' : `${row.variant}-`;
  const id = `algo-${operation.id}-${own}${row.name.replaceAll('.', '-')}`;
  const key = keyOf(operation, row);
  return `<div class="form-row algo-field" id="${id}" data-field="${escapeHtml(row.name)}" data-key="${key}"${dataAttribute('schema', rowSchema(row, operation.products))}></div>`;
}

function rulesAttribute(rules: readonly Rule[] = []): string {
  return rules.length > 0 ? dataAttribute('rules', rules) : '';
}

function renderOthers(operation: string, { name, pick, value }: NonNullable<Operation['others']>): string {
  const key = `operation.${operation}.others`;
  const schema = rowSchema({ field: { ...value, examples: [] }, required: true });
  const picks = pick === undefined ? '' : ` data-pick="${pick}"`;
  return `    <fieldset class="algo-others" data-key="${key}" data-name="${escapeHtml(formats[name].accepts.source)}"${picks}${dataAttribute('schema', schema)}>
      <legend data-i18n="others.title"></legend>
      <div class="algo-hint" data-i18n="${key}.help"></div>
      <div class="algo-heads" aria-hidden="true"><span data-i18n="others.name"></span><span data-i18n="others.valueOfNew"></span></div>
      <ul class="algo-list"></ul>
      <div class="algo-buttons"><button type="button" class="red-ui-button red-ui-button-small algo-add"><i class="fa fa-plus" aria-hidden="true"></i> <span data-i18n="others.add"></span></button></div>
      <template class="algo-other"><li class="algo-field"><input type="text" class="algo-name"><label></label><input type="text" class="algo-input" style="width: 50%"><button type="button" class="red-ui-button red-ui-button-small algo-remove"><i class="fa fa-remove" aria-hidden="true"></i></button><div class="algo-error" role="status"></div></li></template>
    </fieldset>`;
}
