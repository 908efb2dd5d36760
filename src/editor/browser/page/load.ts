const loading = new Map<string, Promise<unknown>>();

/**
 * Loads a script of its own, which few people need; rejects where it cannot be had, and may be asked again.
 * @param brought finds what the script brings
 */
export function loadScript<T>(file: string, brought: () => T | undefined): Promise<T> {
  const before = loading.get(file) as Promise<T> | undefined;
  if (before) return before;
  const promise = load(file, brought);
  loading.set(file, promise);
  promise.catch(() => loading.delete(file));
  return promise;
}

function load<T>(file: string, brought: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `resources/@openpaging/node-red-algo/${file}`;
    script.onload = () => {
      const found = brought();
      if (found === undefined) reject(new Error(script.src));
      else resolve(found);
    };
    script.onerror = () => reject(new Error(script.src));
    document.head.append(script);
  });
}

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
