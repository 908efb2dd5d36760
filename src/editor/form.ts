import type { Operation, OperationGroup } from '../catalogue/operation';
import { optionsOf } from './action';
import { operationGroupsOf } from './choice-groups';
import { renderDelivery } from './delivery';
import { renderSection } from './section';
import { deviceRow, groupRow, renderTarget } from './target';
import type { KeyOf } from './words';

export function renderForm(group: OperationGroup, keyOf: KeyOf): string {
  return `<script type="text/html" data-template-name="algo-${group.resource}">
  <algo-row name="name" icon="tag"></algo-row>
  ${renderTarget('form.targetMessage')}
  ${deviceRow}
  ${groupRow}
${group.operations.length > 1 ? renderOperations(group) : ''}
  <div class="algo-warning algo-unsupported" role="status"></div>
  <algo-row name="parameters" icon="sliders" kind="typed" class="algo-parameters"></algo-row>
  <p class="form-tips algo-without-plugin" data-i18n="form.withoutPlugin"></p>
${group.operations.map((operation) => renderSection(operation, keyOf)).join('\n')}
  <div class="algo-strangers"></div>
  <template class="algo-stranger"><div class="form-row algo-field"><label></label><input type="text" class="algo-input" style="width: calc(100% - 150px)"><div class="algo-error" role="status"></div></div></template>
${renderOptions(group)}
${renderDelivery(group)}
  <div class="form-row algo-tools">
    <button type="button" class="red-ui-button" id="algo-try" aria-describedby="algo-try-hint"><i class="fa fa-paper-plane-o" aria-hidden="true"></i> <span data-i18n="form.try"></span></button>${renderCompare(group)}
    <div class="algo-hint" id="algo-try-hint" data-i18n="form.tryHelp"></div>
    <div class="algo-report" id="algo-tried" role="status"></div>
  </div>
</script>`;
}

/** The operations of the settings node that have a profile with values get a button that compares the values. */
function renderCompare({ operations }: OperationGroup): string {
  if (!operations.some(({ id }) => id === 'compare')) return '';
  const ids = operations.flatMap(({ id, atLeast, fields }) =>
    atLeast !== undefined && Object.keys(fields).length === 0 ? [id] : [],
  );
  return `
    <button type="button" class="red-ui-button" id="algo-compare" data-operations="${ids.join(' ')}" hidden><i class="fa fa-columns" aria-hidden="true"></i> <span data-i18n="compare"></span></button>`;
}

/** The operations stand in the menu in their order, or in the groups of `operationGroupsOf`. */
function renderOperations({ resource, operations }: OperationGroup): string {
  const choice = (id: string) => `<option value="${id}" data-i18n="operation.${id}.title"></option>`;
  const menus = operationGroupsOf(resource).map(
    (menu) => `      <optgroup data-i18n="[label]menu.${menu.id}">
${menu.operations.map((id) => `        ${choice(id)}`).join('\n')}
      </optgroup>`,
  );
  const choices = menus.length > 0 ? menus : operations.map(({ id }) => `      ${choice(id)}`);
  return `  <div class="form-row">
    <label for="node-input-operation"><i class="fa fa-play-circle-o" aria-hidden="true"></i> <span data-i18n="form.operation"></span></label>
    <select id="node-input-operation" aria-describedby="algo-operation-help">
      <option value="" data-i18n="form.choose"></option>
${choices.join('\n')}
      <option value="msg" data-i18n="form.operationMessage"></option>
    </select>
    <div id="algo-operation-help">
${operations.map(renderOperationHelp).join('\n')}
      <div class="algo-hint" data-help="msg" hidden data-i18n="operationHelp"></div>
    </div>
  </div>`;
}

function renderOperationHelp({ id }: Operation): string {
  return `      <div class="algo-hint" data-help="${id}" hidden data-i18n="operation.${id}.help"></div>`;
}

/**
 * The shared script fills and saves the checkboxes, because core would store `false` for an option that the
 * node does not store yet.
 */
function renderOptions(group: OperationGroup): string {
  const rows = optionsOf(group).map((option) => {
    const having = group.operations.filter(({ options }) => options?.includes(option));
    return `  <div class="form-row algo-option" data-option="${option}" data-operations="${having.map(({ id }) => id).join(' ')}" hidden>
    <label for="algo-option-${option}"><span data-i18n="option.${option}.label"></span></label>
    <input type="checkbox" id="algo-option-${option}" aria-describedby="algo-option-${option}-hint">
    <div class="algo-hint" id="algo-option-${option}-hint" data-i18n="option.${option}.help"></div>
  </div>`;
  });
  return rows.join('\n');
}
