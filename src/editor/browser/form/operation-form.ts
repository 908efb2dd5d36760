import { templateOf } from '../operations/definition';
import { entriesOf, type Stored } from '../operations/entry';
import { type NamedOperation, operationNamed } from '../operations/named-operation';
import { Section } from './section';
import { UnknownFields } from './unknown-fields';

/**
 * Number of forms created so far, for unique element ids, since a dialog can contain several forms of one
 * operation.
 */
let count = 0;

export class OperationForm {
  private readonly section: Section;
  private readonly unknownFields: UnknownFields;

  private constructor(
    readonly element: HTMLElement,
    readonly operation: NamedOperation,
    stored: Stored,
    private readonly changed: () => void,
  ) {
    const { translate, id } = operation;
    const [section] = $(element)
      .find(`[data-operation="${CSS.escape(id)}"]`)
      .get();
    if (!section) throw new Error(`There is no form of ${id}`);
    section.hidden = false;
    const refresh = () => this.refresh();
    const isFresh = Object.keys(stored).length === 0;
    this.section = new Section(section, translate, { stored, isOwn: true, isFresh, changed: refresh });
    const surroundings = { translate, prefix: `${element.id}-`, changed: refresh };
    this.unknownFields = new UnknownFields($(element), this.section, stored, surroundings);
    $(element).on('change input', '.algo-field', refresh);
    this.unknownFields.show(this.section);
    this.section.review();
  }

  /**
   * Returns undefined if the operation does not exist, or if its node type is disabled.
   * @param name the operation, such as `strobe/start`
   */
  static in(
    container: HTMLElement,
    name: unknown,
    form: unknown,
    changed: () => void,
  ): OperationForm | undefined {
    const operation = operationNamed(name);
    const template = operation && templateOf(operation.type);
    if (!template) return undefined;
    count += 1;
    const element = document.createElement('div');
    element.id = `algo-form-${count}`;
    const own = `[data-operation="${CSS.escape(operation.id)}"], .algo-strangers, template.algo-stranger`;
    element.append(...template.querySelectorAll(own));
    setApart(element);
    translateAll(element, operation.translate);
    container.append(element);
    return new OperationForm(element, operation, entriesOf(form), changed);
  }

  offer(model: string | undefined): void {
    this.section.offer(model);
  }

  entries(): Record<string, unknown> {
    return { ...this.section.entries(), ...this.unknownFields.entries(this.section) };
  }

  asks(): boolean {
    return this.section.asks() || this.unknownFields.show(this.section) > 0;
  }

  private refresh(): void {
    // Rows report changes even while the section creates the rows, although the user has changed nothing.
    if (this.section.isMaking) return;
    this.section.review();
    this.unknownFields.show(this.section);
    this.changed();
  }
}

/**
 * Prefixes all ids in an element and the references to them, since another form in the page can have the same
 * ids.
 */
function setApart(element: HTMLElement): void {
  for (const name of ['id', 'for', 'aria-describedby', 'aria-labelledby']) {
    for (const one of element.querySelectorAll(`[${name}]`)) {
      const ids = (one.getAttribute(name) ?? '').split(' ');
      one.setAttribute(name, ids.map((id) => `${element.id}-${id}`).join(' '));
    }
  }
}

/**
 * Translates the texts of a template with the words of the operation's node, since the editor would use the
 * words of the dialog's node.
 */
function translateAll(element: HTMLElement, translate: Translate): void {
  for (const one of element.querySelectorAll<HTMLElement>('[data-i18n]')) {
    for (const part of one.dataset.i18n?.split(';') ?? []) {
      const [, attribute, key = ''] = /^(?:\[([^\]]*)\])?(.*)$/.exec(part) ?? [];
      if (attribute) one.setAttribute(attribute, translate(key));
      else one.textContent = translate(key);
    }
    one.removeAttribute('data-i18n');
  }
}
