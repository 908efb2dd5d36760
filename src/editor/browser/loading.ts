/** By their files: what is on its way, or there. */
const loading = new Map<string, Promise<unknown>>();

/**
 * Loads a script that only some dialogs need, once; rejects where it cannot be had, and may be asked again.
 * @param file below this package's resources
 * @param found what the script brings, once it has run
 */
export function loadScript<T>(file: string, found: () => T | undefined): Promise<T> {
  const known = loading.get(file) as Promise<T> | undefined;
  const script = known ?? load(file, found);
  loading.set(file, script);
  script.catch(() => loading.delete(file));
  return script;
}

function load<T>(file: string, found: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `resources/@openpaging/node-red-algo/${file}`;
    const fail = () => reject(new Error(script.src));
    script.onload = () => {
      const brought = found();
      if (brought === undefined) fail();
      else resolve(brought);
    };
    script.onerror = fail;
    document.head.append(script);
  });
}
