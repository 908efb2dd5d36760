const sections = ['status', 'state'];

const time = / \d\d:\d\d:\d\d$/;

const maxLength = 60;

/**
 * Only English statuses are translated, since the runtime sends English unless the administrator sets `lang`.
 */
export function translateStatuses(): void {
  if (RED._('@openpaging/node-red-algo/algo-forms:sentences') === 'en-US') return;
  RED.comms.subscribe('status/#', (topic, news) => {
    // The translation is delayed until core has set the status: core might handle the same message after this
    // function.
    queueMicrotask(() => translateStatus(RED.nodes.node(topic.split('/')[1]), news));
  });
}

function translateStatus(node: EditorNode | null, news: unknown): void {
  const { text } = Object(news);
  if (!node?.type.startsWith('algo-') || node.status !== news || typeof text !== 'string') return;
  const translatedStatus = statusIn(node._def, text);
  if (translatedStatus === undefined) return;
  node.status = { ...Object(news), text: translatedStatus };
  node.dirtyStatus = true;
  node.dirty = true;
  RED.view.redrawStatus(node);
}

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

function valuesIn(sentence: string, pattern: string): Readonly<Record<string, string>> | undefined {
  const [beginning = '', ...parts] = pattern.split(/__(\w+?)__/);
  if (!sentence.startsWith(beginning)) return undefined;
  const values: Record<string, string> = {};
  let rest = sentence.slice(beginning.length);
  while (parts.length > 0) {
    const [name = '', after = ''] = parts.splice(0, 2);
    const end = after === '' ? rest.length : rest.indexOf(after);
    const value = rest.slice(0, Math.max(end, 0));
    // Only `operation` and `field` can be any text. All other values are numbers, such as 3 or 1/3.
    if (!(name === 'operation' || name === 'field' ? value !== '' : /^[\d/]+$/.test(value))) return undefined;
    values[name] = value;
    rest = rest.slice(end + after.length);
  }
  return rest === '' ? values : undefined;
}
