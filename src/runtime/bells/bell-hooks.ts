import { readBells } from '../../bells/bell';
import { checkCalendar } from '../../bells/calendar-file/entries';
import { readDayList } from '../../bells/day-list';
import type { ActionHooks } from '../action/hooks';
import type { Given } from '../action/parameters';
import { type Deed, exportDays, importCalendar, markDays, preview, ring, sync } from './deeds';
import { Visit } from './visit';

const deeds: Readonly<Record<string, Deed>> = {
  skip: markDays('skip'),
  unskip: markDays('unskip'),
  exclude: markDays('exclude'),
  unexclude: markDays('unexclude'),
  ring,
  sync,
  preview,
  import: importCalendar,
  export: exportDays,
};

/**
 * The friendlier operations of a scheduler (docs/contract.md, section 2.7): each reads the database, works out one
 * request, and sends it, all in one turn of the device, so that two of them wait for each other.
 */
export function bellHooks(): ActionHooks {
  return {
    check(operation, parameters) {
      return operation.of ? findingsIn(parameters) : [];
    },
    send(delivery, turn, options) {
      const deed = delivery.operation.of && deeds[delivery.operation.id];
      return deed?.(new Visit(delivery, turn, options));
    },
  };
}

/** What is wrong with bells, days and calendars. What is of another type than it should be, the schema finds. */
async function findingsIn({ bells, dates, ics, from, until }: Given): Promise<readonly string[]> {
  const isBackwards = typeof from === 'string' && typeof until === 'string' && until < from;
  return [
    ...(Array.isArray(bells) ? (await readBells(bells)).findings : []),
    ...(dates === undefined || dates === null ? [] : dayFindings(dates)),
    ...(typeof ics === 'string' && ics !== '' ? checkCalendar(ics) : []),
    ...(isBackwards ? ['until is before from'] : []),
  ];
}

function dayFindings(dates: unknown): readonly string[] {
  const { days, findings } = readDayList(dates, 'dates');
  return findings.length === 0 && days.size === 0 ? ['dates names no day'] : findings;
}
