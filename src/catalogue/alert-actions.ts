import type { OperationName } from './operation-name';

interface AlertActionRule {
  readonly operation: OperationName;
  /** Parameter without which the operation ends by itself. */
  readonly lastsWith?: string;
  /**
   * The case in which a failed action is not retried: `never` retried, or `unlessAll` if the alert does not
   * retry every action.
   */
  readonly notAgain?: 'never' | 'unlessAll';
}

export const alertActions: readonly AlertActionRule[] = [
  { operation: 'tone/start', lastsWith: 'loop' },
  { operation: 'strobe/start' },
  { operation: 'screen/start' },
  { operation: 'screen/text-start' },
  { operation: 'emergency/start' },
  { operation: 'relay/enable', notAgain: 'unlessAll' },
  { operation: 'relay/24v-enable', notAgain: 'unlessAll' },
  { operation: 'door/unlock', notAgain: 'never' },
  { operation: 'call/start', notAgain: 'never' },
];

/** Names of the parameters whose text is marked in a drill. */
export const drillTexts: readonly string[] = ['text1', 'textContent'];
