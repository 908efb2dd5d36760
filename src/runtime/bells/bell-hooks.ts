import type { Text } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import type { ActionHooks } from '../message/hooks';

/** Loads the code of the operations on demand: most flows have no scheduler. */
const engine = () => import('./engine.js');

/**
 * Hooks for the composite operations of a scheduler (docs/contract.md, section 2.7). Each operation runs
 * within one turn in the device's queue, so two operations at one device do not overlap.
 */
export function bellHooks(): ActionHooks {
  return {
    check: (operation, parameters) => (operation.composedOf ? findingsOf(parameters) : []),
    send(delivery, turn, options) {
      if (!delivery.operation.composedOf) return undefined;
      return engine().then(({ carryOut }) => carryOut(delivery, turn, options));
    },
  };
}

async function findingsOf(parameters: Parameters): Promise<readonly Text[]> {
  const { ics } = parameters;
  const [{ findingsIn }, { checkCalendar }] = await Promise.all([
    import('../../bells/findings.js'),
    import('../../bells/calendar-file/check-calendar.js'),
  ]);
  return [...(typeof ics === 'string' ? await checkCalendar(ics) : []), ...(await findingsIn(parameters))];
}
