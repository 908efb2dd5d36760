import type { OperationName } from './operation-name';

interface AlertActionRule {
  readonly operation: OperationName;
  /**
   * Name of the boolean parameter that makes the operation last until a stop. Unless the parameter is true,
   * the operation ends by itself.
   */
  readonly lastsWith?: string;
  /**
   * `never`: a failed action is not retried. `unlessAll`: a failed action is retried only if the alert
   * retries every action. Absent: a failed action is retried. An action that needs no stop is never retried.
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
