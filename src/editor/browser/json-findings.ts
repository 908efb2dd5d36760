import { definitionOf } from './definition';
import { linesInJson } from './json-parameters';

/** Says below the box of the parameters what is wrong with the JSON in it, while it is written. */
export class JsonFindings {
  private readonly said = $('<div class="algo-error" id="algo-parameters-error" role="status">');
  private operation: () => string = () => '';

  /** @param parameters the input that becomes a typedInput */
  constructor(
    private readonly parameters: JQuery,
    private readonly node: EditorNode,
  ) {}

  /** The typedInput is there. */
  open(operation: () => string): void {
    this.operation = operation;
    this.said.appendTo(this.parameters.parent());
    this.box.attr('aria-describedby', 'algo-parameters-error').on('input', () => this.show());
    this.parameters.on('change', () => this.show());
  }

  private get box(): JQuery {
    return this.parameters.next().find('.red-ui-typedInput-input');
  }

  show(): void {
    const lines = this.lines();
    this.said.text(lines.join('\n'));
    this.box.attr('aria-invalid', String(lines.length > 0));
  }

  private lines(): string[] {
    const operations = definitionOf(this.node.type);
    const id = this.operation();
    const definition = Object.hasOwn(operations, id) ? operations[id] : undefined;
    if (!definition || this.parameters.typedInput('type') !== 'json') return [];
    return linesInJson(definition, this.parameters.typedInput('value'), this.node._def._);
  }
}
