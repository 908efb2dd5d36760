/**
 * Stands in for what a browser says of its language and of the one that a person set.
 * @returns what takes it away again
 */
export function standInBrowser(language: string, set: string | null): () => void {
  const values = { navigator: { language }, localStorage: { getItem: () => set } };
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
}
