import { isVariable, readValue } from '../operations/check';
import { shown as asShown, isEntry, type Stored } from '../operations/entry';

/**
 * The content of a display: a screen, an overlay text, or both. `screen` and `overlay` are bodies of
 * requests.
 */
export interface ScreenShown {
  readonly screen?: Readonly<Record<string, unknown>>;
  /** Title of the template; if absent, the picture shows the device's own name for the template. */
  readonly title?: string;
  readonly overlay?: Readonly<Record<string, unknown>>;
}

export interface ScreenDialog {
  readonly root: JQuery;
  readonly translate: Translate;
  operation(): string;
  form(): Stored | undefined;
}

const written = ['str', 'num', 'bool'];

export class Preview {
  private readonly element = $('<div class="algo-preview" role="img" hidden>');
  private drawn = '';

  constructor(
    private readonly dialog: ScreenDialog,
    private readonly draw: (shown: ScreenShown) => HTMLElement,
  ) {
    this.element.attr('aria-label', dialog.translate('fields.preview'));
    this.element.insertAfter(dialog.root.find('.algo-strangers'));
    dialog.root.on('algo-shown', () => this.show());
    dialog.root.on('change input', '.algo-field', () => this.show());
    this.show();
  }

  private show(): void {
    const operation = this.dialog.operation();
    const body = bodyOf(this.dialog.form() ?? {});
    const shown =
      operation === 'text-start' ? { overlay: body } : { screen: body, ...this.titleOf(body.template) };
    const isDrawn =
      operation === 'text-start' ? 'textContent' in body : operation === 'start' && isKindGiven(body);
    const drawn = isDrawn ? JSON.stringify(shown) : '';
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.element.prop('hidden', !isDrawn).empty();
    if (isDrawn) this.element.append(this.draw(shown));
  }

  private titleOf(template: unknown): { readonly title?: string } {
    const key = `operation.start.choice.${template}`;
    const title = this.dialog.translate(key);
    return title === key ? {} : { title };
  }
}

function isKindGiven({ type, template, screenName, slideNames }: Record<string, unknown>): boolean {
  if (type === 'template') return template !== undefined;
  return [type, screenName, slideNames].some((one) => one !== undefined);
}

/**
 * Fields whose value the picture can show as text: texts, and the names of images, icons, screens and slides.
 * If only the runtime knows the value, the picture shows its source, such as `msg.text`.
 */
const words = /^(?:textContent|text\d|image\d|icon\d|screenName|slideNames)$/;

function bodyOf(entries: Stored): Record<string, unknown> {
  const pairs = Object.entries(entries).flatMap(([name, entry]): [string, unknown][] => {
    const { type, value } = asShown(entry);
    if (!isEntry(entry) || value === '') return [];
    if (written.includes(type) && !isVariable(value)) return [[name, readValue(entry)]];
    return words.test(name) ? [[name, isVariable(value) ? value : `${type}.${value}`]] : [];
  });
  return Object.fromEntries(pairs);
}
