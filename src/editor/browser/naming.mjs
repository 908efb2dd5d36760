/**
 * Gives the parts of a typedInput, which it makes itself, the label of their row: the box, and the button of its
 * options. `described` are the ids of what explains them. Returns the box and the button that chooses the type.
 */
export function nameParts(input, label, described = '') {
  const container = input.next('.red-ui-typedInput-container');
  const box = container.find('.red-ui-typedInput-input');
  box.attr({ id: `${label.id}-box`, 'aria-labelledby': label.id, 'aria-describedby': described });
  label.htmlFor = `${label.id}-box`;
  const option = container.find('.red-ui-typedInput-option-trigger').attr('id', `${label.id}-option`);
  option.attr('aria-labelledby', `${label.id} ${label.id}-option`);
  return { box, typeButton: container.find('.red-ui-typedInput-type-select') };
}

/** Names a typedInput whose label was made for the input that it hides, and follows its type. */
export function nameTypedInput(input) {
  const label = document.querySelector(`label[for="${CSS.escape(input.attr('id'))}"]`);
  label.id = `${input.attr('id')}-label`;
  const { typeButton } = nameParts(input, label);
  const follow = () => {
    typeButton.attr('aria-label', `${label.textContent.trim()}: ${typeButton.attr('title')}`);
  };
  input.on('change', follow);
  follow();
}
