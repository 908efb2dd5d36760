import { withTools } from './device-tools';
import type { Said } from './said';

/** The button that sends what a dialog says; people who may only look cannot press it. */
export function openTry(node: EditorNode, said: () => Said): void {
  const button = $('#algo-try');
  button.prop('disabled', RED.user?.hasPermission('algo.write') === false);
  button.on('click', () => withTools(({ askToTry }) => askToTry(node, said())));
}
