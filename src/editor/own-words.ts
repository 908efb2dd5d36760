import { textsOf } from './translation';
import type { Words } from './words';

/** What Node-RED itself looks up: statuses in its own process, and what the palette's category is called. */
const forNodeRed = /^(?:status|state|lost|palette\.label)\./;

/**
 * What a node's file of words has: the editor loads each node's, two or three times over, so what all nodes have in
 * common is in the plugin's, which gives it to them (`browser/language/node-words.ts`). A node keeps what Node-RED looks up,
 * and what its page shows by itself, since the plugin may be disabled.
 * @param words all that can be said of the node
 * @param shared what the plugin has
 * @param page the node's, with its dialog
 */
export function wordsOfItsOwn(words: Words, shared: Words, page: string): Words {
  const common = textsOf(shared);
  const shown = new Set(page.match(/[\w-]+(?:\.[\w-]+)+/g));
  const without = (inner: Words, prefix: string): Words =>
    Object.fromEntries(
      Object.entries(inner).flatMap(([name, value]): [string, string | Words][] => {
        const key = prefix + name;
        if (typeof value === 'string') {
          const isCommon = common.get(key) === value && !forNodeRed.test(key) && !shown.has(key);
          return isCommon ? [] : [[name, value]];
        }
        const left = without(value, `${key}.`);
        return Object.keys(left).length > 0 ? [[name, left]] : [];
      }),
    );
  return without(words, '');
}
