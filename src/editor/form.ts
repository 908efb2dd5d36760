import type { Operation, OperationGroup } from '../catalogue/operation';
import { optionsOf } from './action';
import { renderDelivery } from './delivery';
import { renderSection } from './section';
import { deviceRow, groupRow, renderTarget } from './target';
import type { KeyOf } from './words';

export function renderForm(group: OperationGroup, keyOf: KeyOf): string {
  return `<script type="text/html" data-template-name="algo-${group.resource}">
  <div class="form-row">
    <label for="node-input-name"><i class="fa fa-tag" aria-hidden="true"></i> <span data-i18n="form.name"></span></label>
    <input type="text" id="node-input-name" data-i18n="[placeholder]form.name">
  </div>
  ${renderTarget('form.targetMessage')}
  ${deviceRow}
  ${groupRow}
${group.operations.length > 1 ? renderOperations(group.operations) : ''}
  <div class="algo-warning algo-unsupported" role="status"></div>
  <div class="form-row algo-parameters">
    <label for="node-input-parameters"><i class="fa fa-sliders" aria-hidden="true"></i> <span data-i18n="form.parameters"></span></label>
    <input type="text" id="node-input-parameters" style="width: calc(100% - 150px)">
    <input type="hidden" id="node-input-parametersType">
  </div>
  <p class="form-tips algo-without-plugin" data-i18n="form.withoutPlugin"></p>
${group.operations.map((operation) => renderSection(operation, keyOf)).join('\n')}
  <div class="algo-strangers"></div>
  <template class="algo-stranger"><div class="form-row algo-field"><label></label><input type="text" class="algo-input" style="width: calc(100% - 150px)"><div class="algo-error" role="status"></div></div></template>
${renderOptions(group)}
${renderDelivery(group)}
  <div class="form-row algo-tools">
    <button type="button" class="red-ui-button" id="algo-try" aria-describedby="algo-try-hint"><i class="fa fa-paper-plane-o" aria-hidden="true"></i> <span data-i18n="form.try"></span></button>
    <div class="algo-hint" id="algo-try-hint" data-i18n="form.tryHelp"></div>
    <div class="algo-report" id="algo-tried" role="status"></div>
  </div>
</script>`;
}

function renderOperations(operations: readonly Operation[]): string {
  return `  <div class="form-row">
    <label for="node-input-operation"><i class="fa fa-play-circle-o" aria-hidden="true"></i> <span data-i18n="form.operation"></span></label>
    <select id="node-input-operation" aria-describedby="algo-operation-help">
      <option value="" data-i18n="form.choose"></option>
${operations.map(({ id }) => `      <option value="${id}" data-i18n="operation.${id}.title"></option>`).join('\n')}
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
