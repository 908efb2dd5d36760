import { isVariable } from '../operations/check';
import { isEntry } from '../operations/entry';
import { words } from './ask';

export interface DialogValues {
  readonly operation: string;
  readonly form: Readonly<Record<string, unknown>> | undefined;
  readonly notes?: readonly string[];
  /** The label of a button that ends what was started. */
  readonly stop?: string;
}

export type Wanted = { readonly form: object } | { readonly parameters: string };

export interface TryBlocker {
  readonly sentence: string;
  readonly lines?: readonly string[];
}

/** Types of entries whose values the dialog knows: `literals` of `check.ts`, and `json`. */
const written = ['str', 'num', 'bool', 'json'];

interface Checks {
  validateForm(node: EditorNode, form: unknown): true | string | readonly string[];
}

export function tryBlockerAt(device: EditorNode | null): TryBlocker | undefined {
  if (!device) return { sentence: words('try.noDevice') };
  for (const one of [device, RED.nodes.node(device.virtual)]) {
    const name = one && RED.utils.getNodeLabel(one, one.id);
    if (name && one.d) return { sentence: words('try.disabled', { device: name }) };
    // A changed node is not deployed: the runtime has an older version of the node, or no version.
    if (name && one.changed) return { sentence: words('try.undeployed', { device: name }) };
  }
  return undefined;
}

/** @param hasVariables whether values can be environment variables, which the runtime replaces and does not show */
export function wantedOf(
  node: EditorNode,
  { operation, form }: DialogValues,
  hasVariables = false,
): Wanted | TryBlocker {
  if (operation === '') return { sentence: words('try.operation') };
  if (operation === 'msg') return { sentence: words('try.noForm') };
  return form ? ofForm(node, operation, form, hasVariables) : ofParameters(node, operation);
}

function ofForm(
  node: EditorNode,
  operation: string,
  form: NonNullable<DialogValues['form']>,
  hasVariables: boolean,
): Wanted | TryBlocker {
  const wrong = wrongIn(node, { operation, parametersType: 'form' }, form);
  if (wrong) return wrong;
  const names = Object.entries(form).flatMap(([name, entry]) =>
    isWritten(entry) || (hasVariables && isOfEnvironment(entry)) ? [] : [name],
  );
  if (names.length === 0) return { form };
  return messageWith(names.map((name) => labelOf(operation, name)));
}

function wrongIn(node: EditorNode, shown: object, form?: object): TryBlocker | undefined {
  // Copies the node, since the editor's node is a proxy: properties set on an object that inherits from the
  // proxy would change the node.
  const wrong = (window.algoForm as Checks).validateForm({ ...node, ...shown }, form);
  return wrong === true ? undefined : { sentence: words('try.wrong'), lines: [wrong].flat() };
}

function ofParameters(node: EditorNode, operation: string): Wanted | TryBlocker {
  const container = $('#node-input-parameters');
  const text = container.typedInput('value');
  if (container.typedInput('type') !== 'json') return { sentence: words('try.noForm') };
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

function isOfEnvironment(entry: unknown): boolean {
  if (!isEntry(entry)) return false;
  return entry.type === 'env' || (written.includes(entry.type) && isVariable(String(entry.value ?? '')));
}

function labelOf(operation: string, name: string): string {
  const row = `[data-operation="${CSS.escape(operation)}"] [data-field="${CSS.escape(name)}"]:not([hidden])`;
  const property = $(`#node-input-${CSS.escape(name)}`).closest('.form-row');
  return $(row).add(property).find('label').first().text().trim() || name;
}
