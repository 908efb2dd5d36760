import type { OperationName } from './named';

/** An operation that an alert can start. */
interface AlertActionRule {
  readonly operation: OperationName;
  /** Name of a parameter without which the device ends the operation itself. */
  readonly lastsWith?: string;
  /** Whether a failed action is not retried: never, or only if the alert retries every action. */
  readonly notAgain?: 'never' | 'unlessAll';
}

/** All operations that an alert can start, in the order of the dialog. */
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
