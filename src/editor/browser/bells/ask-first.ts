import { button } from '../page/button';

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
