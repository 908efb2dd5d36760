import { withTools } from './device-tools';
import type { DialogValues } from './said';

/**
 * The button that sends what a dialog says; people who may only look cannot press it.
 * @param said what is to be sent, which marks what is wrong with it
 * @param now the same, only looked at
 */
export function openTry(node: EditorNode, said: () => DialogValues, now: () => DialogValues): void {
  const button = $('#algo-try');
  button.prop('disabled', RED.user?.hasPermission('algo.write') === false);
  button.on('click', () => withTools(({ askToTry }) => askToTry(node, said(), now)));
}
