import { loadScript, whenThere } from '../page/load';
import { nameTypedInput } from '../page/typed-input';

declare global {
  interface Window {
    /** Brought by a file of its own, when the dialog of `algo-virtual` opens. */
    algoVirtual?: { open(): void };
  }
}

/** The text of an `algo-virtual` in the workspace: its name, else what it does to which device. */
export function commandLabel(node: EditorNode): string {
  const { name, operation, virtual } = node;
  if (name) return name;
  const device = RED.nodes.node(virtual);
  const key = `operation.${operation}`;
  const words = node._def._(operation === 'msg' || !operation ? 'noun' : key);
  // The select has the command's own name behind the words.
  const title = words.replace(/ \([\w-]+\)$/, '');
  return [[title, ...valuesIn(node)].join(' '), device && RED.utils.getNodeLabel(device, device.id)]
    .filter(Boolean)
    .join(' → ');
}

/** The first two things that the command is given; never a password. */
function valuesIn({ operation, parametersType, parameters }: EditorNode): string[] {
  if (operation === 'msg' || operation === 'password' || parametersType !== 'json') return [];
  try {
    const given: unknown[] = Object.values(Object(JSON.parse(String(parameters ?? ''))));
    return given.slice(0, 2).map((value) => JSON.stringify(value).replaceAll('"', ''));
  } catch {
    return [];
  }
}

/** For the `oneditprepare` of `algo-virtual`. Without the rows there is the text that they would make. */
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
