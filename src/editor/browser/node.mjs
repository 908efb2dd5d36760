import { definitionOf } from './definition.mjs';
import { entriesOf } from './entry.mjs';
import { problemsOf } from './problems.mjs';

/** A property as the node's dialog shows it, if that is the one on top, else as the node holds it. */
export function current(node, property, prefix = 'input') {
  const isOpen = RED.editor.getEditStack().at(-1) === node;
  return (isOpen && $(`#node-${prefix}-${property}`).val()) || node[property];
}

/** The node's text in the workspace: its name, else what it does, and with which device. */
export function label(node) {
  if (node.name) return node.name;
  const translate = node._def._;
  const operation = operationOf(node);
  const known = Object.hasOwn(definitionOf(node.type), operation);
  const deed = known ? translate(`operation.${operation}.title`) : translate('noun');
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

/** A node's operation; nobody chooses the only one. */
export function operationOf(node, chosen = node.operation) {
  const [only, second] = Object.keys(definitionOf(node.type));
  return second === undefined && only !== undefined ? only : (chosen ?? '');
}

/** `true`, or one line for each wrong field. */
export function validateForm(node, form) {
  if ((node.parametersType ?? 'form') !== 'form') return true;
  const translate = node._def._;
  const operations = definitionOf(node.type);
  const operation = operationOf(node);
  if (!Object.hasOwn(operations, operation)) return true;
  const lines = problemsOf(operations[operation], entriesOf(form), translate).map((problem) => {
    const { name, field, sentence, isRuled } = problem;
    if (name === undefined || isRuled) return sentence;
    return `${field.isRow ? translate(`${field.key}.label`) : name}: ${sentence}`;
  });
  return lines.length === 0 || lines;
}
