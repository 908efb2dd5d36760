import { isVariable } from '../operations/check';
import { definitionOf } from '../operations/definition';
import { entriesOf } from '../operations/entry';
import { linesInJson } from '../operations/json-parameters';
import { linesIn } from '../operations/problems';
import { current } from '../page/inputs';
import { isThere, targetsOf } from '../targets/target';

/** What a validator of Node-RED's editor may say: nothing is wrong, or what is, in one line or several. */
export type ValidationResult = true | string | readonly string[];

/** What is wrong with the device. */
export function validateDevice(node: EditorNode, device: unknown): ValidationResult {
  return current(node, 'target') === 'several'
    ? validateSeveral(node)
    : validateTarget(node, 'device', device);
}

/** A tag may come with a device whose tags nobody knows here. */
function validateSeveral(node: EditorNode): ValidationResult {
  const targets = targetsOf(node);
  const isGone = targets.some((one) => !one.startsWith('tag:') && !isVariable(one) && !isThere(one));
  if (targets.length > 0 && !isGone) return true;
  return node._def._(isGone ? 'several.gone' : 'several.none');
}

/** What is wrong with the group. */
export function validateGroup(node: EditorNode, group: unknown): ValidationResult {
  return validateTarget(node, 'group', group);
}

function validateTarget(node: EditorNode, kind: 'device' | 'group', id: unknown): ValidationResult {
  return (current(node, 'target') || 'device') === kind ? validateConfig(node, kind, id) : true;
}

/** What is wrong with the virtual device of a command. */
export function validateVirtual(node: EditorNode, id: unknown): ValidationResult {
  return validateConfig(node, 'device', id);
}

/** What is wrong with the broker of many sites. */
export function validateBroker(node: EditorNode, id: unknown): ValidationResult {
  return validateConfig(node, 'broker', id);
}

function validateConfig(
  node: EditorNode,
  kind: 'device' | 'group' | 'broker',
  id: unknown,
): ValidationResult {
  const translate = node._def._;
  if (!id || id === '_ADD_') return translate(`form.missing.${kind}`);
  const config = RED.nodes.node(id);
  if (!config) return translate(`form.gone.${kind}`);
  if (config.d) return translate(`form.disabled.${kind}`);
  return config.valid === false ? translate(`form.wrong.${kind}`) : true;
}

/** What is wrong with the operation. */
export function validateOperation(node: EditorNode, operation: unknown): ValidationResult {
  const translate = node._def._;
  if (!operation) return translate('form.invalid.operation');
  const id = String(operation);
  if (id === 'msg' || Object.hasOwn(definitionOf(node.type), id)) return true;
  return translate('form.invalid.unknownOperation', { operation: id });
}

/** A node's operation; nobody chooses the only one. */
export function operationOf(node: EditorNode): string {
  const [only, second] = Object.keys(definitionOf(node.type));
  return second === undefined && only !== undefined ? only : String(node.operation ?? '');
}

/** One line for each wrong field, of a form or of JSON in its place. */
export function validateForm(node: EditorNode, form: unknown): ValidationResult {
  const source = node.parametersType || 'form';
  if (source !== 'form' && source !== 'json') return true;
  const translate = node._def._;
  const operation = operationOf(node);
  const operations = definitionOf(node.type);
  const definition = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!definition) return true;
  const lines =
    source === 'form'
      ? linesIn(definition, entriesOf(form), translate)
      : linesInJson(definition, node.parameters, translate);
  return lines.length === 0 || lines;
}
