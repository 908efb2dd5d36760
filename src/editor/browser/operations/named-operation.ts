import { type Definition, definitionOf } from './definition';
import { entriesOf } from './entry';
import { linesIn } from './problems';

/** An operation of any node by its name, for example `strobe/start`. */
export interface NamedOperation {
  /** The type of the node that has the operation. */
  readonly type: string;
  /** The id of the operation within this type. */
  readonly id: string;
  readonly definition: Definition;
  /** The lookup of the operation's own node, which has the words of its fields. */
  readonly translate: Translate;
  /** The title for the user: the node and the operation. */
  readonly title: string;
}

/** Finds an operation; undefined if it does not exist, or if its node type is disabled. */
export function operationNamed(name: unknown): NamedOperation | undefined {
  const [resource = '', id = ''] = String(name).split('/');
  const type = `algo-${resource}`;
  const operations = definitionOf(type);
  const definition = Object.hasOwn(operations, id) ? operations[id] : undefined;
  const translate = RED.nodes.getType(type)?._;
  if (!definition || !translate) return undefined;
  const title = `${capital(translate('resource'))}${translate('colon')}${translate(`operation.${id}.title`)}`;
  return { type, id, definition, translate, title };
}

/**
 * Returns the findings about a stored form of an operation, one per line, each with the label of its field.
 */
export function linesOf({ definition, translate }: NamedOperation, form: unknown): string[] {
  return linesIn(definition, entriesOf(form), translate);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
