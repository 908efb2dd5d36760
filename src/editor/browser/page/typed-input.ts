/**
 * Works on an input while its row is outside of the page: a widget asks at each step what its parts look like, and
 * within the page every answer takes a layout.
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

/** The parts of a typedInput that a person uses. */
export interface Parts {
  readonly box: JQuery;
  /** The button that chooses the type. */
  readonly typeButton: JQuery;
}

/**
 * Gives the parts of a typedInput, which it makes itself, the label of their row: the box, and the button of its
 * options.
 * @param described the ids of what explains them
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

/** The tooltip of what is wrong would become the name of what is chosen, for good, where it has no other. */
function keepText(chosen: JQuery, id: string): void {
  chosen.attr({ id, 'aria-labelledby': id }).removeAttr('aria-label');
}

/** Names a typedInput whose label was made for the input that it hides, and follows its type. */
export function nameTypedInput(input: JQuery): void {
  const id = input.attr('id') ?? '';
  const label = document.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(id)}"]`);
  if (!label) return;
  label.id = `${id}-label`;
  const { typeButton } = nameParts(input, label);
  const follow = () => {
    const colon = RED._('@openpaging/node-red-algo/device:colon');
    typeButton.attr('aria-label', `${label.textContent?.trim()}${colon}${typeButton.attr('title')}`);
  };
  input.on('change', follow);
  // Core translates what stands in a dialog after its node has prepared it.
  setTimeout(follow);
}
