import type { Operation } from '../../catalogue/operation';
import { TurnBudget } from '../../kernel/time/turn-budget';

/** Maximum number of messages that start in one turn of the event loop. */
const maxPerTurn = 200;

interface BeginningCommand {
  readonly operation: Pick<Operation, 'deviceOutput'> | undefined;
  readonly isUrgent: boolean;
}

/**
 * Spreads a burst of messages over several turns of the event loop, so that an urgent message does not wait
 * for all other messages. If a waiting message might use the device output of an urgent message, all waiting
 * messages start first: a stop must know the earlier starts.
 */
class Burst {
  readonly #budget = new TurnBudget(maxPerTurn);
  /** The families of the device outputs that the waiting messages might use. */
  readonly #families = new Set<string>();

  /** Starts a message: immediately if no message waits and the turn has room, otherwise in a later turn. */
  enter(operation: Pick<Operation, 'deviceOutput'> | undefined, begin: () => void): void {
    if (!this.#budget.isBehind) this.#families.clear();
    const hasBegun = this.#budget.spend(begin);
    if (!hasBegun && operation?.deviceOutput) this.#families.add(operation.deviceOutput.name);
  }

  /**
   * Starts all waiting messages, unless the operation is urgent and no waiting message might use its device
   * output.
   * @param command absent when a node closes; its operation is undefined if it is unknown
   */
  beginBefore(command?: BeginningCommand): void {
    if (!this.#budget.isBehind) return;
    const passes = command?.isUrgent && !this.#families.has(command.operation?.deviceOutput?.name ?? '');
    if (!passes) this.#budget.flush();
  }
}

/** One burst for all nodes, since messages of different nodes to one device must also keep their order. */
export const burst = new Burst();
