import { alertActions } from '../../../catalogue/alert-actions';
import { isVariable } from '../operations/check';
import { type Entry, entriesOf, shown } from '../operations/entry';
import { linesOf, operationNamed } from '../operations/named-operation';
import { wordOf } from '../operations/values';
import { listIn } from '../targets/group-rows';
import type { ValidationResult } from './validate';

export interface StoredAction {
  readonly operation?: unknown;
  readonly form?: unknown;
}

/** Maximum number of sentences that fit into the editor's tooltip. */
const maxSentences = 5;

export function validateActions(node: EditorNode, stored: unknown): ValidationResult {
  if (typeof stored === 'string' && isVariable(stored)) return true;
  const translate = node._def._;
  const list = listIn(stored) ?? [];
  if (list.length === 0) return translate('invalid.actions');
  const lines = list.flatMap((action, index) => {
    const words = { place: String(index + 1), title: titleOf(action) };
    return linesOfAction(action, translate).map((sentence) =>
      translate('action.line', { ...words, sentence }),
    );
  });
  return lines.length === 0 || lines.slice(0, maxSentences);
}

export function titleOf(action: unknown): string {
  const { operation } = Object(action) as StoredAction;
  return operationNamed(operation)?.title ?? String(operation ?? '');
}

export function linesOfAction(action: unknown, translate: Translate): string[] {
  const { operation, form } = Object(action) as StoredAction;
  const words = { operation: String(operation ?? '') };
  if (!alertActions.some((known) => known.operation === operation))
    return [translate('action.unknown', words)];
  const named = operationNamed(operation);
  return named ? linesOf(named, form) : [translate('action.disabled', words)];
}

export function shownIn(action: unknown): Entry[] {
  const { operation, form } = Object(action) as StoredAction;
  const named = operationNamed(operation);
  const fields = new Map(named?.definition.rows);
  return Object.entries(entriesOf(form)).map(([name, entry]) => {
    const { type, value } = shown(entry);
    const field = fields.get(name);
    if (!named || !field) return { type, value };
    const word = wordOf(field, value, named.translate);
    // Without the label, "on" or "off" would not say which setting is meant.
    const isSwitch = type === 'bool' && value !== '' && field.key;
    const title = isSwitch ? `${named.translate(`${field.key}.label`)}${named.translate('colon')}` : '';
    return { type, value: title + word };
  });
}
