import type { ValidationResult } from './node';

/**
 * Says below a box of a configuration node's dialog what is wrong with what stands in it: core has it in a tooltip
 * alone. An empty box may be one that nobody has come to yet.
 */
export function sayBeside(
  node: EditorNode,
  input: JQuery,
  validate: (node: EditorNode, value: unknown) => ValidationResult,
): void {
  const id = `${input.attr('id')}-said`;
  const said = $('<div class="algo-error" role="status">').attr('id', id).insertAfter(input);
  input.attr('aria-describedby', [input.attr('aria-describedby'), id].filter(Boolean).join(' '));
  const refresh = () => {
    const text = String(input.val() ?? '').trim();
    const result = text === '' ? true : validate(node, text);
    said.text(result === true ? '' : String(result));
  };
  input.on('change input', refresh);
  refresh();
}
