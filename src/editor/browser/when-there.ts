/**
 * Does something with a dialog that is in the page, at once or as soon as it is there again: the editor takes a dialog
 * out of the page while another one lies over it. Once it was closed, never.
 * @param part of the dialog
 */
export function whenThere(part: JQuery | Element | undefined, then: () => void): void {
  const element = part instanceof Element ? part : part?.get(0);
  // Rows that are hidden never come into sight.
  const dialog = element?.closest('form') ?? element;
  if (!dialog) return;
  if (dialog.isConnected) {
    then();
    return;
  }
  const observer = new IntersectionObserver(() => {
    if (!dialog.isConnected) return;
    observer.disconnect();
    then();
  });
  observer.observe(dialog);
}
