import { checkEntry } from './check.mjs';
import { definitionOf, sentenceOf } from './definition.mjs';
import { entriesOf } from './entry.mjs';

/** A property as the node's dialog shows it, if that is the one on top, else as the node holds it. */
export function current(node, property, prefix = 'input') {
  const isOpen = RED.editor.getEditStack().at(-1) === node;
  return (isOpen && $(`#node-${prefix}-${property}`).val()) || node[property];
}

/** The node's text in the workspace: its name, else what it does, and with which device. */
export function label(node) {
  if (node.name) return node.name;
  const translate = node._def._;
  const known = Object.hasOwn(definitionOf(node.type), node.operation ?? '');
  const deed = known ? translate(`operation.${node.operation}.title`) : translate('noun');
  const device = (node.target ?? 'device') === 'device' && RED.nodes.node(node.device);
  return device ? `${deed} · ${RED.utils.getNodeLabel(device, device.id)}` : deed;
}

/** `true`, or what is wrong with the device. */
export function validateDevice(node, device) {
  if ((current(node, 'target') ?? 'device') !== 'device') return true;
  const prop = node._def._('form.device');
  if (!device || device === '_ADD_') return RED._('validator.errors.missing-required-prop', { prop });
  const config = RED.nodes.node(device);
  if (!config) return RED._('validator.errors.missing-config', { prop });
  return config.valid === false ? RED._('validator.errors.invalid-config', { prop }) : true;
}

/** `true`, or what is wrong with the operation. */
export function validateOperation(node, operation) {
  const translate = node._def._;
  if (!operation) return translate('form.invalid.operation');
  if (operation === 'msg' || Object.hasOwn(definitionOf(node.type), operation)) return true;
  return translate('form.invalid.unknownOperation', { operation });
}

/** `true`, or one line for each wrong field. */
export function validateForm(node, form) {
  if ((node.parametersType ?? 'form') !== 'form') return true;
  const translate = node._def._;
  const fields = definitionOf(node.type)[node.operation];
  if (!fields) return true;
  const stored = entriesOf(form);
  const lines = [];
  for (const name of new Set([...Object.keys(fields), ...Object.keys(stored)])) {
    const field = Object.hasOwn(fields, name) ? fields[name] : { unknown: true };
    const finding = checkEntry(field, stored[name]);
    const title = field.key ? translate(`${field.key}.label`) : name;
    if (finding) lines.push(`${title}: ${sentenceOf(translate, field, finding)}`);
  }
  return lines.length === 0 || lines;
}
