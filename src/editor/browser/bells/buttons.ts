/** @param icon name of a Font Awesome icon, without `fa-` */
export function button(words: string, pressed: (button: JQuery) => void, icon?: string): JQuery {
  const made = $('<button type="button" class="red-ui-button red-ui-button-small">');
  if (icon) made.append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`), ' ');
  return made.append(document.createTextNode(words)).on('click', () => pressed(made));
}

/**
 * Replaces a button with a confirming and a cancelling button, until the user presses one of them.
 * @param words the question, and the labels of the two buttons
 */
export function askFirst(
  asked: JQuery,
  words: { readonly question: string; readonly yes: string; readonly no: string },
  meant: () => void,
): void {
  const close = () => {
    box.remove();
    asked.show();
  };
  const yes = button(words.yes, () => {
    close();
    meant();
  });
  const no = button(words.no, () => {
    close();
    asked.trigger('focus');
  });
  const box = $('<span class="algo-ask" role="group">').attr('aria-label', words.question);
  box.append($('<span>').text(words.question), ' ', yes, ' ', no);
  asked.hide().after(box);
  // Focuses the button that cancels, so that pressing Enter twice does not confirm.
  no.trigger('focus');
}
