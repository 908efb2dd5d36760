import type { ActionHooks } from '../message/hooks';

/** What works the operations out; loaded with the first of them, since most flows have no scheduler. */
const engine = () => import('./engine.js');

/**
 * The friendlier operations of a scheduler (docs/contract.md, section 2.7): each reads the database, works out one
 * request, and sends it, all in one turn of the device, so that two of them wait for each other.
 */
export function bellHooks(): ActionHooks {
  return {
    check(operation, parameters) {
      return operation.of
        ? import('../../bells/findings.js').then(({ findingsIn }) => findingsIn(parameters))
        : [];
    },
    send(delivery, turn, options) {
      if (!delivery.operation.of) return undefined;
      return engine().then(({ carryOut }) => carryOut(delivery, turn, options));
    },
  };
}
