/** @param icon name of a Font Awesome icon, without `fa-` */
export function button(words: string, pressed: (button: JQuery) => void, icon?: string): JQuery {
  const made = $('<button type="button" class="red-ui-button red-ui-button-small">');
  if (icon) made.append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`), ' ');
  return made.append(document.createTextNode(words)).on('click', () => pressed(made));
}

/** Creates a button without a text on the screen; `words` are its text for screen readers. */
export function iconButton(words: string, pressed: (button: JQuery) => void, icon: string): JQuery {
  return button('', pressed, icon).attr('aria-label', words);
}
