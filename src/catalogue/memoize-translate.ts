/** Finds a text by its key, and fills its values in. */
type Translate = (key: string, values?: Record<string, string>) => string;

/** Stands in a text where a value comes; no translation has such characters. */
const placeOf = (name: string) => `\u2983${name}\u2984`;

/**
 * The same texts, each looked up once: statuses and rows are many, and for Node-RED one look is as much work as half of
 * a message. Only for keys that have no plural.
 */
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
