import { alertDeeds } from '../../catalogue/alert-deeds';
import { isVariable } from './check';
import type { Judgement } from './node';
import { linesOf, operationNamed } from './operations';
import { listIn } from './rows';

/** A deed of an alert as it is stored; what is in it may be anything. */
export interface StoredDeed {
  readonly operation?: unknown;
  readonly form?: unknown;
}

/** So many sentences fit into the editor's tooltip. */
const mostSaid = 5;

/** What is wrong with the deeds of an alert. */
export function validateDeeds(node: EditorNode, stored: unknown): Judgement {
  if (typeof stored === 'string' && isVariable(stored)) return true;
  const translate = node._def._;
  const list = listIn(stored) ?? [];
  if (list.length === 0) return translate('invalid.deeds');
  const lines = list.flatMap((deed, index) => {
    const words = { place: String(index + 1), title: titleOf(deed) };
    return linesOfDeed(deed, translate).map((sentence) => translate('deed.line', { ...words, sentence }));
  });
  return lines.length === 0 || lines.slice(0, mostSaid);
}

/** What a person reads for a deed. */
export function titleOf(deed: unknown): string {
  const { operation } = Object(deed) as StoredDeed;
  return operationNamed(operation)?.title ?? String(operation ?? '');
}

/**
 * What is wrong with one deed, in lines.
 * @param translate the alert's own lookup
 */
export function linesOfDeed(deed: unknown, translate: Translate): string[] {
  const { operation, form } = Object(deed) as StoredDeed;
  const words = { operation: String(operation ?? '') };
  if (!alertDeeds.some((known) => known.operation === operation)) return [translate('deed.unknown', words)];
  const named = operationNamed(operation);
  return named ? linesOf(named, form) : [translate('deed.disabled', words)];
}
