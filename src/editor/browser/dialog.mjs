import {
  keepOption,
  openDevice,
  openVirtualDevice,
  openWatch,
  validateAddress,
  validateFingerprint,
} from './device.mjs';
import { entriesOf, same } from './entry.mjs';
import { modelOf } from './models.mjs';
import { nameTypedInput } from './naming.mjs';
import { label, operationOf, validateDevice, validateForm, validateOperation } from './node.mjs';
import { Options } from './options.mjs';
import { Row } from './row.mjs';
import { Section } from './section.mjs';

const parameterSources = ['msg', 'jsonata', 'flow', 'global', 'json'];

/** The open dialog of one action node. */
class Dialog {
  constructor(node) {
    this.node = node;
    this.translate = node._def._;
    this.operations = $('#node-input-operation');
    this.targets = $('#node-input-target');
    this.parameters = $('#node-input-parameters');
    this.root = this.targets.closest('form');
    this.stored = entriesOf(node.form);
    this.sections = new Map();
    this.options = new Options(this.root, node);
  }

  open() {
    this.root.addClass('algo-form').find('.algo-without-plugin').remove();
    keepOption(this.targets, this.node.target);
    if (this.operations.length > 0) keepOption(this.operations, this.node.operation);
    this.shownOperation = this.operation();
    this.strangers = this.strangerRows();
    this.openParameters();
    this.targets.add('#node-input-device').on('change', () => this.refresh());
    this.operations.on('change', () => this.changeOperation());
    this.root.on('change input', '.algo-field', () => this.sections.get(this.operation())?.review());
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
    nameTypedInput(this.parameters);
    this.parameters.on('typedinputtypechange', (_, newType) => this.changeSource(newType));
  }

  /** The form belongs to one operation: it is not offered where the message chooses. */
  parameterTypes() {
    return this.operation() === 'msg' ? this.sources : [this.formType, ...this.sources];
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
    if (this.formWanted && this.operation() !== 'msg') this.parameters.typedInput('type', 'form');
    this.carryOver();
    this.refresh();
  }

  /** What was entered for a field stays when the other operation has it too. */
  carryOver() {
    const section = this.section(this.operation());
    const before = this.section(this.shownOperation);
    if (!section) return;
    if (before && before !== section) {
      section.adopt({ names: before.names(), entries: before.entries(), rows: [] });
    }
    this.shownOperation = this.operation();
  }

  /** The only operation is never chosen. */
  operation() {
    return this.operations.length > 0 ? this.operations.val() : operationOf(this.node);
  }

  /** The rows of an operation; undefined for what is none. */
  section(operation) {
    if (!this.sections.has(operation)) {
      const element = this.root.find('[data-operation]').get().find(isOf(operation));
      const isOwn = operation === operationOf(this.node);
      const changed = () => this.refresh();
      const section = element && new Section(element, this.translate, this.stored, isOwn, changed);
      this.sections.set(operation, section);
    }
    return this.sections.get(operation);
  }

  /** Rows for what is stored and no field of the operation: nothing is dropped unseen. */
  strangerRows() {
    const section = this.section(this.shownOperation);
    if (!section) return [];
    const known = section.names();
    const names = Object.keys(this.stored).filter((name) => !known.includes(name));
    return names.map((name) => {
      const element = $(this.root.find('.algo-stranger').html()).appendTo(this.root.find('.algo-strangers'));
      const schema = section?.definition.unasked[name] ?? { unknown: true };
      element.attr({ 'data-field': name, 'data-schema': JSON.stringify(schema) });
      element.find('label').attr('id', `algo-stranger-${name}`).text(name);
      element.find('.algo-error').attr('id', `algo-stranger-${name}-error`);
      return new Row(element[0], this.translate, this.stored[name]);
    });
  }

  /** The strangers that what is shown does not know either. */
  remaining() {
    const known = this.section(this.operation())?.names() ?? [];
    return this.strangers.filter((row) => !known.includes(row.name));
  }

  /** Shows what belongs to the choices made. */
  refresh() {
    const operation = this.operation();
    const target = this.targets.val();
    const form = this.parameters.typedInput('type') === 'form';
    this.root.find('[data-target]').each((_, row) => $(row).toggle(row.dataset.target === target));
    this.root.find('.algo-deed').each((_, hint) => $(hint).toggle(hint.dataset.deed === operation));
    this.root.find('[data-operation]').prop('hidden', true);
    this.options.show(operation);
    const section = this.section(operation);
    if (section) section.element.hidden = !form;
    section?.offer(modelOf(this.node));
    section?.review();
    const remaining = this.remaining();
    for (const row of this.strangers) $(row.element).toggle(form && remaining.includes(row));
    // Nobody is asked where to take nothing from.
    const isAsked = !form || remaining.length > 0 || section?.asks();
    this.root.find('.algo-parameters').toggle(Boolean(isAsked));
    RED.tray.resize();
  }

  save() {
    this.options.save();
    const section = this.section(this.operation());
    if (this.parameters.typedInput('type') !== 'form' || !section) return;
    const form = { ...section.entries() };
    for (const row of this.remaining()) {
      const entry = row.entry();
      if (entry !== undefined) form[row.name] = entry;
    }
    if (!same(form, this.stored)) this.node.form = form;
  }
}

function isOf(operation) {
  return ({ dataset }) => dataset.operation === operation;
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
  nameTypedInput,
  /** For `oneditprepare`. */
  open(node) {
    const dialog = new Dialog(node);
    dialog.root.data('algoDialog', dialog);
    dialog.open();
  },
  /** For `oneditsave`: replaces the node's `form` if something in it changed. */
  save(node) {
    const dialog = $('#node-input-target').closest('form').data('algoDialog');
    if (dialog?.node === node) dialog.save();
  },
};
