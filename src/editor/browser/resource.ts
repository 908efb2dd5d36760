/** What a file of `resources/` brings, by the file's name; loaded when it is wanted, and only then. */
const loading = new Map<string, Promise<unknown>>();

/**
 * Loads a script of this package and gives what it brings. Rejects where it cannot be had, and may be asked again.
 * @param brought what is there once it has run
 */
export function loadResource<T>(file: string, brought: () => T | undefined): Promise<T> {
  const known = loading.get(file) as Promise<T> | undefined;
  const wanted = known ?? load(file, brought);
  loading.set(file, wanted);
  wanted.catch(() => loading.delete(file));
  return wanted;
}

function load<T>(file: string, brought: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `resources/@openpaging/node-red-algo/${file}`;
    const fail = () => reject(new Error(script.src));
    script.onload = () => {
      const found = brought();
      if (found === undefined) fail();
      else resolve(found);
    };
    script.onerror = fail;
    document.head.append(script);
  });
}
