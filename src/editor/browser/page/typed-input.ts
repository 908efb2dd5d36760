/**
 * Does work on a typedInput while its row is out of the page. A typedInput often measures its parts, and in
 * the page, each measurement would make the browser compute the layout again.
 */
export function whileDetached(input: JQuery, work: () => void): void {
  const [row] = input.closest('.form-row').get();
  const place = document.createComment('');
  row?.replaceWith(place);
  try {
    work();
  } finally {
    if (row) place.replaceWith(row);
  }
}

export interface Parts {
  readonly box: JQuery;
  readonly typeButton: JQuery;
}

/** @param described ids of the elements that describe the input, separated by blanks */
export function nameParts(input: JQuery, label: HTMLLabelElement, described = ''): Parts {
  const container = input.next('.red-ui-typedInput-container');
  const box = container.find('.red-ui-typedInput-input');
  box.attr({ id: `${label.id}-box`, 'aria-labelledby': label.id, 'aria-describedby': described });
  label.htmlFor = `${label.id}-box`;
  const option = container.find('.red-ui-typedInput-option-trigger').attr('id', `${label.id}-option`);
  option.attr({ 'aria-labelledby': `${label.id} ${label.id}-option`, 'aria-describedby': described });
  keepText(option.find('.red-ui-typedInput-option-label'), `${label.id}-chosen`);
  return { box, typeButton: container.find('.red-ui-typedInput-type-select') };
}

/**
 * Makes screen readers read the text of the selected option. Otherwise, they would read the tooltip of an
 * error instead, even after the error is fixed.
 */
function keepText(chosen: JQuery, id: string): void {
  chosen.attr({ id, 'aria-labelledby': id }).removeAttr('aria-label');
}

export function openPriority(): void {
  openTyped('priority', ['num', 'msg']);
}

/**
 * A stored type that is not in `types` stays selected.
 * @param types the types of the property, the default first
 */
export function openTyped(property: string, types: readonly [InputType, ...InputType[]]): JQuery {
  const [input, typeField] = [$(`#node-input-${property}`), $(`#node-input-${property}Type`)];
  const names = types.map(typeName);
  const type = String(typeField.val() || names[0]);
  typeField.val(type);
  const unknown = names.includes(type) ? [] : [{ value: type, label: type }];
  whileDetached(input, () => input.typedInput({ default: type, types: [...types, ...unknown], typeField }));
  nameTypedInput(input);
  return input;
}

export function typeName(type: InputType): string {
  return typeof type === 'string' ? type : type.value;
}

/**
 * The label of a typedInput refers to the input that the typedInput hides, so screen readers need another
 * name.
 */
export function nameTypedInput(input: JQuery): void {
  const id = input.attr('id') ?? '';
  const label = document.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(id)}"]`);
  if (!label) return;
  label.id = `${id}-label`;
  const { typeButton } = nameParts(input, label, input.attr('aria-describedby'));
  const follow = () => {
    const colon = RED._('@openpaging/node-red-algo/device:colon');
    typeButton.attr('aria-label', `${label.textContent?.trim()}${colon}${typeButton.attr('title')}`);
  };
  input.on('change', follow);
  // The first call is delayed, since core translates the dialog's texts after `oneditprepare`.
  setTimeout(follow);
}
