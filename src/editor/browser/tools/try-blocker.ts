import { isVariable } from '../operations/check';
import { isEntry } from '../operations/entry';
import { words } from './ask';

/** The current operation and form of an action node's dialog. */
export interface DialogValues {
  readonly operation: string;
  /** The form's entries; undefined if the parameters come from another source. */
  readonly form: Readonly<Record<string, unknown>> | undefined;
}

/** The parameters that can be sent without a message: the form, or JSON. */
export type Wanted = { readonly form: object } | { readonly parameters: string };

/** The reason why an operation cannot be tried: a sentence, and the findings of the dialog. */
export interface TryBlocker {
  readonly sentence: string;
  readonly lines?: readonly string[];
}

/** The types of entries whose value needs no message, including `json` in contrast to `check.ts`. */
const written = ['str', 'num', 'bool', 'json'];

/** The validators that the plugin's script adds to the page. */
interface Checks {
  validateForm(node: EditorNode, form: unknown): true | string | readonly string[];
}

/** Returns the reason why a device cannot be used for a try; undefined if it can. */
export function tryBlockerAt(device: EditorNode | null): TryBlocker | undefined {
  if (!device) return { sentence: words('try.noDevice') };
  for (const one of [device, RED.nodes.node(device.virtual)]) {
    const name = one && RED.utils.getNodeLabel(one, one.id);
    if (name && one.d) return { sentence: words('try.disabled', { device: name }) };
    // Core marks a node that is not deployed: the runtime has another version of it, or none.
    if (name && one.changed) return { sentence: words('try.undeployed', { device: name }) };
  }
  return undefined;
}

/** Returns the parameters to send, or the reason why they cannot be sent. */
export function wantedOf(node: EditorNode, { operation, form }: DialogValues): Wanted | TryBlocker {
  if (operation === '') return { sentence: words('try.operation') };
  if (operation === 'msg') return { sentence: words('try.noForm') };
  return form ? ofForm(node, operation, form) : ofParameters(node, operation);
}

function ofForm(
  node: EditorNode,
  operation: string,
  form: NonNullable<DialogValues['form']>,
): Wanted | TryBlocker {
  const wrong = wrongIn(node, { operation, parametersType: 'form' }, form);
  if (wrong) return wrong;
  const names = Object.entries(form).flatMap(([name, entry]) => (isWritten(entry) ? [] : [name]));
  if (names.length === 0) return { form };
  return messageWith(names.map((name) => labelOf(operation, name)));
}

/** Returns the findings about the shown parameters, in the words of the node's validator. */
function wrongIn(node: EditorNode, shown: object, form?: object): TryBlocker | undefined {
  // The copy protects the node: the editor's node is a proxy, and an object that inherits from it would write
  // into it.
  const wrong = (window.algoForm as Checks).validateForm({ ...node, ...shown }, form);
  return wrong === true ? undefined : { sentence: words('try.wrong'), lines: [wrong].flat() };
}

function ofParameters(node: EditorNode, operation: string): Wanted | TryBlocker {
  const place = $('#node-input-parameters');
  const text = place.typedInput('value');
  if (place.typedInput('type') !== 'json') return { sentence: words('try.noForm') };
  if (isVariable(text.trim())) return messageWith([node._def._('form.parameters')]);
  const shown = { operation, parametersType: 'json', parameters: text };
  return wrongIn(node, shown) ?? { parameters: text };
}

function messageWith(labels: readonly string[]): TryBlocker {
  return { sentence: words('try.message', { names: labels.join(', ') }) };
}

function isWritten(entry: unknown): boolean {
  return isEntry(entry) && written.includes(entry.type) && !isVariable(String(entry.value ?? ''));
}

/** Returns the label of a field; its name if it has no label. */
function labelOf(operation: string, name: string): string {
  const row = `[data-operation="${CSS.escape(operation)}"] [data-field="${CSS.escape(name)}"]:not([hidden])`;
  return $(row).find('label').first().text().trim() || name;
}
