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
