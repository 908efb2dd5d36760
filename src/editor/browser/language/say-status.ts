/** What the words under our nodes are among. */
const sections = ['status', 'state', 'lost'];

/** Behind what a message came to. */
const time = / \d\d:\d\d:\d\d$/;

/** Node-RED's part writes fewer than thirty characters. */
const maxLength = 60;

/**
 * Says what stands under our nodes in the editor's language: it comes as a sentence of the runtime's language, English
 * unless somebody has set `lang`. What is none of our English sentences stays as it is.
 */
export function sayStatuses(): void {
  if (RED._('@openpaging/node-red-algo/algo-forms:sentences') === 'en-US') return;
  RED.comms.subscribe('status/#', (topic, news) => {
    // Core is told too, before or after this, and puts it under the node.
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

/** A status in the editor's language; undefined for what is none of the node's English ones. */
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
    // The one that leaves least to its values: "2 of 3 done" is not "3 done" of which there are 2.
    .sort((one, other) => one.filled - other.filled)[0];
  return found && `${translate(found.key, found.values)}${behind}`;
}

/** What stands in a sentence in the places of a pattern's `__names__`; undefined where it is another sentence. */
function valuesIn(sentence: string, pattern: string): Readonly<Record<string, string>> | undefined {
  const [beginning = '', ...parts] = pattern.split(/__(\w+?)__/);
  if (!sentence.startsWith(beginning)) return undefined;
  const values: Record<string, string> = {};
  let rest = sentence.slice(beginning.length);
  while (parts.length > 0) {
    const [name = '', after = ''] = parts.splice(0, 2);
    const end = after === '' ? rest.length : rest.indexOf(after);
    const value = rest.slice(0, Math.max(end, 0));
    // All others are numbers, such as 3 and 1/3.
    if (!(name === 'operation' || name === 'field' ? value !== '' : /^[\d/]+$/.test(value))) return undefined;
    values[name] = value;
    rest = rest.slice(end + after.length);
  }
  return rest === '' ? values : undefined;
}
