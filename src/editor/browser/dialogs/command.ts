import { loadScript, whenInPage } from '../page/load';
import { nameTypedInput } from '../page/typed-input';

declare global {
  interface Window {
    algoVirtual?: { open(): void };
  }
}

export function commandLabel(node: EditorNode): string {
  const { name, operation, virtual } = node;
  if (name) return name;
  const device = RED.nodes.node(virtual);
  const key = `operation.${operation}`;
  const words = node._def._(operation === 'msg' || !operation ? 'resource' : key);
  // The text of an option ends with its command, as in "Reboot (reboot)".
  const title = words.replace(/ \([\w-]+\)$/, '');
  return [[title, ...valuesIn(node)].join(' '), device && RED.utils.getNodeLabel(device, device.id)]
    .filter(Boolean)
    .join(' → ');
}

/** Returns no values for the command `password`, since a label must not show a password. */
function valuesIn({ operation, parametersType, parameters }: EditorNode): string[] {
  if (operation === 'msg' || operation === 'password' || parametersType !== 'json') return [];
  try {
    const given: unknown[] = Object.values(Object(JSON.parse(String(parameters ?? ''))));
    return given.slice(0, 2).map((value) => JSON.stringify(value).replaceAll('"', ''));
  } catch {
    return [];
  }
}

/** If the script of the rows fails to load, the user can edit the parameters as JSON. */
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
    .then(({ open }) => whenInPage(form, open))
    .catch(() => {});
}
