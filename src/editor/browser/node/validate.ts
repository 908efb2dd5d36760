import { isVariable } from '../operations/check';
import { definitionOf } from '../operations/definition';
import { entriesOf } from '../operations/entry';
import { linesInJson } from '../operations/json-parameters';
import { linesIn } from '../operations/problems';
import { current } from '../page/inputs';
import { isOneGone, letDevicesDecide, targetsOf } from '../targets/target';

/**
 * The result of a validator for core: `true` for a valid value, otherwise one line or several lines for the
 * tooltip.
 */
export type ValidationResult = true | string | readonly string[];

export function validateDevice(node: EditorNode, device: unknown): ValidationResult {
  return current(node, 'target') === 'several'
    ? validateSeveral(node)
    : validateTarget(node, 'device', device);
}

function validateSeveral(node: EditorNode): ValidationResult {
  const targets = targetsOf(node);
  if (targets.length === 0) return node._def._('several.none');
  return isOneGone(targets) ? node._def._('several.gone') : true;
}

export function validateGroup(node: EditorNode, group: unknown): ValidationResult {
  return validateTarget(node, 'group', group);
}

function validateTarget(node: EditorNode, kind: 'device' | 'group', id: unknown): ValidationResult {
  return (current(node, 'target') || 'device') === kind ? validateConfig(node, kind, id) : true;
}

export function validateVirtual(node: EditorNode, id: unknown): ValidationResult {
  return validateConfig(node, 'device', id);
}

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

/**
 * Validates the priority of an alert: a number from 0 to 10 or an empty text, the path of a message property,
 * or an environment variable.
 */
export function validatePriority(node: EditorNode, priority: unknown): ValidationResult {
  const type = String(current(node, 'priorityType') || 'num');
  const text = String(priority ?? '');
  if (isVariable(text) || isVariable(type)) return true;
  const words = findPriority(type, text);
  return words === undefined || node._def._(`form.invalid.${words}`);
}

function findPriority(type: string, text: string): string | undefined {
  if (type === 'msg')
    return text !== '' && RED.utils.validateTypedProperty(text, type) === true ? undefined : 'priorityPath';
  if (type !== 'num') return 'type';
  const isNumber = text.trim() !== '' && Number(text) >= 0 && Number(text) <= 10;
  return text === '' || isNumber ? undefined : 'priority';
}

export function validateOperation(node: EditorNode, operation: unknown): ValidationResult {
  const translate = node._def._;
  if (!operation) return translate('form.invalid.operation');
  const id = String(operation);
  if (id === 'msg' || Object.hasOwn(definitionOf(node.type), id)) return true;
  return translate('form.invalid.unknownOperation', { operation: id });
}

/** Returns the operation of a node. A node whose type has a single operation does not store its operation. */
export function operationOf(node: EditorNode): string {
  const [only, second] = Object.keys(definitionOf(node.type));
  return second === undefined && only !== undefined ? only : String(node.operation ?? '');
}

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
      ? linesIn(definition, entriesOf(form), translate, letDevicesDecide(node))
      : linesInJson(definition, node.parameters, translate, letDevicesDecide(node));
  return lines.length === 0 || lines;
}
