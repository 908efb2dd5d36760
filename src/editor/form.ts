import type { Operation, OperationGroup } from '../catalogue/operation';
import { dialogSchema, type FormField, formFields } from './field';
import { escapeHtml } from './html';
import type { KeyOf } from './words';

/** The `{{form}}` of an action node: its dialog's template, one section of rows for each operation. */
export function renderForm(group: OperationGroup, keyOf: KeyOf): string {
  return `<script type="text/html" data-template-name="algo-${group.noun}">
  <div class="form-row">
    <label for="node-input-name"><i class="fa fa-tag" aria-hidden="true"></i> <span data-i18n="form.name"></span></label>
    <input type="text" id="node-input-name" data-i18n="[placeholder]form.name">
  </div>
  <div class="form-row">
    <label for="node-input-target"><i class="fa fa-bullseye" aria-hidden="true"></i> <span data-i18n="form.target"></span></label>
    <select id="node-input-target" aria-describedby="algo-target">
      <option value="device" data-i18n="form.targetDevice"></option>
      <option value="msg" data-i18n="form.targetMessage"></option>
    </select>
    <div class="algo-hint" id="algo-target" data-target="msg" hidden data-i18n="form.targetHelp"></div>
  </div>
  <div class="form-row" data-target="device">
    <label for="node-input-device"><i class="fa fa-cube" aria-hidden="true"></i> <span data-i18n="form.device"></span></label>
    <input type="text" id="node-input-device" style="width: calc(100% - 150px)">
  </div>
  <div class="form-row">
    <label for="node-input-operation"><i class="fa fa-play-circle-o" aria-hidden="true"></i> <span data-i18n="form.operation"></span></label>
    <select id="node-input-operation" aria-describedby="algo-deeds">
      <option value="" data-i18n="form.choose"></option>
${group.operations.map(({ id }) => `      <option value="${id}" data-i18n="operation.${id}.title"></option>`).join('\n')}
      <option value="msg" data-i18n="form.operationMessage"></option>
    </select>
    <div id="algo-deeds">
${group.operations.map(renderDeed).join('\n')}
      <div class="algo-hint algo-deed" data-deed="msg" hidden data-i18n="operationHelp"></div>
    </div>
  </div>
  <div class="form-row algo-parameters">
    <label for="node-input-parameters"><i class="fa fa-sliders" aria-hidden="true"></i> <span data-i18n="form.parameters"></span></label>
    <input type="text" id="node-input-parameters" style="width: calc(100% - 150px)">
    <input type="hidden" id="node-input-parametersType">
  </div>
  <p class="form-tips algo-without-plugin" data-i18n="form.withoutPlugin"></p>
${group.operations.map((operation) => renderSection(operation, keyOf)).join('\n')}
  <div class="algo-strangers"></div>
  <template class="algo-stranger"><div class="form-row algo-field"><label></label><input type="text" class="algo-input" style="width: calc(100% - 150px)"><div class="algo-error" role="status"></div></div></template>
</script>`;
}

function renderDeed({ id }: Operation): string {
  return `      <div class="algo-hint algo-deed" data-deed="${id}" hidden data-i18n="operation.${id}.help"></div>`;
}

function renderSection(operation: Operation, keyOf: KeyOf): string {
  let parent: string | undefined;
  const rows = formFields(operation).map((row) => {
    const isFirst = row.parent !== undefined && row.parent !== parent;
    parent = row.parent;
    return `${isFirst ? renderHead(operation, row.parent ?? '', keyOf) : ''}${renderRow(operation, row, keyOf)}`;
  });
  return `  <div data-operation="${operation.id}" hidden>
${rows.join('\n')}
  </div>`;
}

function renderHead(operation: Operation, name: string, keyOf: KeyOf): string {
  const key = keyOf(operation, name);
  return `    <div class="algo-head"><h4 data-i18n="${key}.label"></h4><div class="algo-hint" data-i18n="${key}.help"></div></div>\n`;
}

function renderRow(operation: Operation, row: FormField, keyOf: KeyOf): string {
  const id = `algo-${operation.id}-${row.name.replaceAll('.', '-')}`;
  const key = keyOf(operation, row.name);
  return `    <div class="form-row algo-field" data-field="${escapeHtml(row.name)}" data-key="${key}" data-schema="${escapeHtml(dialogSchema(row))}">
      <label id="${id}"><span data-i18n="${key}.label"></span></label>
      <input type="text" class="algo-input" style="width: calc(100% - 150px)">
      <div class="algo-hint" id="${id}-hint" data-i18n="${key}.help"></div>
      <div class="algo-error" id="${id}-error" role="status"></div>
    </div>`;
}
