import { isVariable, readValue } from '../operations/check';
import { shown as asShown, isEntry, type Stored } from '../operations/entry';

/** The body of a request that shows a screen, or that shows a text over the current screen. */
export interface ScreenShown {
  readonly screen?: Readonly<Record<string, unknown>>;
  /** The title of the template; without a title the device's own name is shown. */
  readonly title?: string;
  readonly overlay?: Readonly<Record<string, unknown>>;
}

/** The part of a screen's dialog that the preview uses. */
export interface ScreenDialog {
  readonly root: JQuery;
  readonly translate: Translate;
  operation(): string;
  /** Returns the form's entries; undefined if the parameters come from another source. */
  form(): Stored | undefined;
}

/** The types whose value is written in the form. */
const written = ['str', 'num', 'bool'];

/** A preview of the display below the form of a screen, as far as the form determines it. */
export class Preview {
  private readonly element = $('<div class="algo-preview" role="img" hidden>');
  private drawn = '';

  /** @param draw creates the drawing */
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
      operation === 'text-start' ? 'textContent' in body : operation === 'start' && isTold(body);
    const drawn = isDrawn ? JSON.stringify(shown) : '';
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.element.prop('hidden', !isDrawn).empty();
    if (isDrawn) this.element.append(this.draw(shown));
  }

  /** Returns the title of a template; empty for an unknown template. */
  private titleOf(template: unknown): { readonly title?: string } {
    const key = `operation.start.choice.${template}`;
    const title = this.dialog.translate(key);
    return title === key ? {} : { title };
  }
}

/** Whether the form says which kind of screen is shown. */
function isTold({ type, template, screenName, slideNames }: Record<string, unknown>): boolean {
  if (type === 'template') return template !== undefined;
  return [type, screenName, slideNames].some((one) => one !== undefined);
}

/** Fields with text on the display. If only a message has the value, the preview shows its source instead. */
const words = /^(?:textContent|text\d|image\d|icon\d|screenName|slideNames)$/;

/** Returns the request body as far as the form determines it. */
function bodyOf(entries: Stored): Record<string, unknown> {
  const pairs = Object.entries(entries).flatMap(([name, entry]): [string, unknown][] => {
    const { type, value } = asShown(entry);
    if (!isEntry(entry) || value === '') return [];
    if (written.includes(type) && !isVariable(value)) return [[name, readValue(entry)]];
    return words.test(name) ? [[name, isVariable(value) ? value : `${type}.${value}`]] : [];
  });
  return Object.fromEntries(pairs);
}
