import { entriesOf, shown } from '../entry';

type Form = ReturnType<typeof entriesOf>;

/** What the forms of this editor's nodes hold of something that no device lists, sorted, each once. */
const found: Readonly<Record<string, readonly [type: string, (form: Form, operation: unknown) => string[]]>> =
  {
    settings: [
      'algo-settings',
      (form, operation) => (operation === 'put' ? Object.keys(form) : textsIn(form, 'name')),
    ],
    buttons: ['algo-console', (form) => textsIn(form, 'id')],
    folders: [
      'algo-files',
      (form, operation) =>
        textsIn(form, 'path').map((path) =>
          operation === 'list' ? path : path.slice(0, Math.max(path.lastIndexOf('/'), 0)),
        ),
    ],
  };

/** The names that nodes of this editor use already. */
export function usedNames(what: string): readonly string[] {
  const [type, namesIn] = found[what] ?? [];
  const names = new Set<string>();
  RED.nodes.eachNode((node) => {
    if (node.type !== type) return;
    for (const name of namesIn?.(entriesOf(node.form), node.operation) ?? []) names.add(name);
  });
  names.delete('');
  return [...names].sort();
}

function textsIn(form: Form, field: string): string[] {
  const { type, value } = shown(form[field]);
  return type === 'str' ? [value] : [];
}
