import { loadScript } from './load-script';
import { nameTypedInput } from './naming';
import { whenThere } from './when-there';

declare global {
  interface Window {
    /** Brought by a file of its own, when the dialog of `algo-virtual` opens. */
    algoVirtual?: { open(): void };
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
