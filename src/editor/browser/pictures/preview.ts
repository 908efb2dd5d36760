import { isVariable, readValue } from '../operations/check';
import { shown as asShown, isEntry, type Stored } from '../operations/entry';

/** The body of a request to a screen, or of one that lays a text over it. */
export interface ScreenShown {
  readonly screen?: Readonly<Record<string, unknown>>;
  /** What people call the template; without it stands the device's own name. */
  readonly title?: string;
  readonly overlay?: Readonly<Record<string, unknown>>;
}

/** What of a screen's dialog the drawing is made of. */
export interface ScreenDialog {
  readonly root: JQuery;
  readonly translate: Translate;
  operation(): string;
  /** What the form says; undefined where the parameters come from elsewhere. */
  form(): Stored | undefined;
}

/** Types whose value is written in the form. */
const written = ['str', 'num', 'bool'];

/** Draws below the form of a screen what the display would show, as far as the form says it. */
export class Preview {
  private readonly element = $('<div class="algo-preview" role="img" hidden>');
  private drawn = '';

  /** @param draw makes the drawing */
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

  /** What people call a template; nothing for one that is none. */
  private titleOf(template: unknown): { readonly title?: string } {
    const key = `operation.start.choice.${template}`;
    const title = this.dialog.translate(key);
    return title === key ? {} : { title };
  }
}

/** Whether the form says what kind of thing is to be shown. */
function isTold({ type, template, screenName, slideNames }: Record<string, unknown>): boolean {
  if (type === 'template') return template !== undefined;
  return [type, screenName, slideNames].some((one) => one !== undefined);
}

/** What is read by people on the display: of what only a message will bring, its place stands there. */
const words = /^(?:textContent|text\d|image\d|icon\d|screenName|slideNames)$/;

/** What the form says. */
function bodyOf(entries: Stored): Record<string, unknown> {
  const pairs = Object.entries(entries).flatMap(([name, entry]): [string, unknown][] => {
    const { type, value } = asShown(entry);
    if (!isEntry(entry) || value === '') return [];
    if (written.includes(type) && !isVariable(value)) return [[name, readValue(entry)]];
    return words.test(name) ? [[name, isVariable(value) ? value : `${type}.${value}`]] : [];
  });
  return Object.fromEntries(pairs);
}
