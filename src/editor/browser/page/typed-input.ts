/**
 * Runs work on an input while its row is outside the page.
 * A widget measures its parts at each step, and within the page each measurement costs a layout.
 */
export function apart(input: JQuery, work: () => void): void {
  const [row] = input.closest('.form-row').get();
  const place = document.createComment('');
  row?.replaceWith(place);
  try {
    work();
  } finally {
    if (row) place.replaceWith(row);
  }
}

/** The parts of a typedInput that the user operates. */
export interface Parts {
  readonly box: JQuery;
  /** The button that selects the type. */
  readonly typeButton: JQuery;
}

/**
 * Labels the parts of a typedInput, its input box and the button of its options, with the label of their row.
 * @param described the ids of the elements that describe the input
 */
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
 * Keeps the text of the selected option as its accessible name. Otherwise the tooltip of a finding would
 * permanently replace the name.
 */
function keepText(chosen: JQuery, id: string): void {
  chosen.attr({ id, 'aria-labelledby': id }).removeAttr('aria-label');
}

/** Makes the typedInput of a priority: a number, or a property of the message. */
export function openPriority(): void {
  const [input, typeField] = [$('#node-input-priority'), $('#node-input-priorityType')];
  const type = String(typeField.val() || 'num');
  typeField.val(type);
  const unknown = ['num', 'msg'].includes(type) ? [] : [{ value: type, label: type }];
  apart(input, () => input.typedInput({ default: type, types: ['num', 'msg', ...unknown], typeField }));
  nameTypedInput(input);
}

/**
 * Names a typedInput whose label refers to the input that the widget hides, and updates the name with the
 * type.
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
  // Core translates the texts of a dialog after `oneditprepare`.
  setTimeout(follow);
}
