import {
  keepOption,
  openDevice,
  openVirtualDevice,
  openWatch,
  validateAddress,
  validateFingerprint,
} from './device.mjs';
import { entriesOf, same } from './entry.mjs';
import { label, validateDevice, validateForm, validateOperation } from './node.mjs';
import { Row } from './row.mjs';

const parameterSources = ['msg', 'jsonata', 'flow', 'global', 'json'];

/** The open dialog of one action node. */
class Dialog {
  constructor(node) {
    this.node = node;
    this.translate = node._def._;
    this.operations = $('#node-input-operation');
    this.targets = $('#node-input-target');
    this.parameters = $('#node-input-parameters');
    this.root = this.operations.closest('form');
    this.stored = entriesOf(node.form);
    this.rows = {};
  }

  open() {
    this.root.addClass('algo-form').find('.algo-without-plugin').remove();
    keepOption(this.targets, this.node.target);
    keepOption(this.operations, this.node.operation);
    this.shownOperation = this.operations.val();
    this.strangers = this.strangerRows();
    this.openParameters();
    this.targets.on('change', () => this.refresh());
    this.operations.on('change', () => this.changeOperation());
    this.refresh();
  }

  openParameters() {
    const typeField = $('#node-input-parametersType');
    const type = typeField.val() || 'form';
    typeField.val(type);
    this.formType = { value: 'form', label: this.translate('form.below'), hasValue: false };
    const known = type === 'form' || parameterSources.includes(type);
    this.sources = known ? parameterSources : [...parameterSources, { value: type, label: type }];
    this.place = this.parameters.val();
    this.parameters.typedInput({ default: type, types: this.parameterTypes(), typeField });
    this.parameters.on('typedinputtypechange', (_, newType) => this.changeSource(newType));
  }

  /** The form belongs to one operation: it is not offered where the message chooses. */
  parameterTypes() {
    return this.operations.val() === 'msg' ? this.sources : [this.formType, ...this.sources];
  }

  /** The typedInput empties its box at such a change. A form has no box, and keeps what was in it. */
  changeSource(type) {
    if (type === 'form') this.parameters.typedInput('value', this.place);
    if (type === 'msg' && this.parameters.typedInput('value') === '')
      this.parameters.typedInput('value', 'payload');
    this.refresh();
  }

  changeOperation() {
    const before = this.parameters.typedInput('type');
    if (before === 'form') this.formWanted = true;
    this.parameters.typedInput('types', this.parameterTypes());
    if (this.formWanted && this.operations.val() !== 'msg') this.parameters.typedInput('type', 'form');
    this.carryOver();
    this.refresh();
  }

  /** What was entered for a field stays when the other operation has it too. */
  carryOver() {
    const operation = this.operations.val();
    const from = this.rowsOf(this.shownOperation);
    for (const row of this.rowsOf(operation)) {
      const twin = from.find((other) => other.name === row.name);
      if (twin && twin !== row) row.adopt(twin.entry());
    }
    if (this.section(operation).length > 0) this.shownOperation = operation;
  }

  /** The rows of an operation. They are made when they are needed: a node can have hundreds. */
  rowsOf(operation) {
    if (!Object.hasOwn(this.rows, operation)) {
      const elements = this.section(operation).find('[data-field]').get();
      this.rows[operation] = elements.map(
        (element) => new Row(element, this.translate, this.stored[element.dataset.field]),
      );
    }
    return this.rows[operation];
  }

  section(operation) {
    return this.root.find('[data-operation]').filter((_, element) => element.dataset.operation === operation);
  }

  /** Rows for what is stored and no field of the operation: nothing is dropped unseen. */
  strangerRows() {
    const known = this.rowsOf(this.shownOperation).map((row) => row.name);
    if (this.section(this.shownOperation).length === 0) return [];
    const names = Object.keys(this.stored).filter((name) => !known.includes(name));
    return names.map((name) => {
      const element = $(this.root.find('.algo-stranger').html()).appendTo(this.root.find('.algo-strangers'));
      element.attr({ 'data-field': name, 'data-schema': '{"unknown":true}' });
      element.find('label').attr('id', `algo-stranger-${name}`).text(name);
      element.find('.algo-error').attr('id', `algo-stranger-${name}-error`);
      return new Row(element[0], this.translate, this.stored[name]);
    });
  }

  /** The strangers that the chosen operation does not know either. */
  remaining() {
    const known = this.rowsOf(this.operations.val()).map((row) => row.name);
    return this.strangers.filter((row) => !known.includes(row.name));
  }

  /** Shows what belongs to the choices made. */
  refresh() {
    const operation = this.operations.val();
    const target = this.targets.val();
    const form = this.parameters.typedInput('type') === 'form';
    this.root.find('[data-target]').each((_, row) => $(row).toggle(row.dataset.target === target));
    this.root.find('.algo-deed').each((_, hint) => $(hint).toggle(hint.dataset.deed === operation));
    this.root.find('[data-operation]').prop('hidden', true);
    this.rowsOf(operation);
    this.section(operation).prop('hidden', !form);
    const remaining = this.remaining();
    for (const row of this.strangers) $(row.element).toggle(form && remaining.includes(row));
    RED.tray.resize();
  }

  save() {
    const operation = this.operations.val();
    if (this.parameters.typedInput('type') !== 'form' || this.section(operation).length === 0) return;
    const form = {};
    for (const row of [...this.rowsOf(operation), ...this.remaining()]) {
      const entry = row.entry();
      if (entry !== undefined) form[row.name] = entry;
    }
    if (!same(form, this.stored)) this.node.form = form;
  }
}

window.algoForm = {
  label,
  validateDevice,
  validateOperation,
  validateForm,
  validateAddress,
  validateFingerprint,
  openDevice,
  openVirtualDevice,
  openWatch,
  keepOption,
  /** For `oneditprepare`. */
  open(node) {
    const dialog = new Dialog(node);
    dialog.root.data('algoDialog', dialog);
    dialog.open();
  },
  /** For `oneditsave`: replaces the node's `form` if something in it changed. */
  save(node) {
    const dialog = $('#node-input-operation').closest('form').data('algoDialog');
    if (dialog?.node === node) dialog.save();
  },
};
