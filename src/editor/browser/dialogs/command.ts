import { loadScript, whenThere } from '../page/load';
import { nameTypedInput } from '../page/typed-input';

declare global {
  interface Window {
    /** The rows of the dialog of `algo-virtual`, which their own script defines when the dialog opens. */
    algoVirtual?: { open(): void };
  }
}

/** Returns the label of an `algo-virtual` node in the workspace: its name, or its command and its device. */
export function commandLabel(node: EditorNode): string {
  const { name, operation, virtual } = node;
  if (name) return name;
  const device = RED.nodes.node(virtual);
  const key = `operation.${operation}`;
  const words = node._def._(operation === 'msg' || !operation ? 'resource' : key);
  // An option of the select ends with the name of the command.
  const title = words.replace(/ \([\w-]+\)$/, '');
  return [[title, ...valuesIn(node)].join(' '), device && RED.utils.getNodeLabel(device, device.id)]
    .filter(Boolean)
    .join(' → ');
}

/** Returns the first two parameters of a command; never a password. */
function valuesIn({ operation, parametersType, parameters }: EditorNode): string[] {
  if (operation === 'msg' || operation === 'password' || parametersType !== 'json') return [];
  try {
    const given: unknown[] = Object.values(Object(JSON.parse(String(parameters ?? ''))));
    return given.slice(0, 2).map((value) => JSON.stringify(value).replaceAll('"', ''));
  } catch {
    return [];
  }
}

/**
 * Opens the dialog of `algo-virtual`, for `oneditprepare`. If the rows fail to load, the user can edit the
 * JSON instead.
 */
export function openCommand(node: EditorNode): void {
  const parameters = $('#node-input-parameters');
  const form = parameters.closest('form').addClass('algo-form');
  const json = { value: 'json', label: node._def._('form.below') };
  parameters.typedInput({
    default: 'msg',
    typeField: $('#node-input-parametersType'),
    types: ['msg', json, 'jsonata', 'flow', 'global'],
  });
  nameTypedInput(parameters);
  loadScript('algo-virtual.js', () => window.algoVirtual)
    .then(({ open }) => whenThere(form, open))
    .catch(() => {});
}
