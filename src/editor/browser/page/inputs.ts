/** Keeps core from storing properties that a node lacks, where its dialog leaves them as they were shown. */
export class UnsetProperties {
  private readonly shown: ReadonlyMap<string, unknown>;

  /** Made once the dialog shows the defaults. */
  constructor(node: EditorNode) {
    const names = Object.keys(node._def.defaults ?? {}).filter((name) => node[name] === undefined);
    this.shown = new Map(names.map((name) => [name, shownIn(inputOf(name))]));
  }

  /** For `oneditsave`: core reads inputs by their id, and calls a node changed that gets a property. */
  spare(): void {
    for (const [name, value] of this.shown) {
      const input = inputOf(name);
      if (shownIn(input) === value) input.removeAttr('id');
    }
  }
}

function inputOf(name: string): JQuery {
  return $(`#node-input-${name}`);
}

function shownIn(input: JQuery): unknown {
  return input.attr('type') === 'checkbox' ? input.prop('checked') : input.val();
}

/** Where no secret was ever stored, core takes an empty box for a change, unless it is told so. */
export function knowSecret({ credentials }: EditorNode, has: keyof StoredCredentials): void {
  for (const known of [credentials, credentials?._]) if (known) known[has] ??= false;
}

/** A checkbox can neither show nor keep `${ENV}`. */
export function asText(checkbox: JQuery, value: string): void {
  checkbox.attr('type', 'text').css('width', '').val(value);
}

/** A select shows, and so keeps, a stored value that is none of its options. */
export function keepOption(select: JQuery, value: unknown): void {
  if (value === undefined || value === null) return;
  const text = String(value);
  const options = select.children().get() as HTMLOptionElement[];
  const isListed = options.some((option) => option.value === text);
  if (!isListed) $('<option>').val(text).text(text).appendTo(select);
  select.val(text);
}

/** A property as the node's dialog shows it, if that is the one on top, else as the node holds it. */
export function current(node: EditorNode, property: string, prefix = 'input'): unknown {
  const isOpen = RED.editor.getEditStack().at(-1) === node;
  return (isOpen && $(`#node-${prefix}-${property}`).val()) || node[property];
}
