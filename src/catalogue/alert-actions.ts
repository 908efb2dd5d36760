import type { OperationName } from './named';

/** What an alert may start. */
interface AlertActionRule {
  readonly operation: OperationName;
  /** Without this parameter it ends by itself. */
  readonly lastsWith?: string;
  /** It is not tried again where it failed: never, or unless an alert asks for it. */
  readonly notAgain?: 'never' | 'unlessAll';
}

/** Everything that an alert may start, in the order in which a person is offered it. */
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

/** The parameters whose text says that it is a drill. */
export const drillTexts: readonly string[] = ['text1', 'textContent'];
