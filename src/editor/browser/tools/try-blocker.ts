import { isVariable } from '../operations/check';
import { isEntry } from '../operations/entry';
import { words } from './ask';

/** What an action node's dialog says now. */
export interface DialogValues {
  readonly operation: string;
  /** Absent where the parameters come from elsewhere. */
  readonly form: Readonly<Record<string, unknown>> | undefined;
}

/** What a dialog says that can be sent without a message: its fields, or JSON in their place. */
export type Wanted = { readonly form: object } | { readonly parameters: string };

/** Why nothing can be tried: a sentence, and what of the dialog it is about. */
export interface TryBlocker {
  readonly sentence: string;
  readonly lines?: readonly string[];
}

/** What is known without a message, `json` beside what `check.ts` takes for written. */
const written = ['str', 'num', 'bool', 'json'];

/** What the page of the plugin finds wrong in a form. */
interface Checks {
  validateForm(node: EditorNode, form: unknown): true | string | readonly string[];
}

/** Whether a device can be tried as Node-RED has it. */
export function tryBlockerAt(device: EditorNode | null): TryBlocker | undefined {
  if (!device) return { sentence: words('try.noDevice') };
  for (const one of [device, RED.nodes.node(device.virtual)]) {
    const name = one && RED.utils.getNodeLabel(one, one.id);
    if (name && one.d) return { sentence: words('try.disabled', { device: name }) };
    // Core marks what was not deployed yet: what runs is another one, or none.
    if (name && one.changed) return { sentence: words('try.undeployed', { device: name }) };
  }
  return undefined;
}

/** What is to be sent, or why that cannot be. */
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

/** What is wrong with what is shown, in the words that mark the node. */
function wrongIn(node: EditorNode, shown: object, form?: object): TryBlocker | undefined {
  // A copy: a node of the editor is a proxy, which writes through whatever inherits from it.
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

/** What a person reads for a field; its name where it has no label. */
function labelOf(operation: string, name: string): string {
  const row = `[data-operation="${CSS.escape(operation)}"] [data-field="${CSS.escape(name)}"]:not([hidden])`;
  return $(row).find('label').first().text().trim() || name;
}
