/** Keeps core from storing properties that a node lacks, unless the user changes them in the dialog. */
export class UnsetProperties {
  private readonly shown: ReadonlyMap<string, unknown>;

  /** Creates the guard; must be called when the dialog already shows the defaults. */
  constructor(node: EditorNode) {
    const names = Object.keys(node._def.defaults ?? {}).filter((name) => node[name] === undefined);
    this.shown = new Map(names.map((name) => [name, shownIn(inputOf(name))]));
  }

  /**
   * Hides unchanged inputs from core, for `oneditsave`.
   * Core reads inputs by their ids, and marks a node as changed if the node gets a new property.
   */
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

/** Marks a secret as not stored. Otherwise core would take an empty password field for a change. */
export function knowSecret({ credentials }: EditorNode, has: keyof StoredCredentials): void {
  for (const known of [credentials, credentials?._]) if (known) known[has] ??= false;
}

/** Turns a checkbox into a text field, because a checkbox can neither show nor keep `${ENV}`. */
export function asText(checkbox: JQuery, value: string): void {
  checkbox.attr('type', 'text').css('width', '').val(value);
}

/** Adds a stored value that is not an option to a select, so that the select shows and keeps the value. */
export function keepOption(select: JQuery, value: unknown): void {
  if (value === undefined || value === null) return;
  const text = String(value);
  const options = select.children().get() as HTMLOptionElement[];
  const isListed = options.some((option) => option.value === text);
  if (!isListed) $('<option>').val(text).text(text).appendTo(select);
  select.val(text);
}

/**
 * Returns a property as the dialog shows it if the node's dialog is on top, otherwise as the node stores it.
 */
export function current(node: EditorNode, property: string, prefix = 'input'): unknown {
  const isOpen = RED.editor.getEditStack().at(-1) === node;
  return (isOpen && $(`#node-${prefix}-${property}`).val()) || node[property];
}
