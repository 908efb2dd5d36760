/**
 * Prevents core from storing properties that a node does not have yet, unless the user changes their inputs.
 */
export class UnsetProperties {
  private readonly shown: ReadonlyMap<string, unknown>;

  /**
   * Must be called after the inputs got their defaults: an input that still has its value at Done counts as
   * unchanged.
   */
  constructor(node: EditorNode) {
    const names = Object.keys(node._def.defaults ?? {}).filter((name) => node[name] === undefined);
    this.shown = new Map(names.map((name) => [name, shownIn(inputOf(name))]));
  }

  /**
   * Removes the ids of unchanged inputs, so that core does not find these inputs: core would store their
   * values as new properties and mark the node as changed. Must be called in `oneditsave`.
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

export function shownIn(input: JQuery): unknown {
  return input.attr('type') === 'checkbox' ? input.prop('checked') : input.val();
}

/**
 * Marks a secret as not stored if the node does not know whether the secret is stored. Otherwise core would
 * treat the empty password field as a change.
 */
export function knowSecret({ credentials }: EditorNode, has: keyof StoredCredentials): void {
  for (const known of [credentials, credentials?._]) if (known) known[has] ??= false;
}

/** Turns a checkbox with a stored text into a text field, since a checkbox can neither show nor keep `${NAME}`. */
export function showStoredText(checkbox: JQuery, stored: unknown): void {
  if (typeof stored === 'string') checkbox.attr('type', 'text').css('width', '').val(stored);
}

export function keepOption(select: JQuery, value: unknown): void {
  if (value === undefined || value === null) return;
  const text = String(value);
  const options = select.find('option').get() as HTMLOptionElement[];
  const isListed = options.some((option) => option.value === text);
  if (!isListed) $('<option>').val(text).text(text).appendTo(select);
  select.val(text);
}

/**
 * Returns the current value of a property: the input's value while the node's dialog is on top, otherwise the
 * stored value. If the input is empty, returns the stored value too.
 */
export function current(node: EditorNode, property: string, prefix = 'input'): unknown {
  const isOpen = RED.editor.getEditStack().at(-1) === node;
  return (isOpen && $(`#node-${prefix}-${property}`).val()) || node[property];
}
