const loading = new Map<string, Promise<unknown>>();

/**
 * Loads the script `algo-NAME.js` once; after a failure, the next call tries again.
 * @returns the object that the script leaves in the window, as `algoName`
 * @throws Error if the script cannot be loaded or leaves no object
 */
export function loadScript<T>(name: string): Promise<T> {
  const before = loading.get(name) as Promise<T> | undefined;
  if (before) return before;
  const promise = load<T>(name);
  loading.set(name, promise);
  promise.catch(() => loading.delete(name));
  return promise;
}

function load<T>(name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `resources/@openpaging/node-red-algo/algo-${name}.js`;
    script.onload = () => {
      const found = window[`algo${name.charAt(0).toUpperCase()}${name.slice(1)}`] as T | undefined;
      if (found === undefined) reject(new Error(script.src));
      else resolve(found);
    };
    script.onerror = () => reject(new Error(script.src));
    document.head.append(script);
  });
}

/**
 * Calls `then` as soon as the dialog is in the page, and never if the dialog was closed. The editor takes a
 * dialog out of the page while another dialog is on top.
 * @param part an element of the dialog
 */
export function whenInPage(part: JQuery | Element | undefined, then: () => void): void {
  const element = part instanceof Element ? part : part?.get(0);
  // The dialog is observed, since an observed part might stay hidden.
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
