import type { OperationName } from './operation-name';

interface AlertActionRule {
  readonly operation: OperationName;
  /** Name of a boolean parameter. If the parameter is not true, the operation ends by itself. */
  readonly lastsWith?: string;
  /**
   * Retries of a failed action that needs a stop. `never`: none. `unlessAll`: only if the alert retries every
   * action. Absent: always. An action that needs no stop is not retried.
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

/** Names of the parameters whose text begins with the drill text in a drill. */
export const drillTexts: readonly string[] = ['text1', 'textContent'];

/** The drill text of an alert that has none of its own. */
export const defaultDrillText = 'DRILL:';
