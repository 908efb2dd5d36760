import { type Definition, definitionOf } from './definition';
import { entriesOf } from './entry';
import { linesIn } from './problems';

/** An operation of any node by its name, for example `strobe/start`. */
export interface NamedOperation {
  /** The type of its own node. */
  readonly type: string;
  /** Its id there. */
  readonly id: string;
  readonly definition: Definition;
  /** The lookup of its own node, which has the words of its fields. */
  readonly translate: Translate;
  /** What a person reads: the node and the operation. */
  readonly title: string;
}

/** Finds an operation; undefined where there is none, or where its node is disabled. */
export function operationNamed(name: unknown): NamedOperation | undefined {
  const [noun = '', id = ''] = String(name).split('/');
  const type = `algo-${noun}`;
  const operations = definitionOf(type);
  const definition = Object.hasOwn(operations, id) ? operations[id] : undefined;
  const translate = RED.nodes.getType(type)?._;
  if (!definition || !translate) return undefined;
  const title = `${capital(translate('noun'))}${translate('colon')}${translate(`operation.${id}.title`)}`;
  return { type, id, definition, translate, title };
}

/** What is wrong with a stored form of an operation, each in one line that names the field. */
export function linesOf({ definition, translate }: NamedOperation, form: unknown): string[] {
  return linesIn(definition, entriesOf(form), translate);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
