/** A button of a dialog, with words and perhaps an icon. */
export function button(words: string, pressed: (button: JQuery) => void, icon?: string): JQuery {
  const made = $('<button type="button" class="red-ui-button red-ui-button-small">');
  if (icon) made.append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`), ' ');
  return made.append(document.createTextNode(words)).on('click', () => pressed(made));
}

/**
 * Asks in the place of a button whether that is really meant.
 * @param words the question, what says yes, and what says no
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
  // Not on what changes something: Enter twice must not be enough.
  no.trigger('focus');
}
