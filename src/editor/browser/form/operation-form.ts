import { templateOf } from '../operations/definition';
import { entriesOf, type Stored } from '../operations/entry';
import { type NamedOperation, operationNamed } from '../operations/named-operation';
import { Section } from './section';
import { UnknownFields } from './unknown-fields';

/** Each form has ids of its own: the same operation may be there twice. */
let count = 0;

/** The form of one operation, as in its own node, inside of another node's dialog. */
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
   * Makes the form in its place; undefined for what is no operation, or where its node is disabled.
   * @param name for example `strobe/start`
   * @param form what is stored of it
   * @param changed called whenever something in it changes
   */
  static in(
    place: HTMLElement,
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
    place.append(element);
    return new OperationForm(element, operation, entriesOf(form), changed);
  }

  /** Offers the values that the model of the chosen device has; undefined where nobody knows it. */
  offer(model: string | undefined): void {
    this.section.offer(model);
  }

  /** What would be stored; what no row shows is kept. */
  entries(): Record<string, unknown> {
    return { ...this.section.entries(), ...this.unknownFields.entries(this.section) };
  }

  /** Whether there is anything to fill in at all. */
  asks(): boolean {
    return this.section.asks() || this.unknownFields.show(this.section) > 0;
  }

  private refresh(): void {
    // A section that is still making rows tells of changes before they are there.
    if (this.section.isMaking) return;
    this.section.review();
    this.unknownFields.show(this.section);
    this.changed();
  }
}

/** Makes ids, and what refers to them, the form's own. */
function setApart(element: HTMLElement): void {
  for (const name of ['id', 'for', 'aria-describedby', 'aria-labelledby']) {
    for (const one of element.querySelectorAll(`[${name}]`)) {
      const ids = (one.getAttribute(name) ?? '').split(' ');
      one.setAttribute(name, ids.map((id) => `${element.id}-${id}`).join(' '));
    }
  }
}

/** Does what the editor does with a dialog's template, in the words of another node. */
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
