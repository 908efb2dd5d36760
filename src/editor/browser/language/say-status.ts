/** The sections of a locale file that contain status texts. */
const sections = ['status', 'state', 'offline'];

/** The time at the end of the status of a result. */
const time = / \d\d:\d\d:\d\d$/;

/**
 * The maximum length of a status text that is translated. The runtime writes fewer than thirty characters.
 */
const maxLength = 60;

/**
 * Translates the status texts of our nodes into the editor's language.
 * A status arrives in the runtime's language, which is English unless the administrator sets `lang`.
 * A text that is not one of our English texts stays unchanged.
 */
export function sayStatuses(): void {
  if (RED._('@openpaging/node-red-algo/algo-forms:sentences') === 'en-US') return;
  RED.comms.subscribe('status/#', (topic, news) => {
    // Core handles the same message before or after this function, and shows the status.
    queueMicrotask(() => say(RED.nodes.node(topic.split('/')[1]), news));
  });
}

function say(node: EditorNode | null, news: unknown): void {
  const { text } = Object(news);
  if (!node?.type.startsWith('algo-') || node.status !== news || typeof text !== 'string') return;
  const said = statusIn(node._def, text);
  if (said === undefined) return;
  node.status = { ...Object(news), text: said };
  node.dirtyStatus = true;
  node.dirty = true;
  RED.view.redrawStatus(node);
}

/** Returns a status in the editor's language; undefined if it is not an English status of the node. */
function statusIn({ _: translate, set }: EditorNode['_def'], text: string): string | undefined {
  if (!set || text.length > maxLength) return undefined;
  const [behind = ''] = time.exec(text) ?? [];
  const words = text.slice(0, text.length - behind.length);
  const found = sections
    .flatMap((section) => {
      const sentences: Record<string, string> = Object(i18next.getResource('en-US', set.id, section));
      return Object.entries(sentences).flatMap(([key, english]) => {
        const values = valuesIn(words, english);
        return values
          ? [{ key: `${section}.${key}`, values, filled: Object.values(values).join('').length }]
          : [];
      });
    })
    // If several patterns match, the pattern with the shortest values fits best.
    .sort((one, other) => one.filled - other.filled)[0];
  return found && `${translate(found.key, found.values)}${behind}`;
}

/**
 * Returns the values of a pattern's `__names__` in a sentence; undefined if the sentence does not match the
 * pattern.
 */
function valuesIn(sentence: string, pattern: string): Readonly<Record<string, string>> | undefined {
  const [beginning = '', ...parts] = pattern.split(/__(\w+?)__/);
  if (!sentence.startsWith(beginning)) return undefined;
  const values: Record<string, string> = {};
  let rest = sentence.slice(beginning.length);
  while (parts.length > 0) {
    const [name = '', after = ''] = parts.splice(0, 2);
    const end = after === '' ? rest.length : rest.indexOf(after);
    const value = rest.slice(0, Math.max(end, 0));
    // All other values are numbers, such as 3 and 1/3.
    if (!(name === 'operation' || name === 'field' ? value !== '' : /^[\d/]+$/.test(value))) return undefined;
    values[name] = value;
    rest = rest.slice(end + after.length);
  }
  return rest === '' ? values : undefined;
}
