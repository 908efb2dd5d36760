type Translate = (key: string, values?: Record<string, string>) => string;

/** No translation contains the two brackets of the placeholder. */
const placeOf = (name: string) => `\u2983${name}\u2984`;

/** Memoizes translations; only for keys without plural forms. */
export function memoizeTranslate(translate: Translate): Translate {
  const texts = new Map<string, string>();
  return (key, values = {}) => {
    const names = Object.keys(values);
    let found = texts.get(key);
    if (found === undefined) {
      found = translate(key, Object.fromEntries(names.map((name) => [name, placeOf(name)])));
      texts.set(key, found);
    }
    return names.reduce((text, name) => text.replaceAll(placeOf(name), () => values[name] ?? ''), found);
  };
}
