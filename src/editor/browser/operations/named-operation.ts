import { type Definition, definitionOf } from './definition';
import { entriesOf } from './entry';
import { linesIn } from './problems';

export interface NamedOperation {
  readonly type: string;
  readonly id: string;
  readonly definition: Definition;
  readonly translate: Translate;
  readonly title: string;
}

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

export function linesOf({ definition, translate }: NamedOperation, form: unknown): string[] {
  return linesIn(definition, entriesOf(form), translate);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
