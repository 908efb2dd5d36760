import { readBells } from '../../bells/bell';
import { checkCalendar } from '../../bells/calendar-file/entries';
import { readDayList } from '../../bells/day-list';
import { said, type Text } from '../../catalogue/saying';
import type { Answer, CallOptions } from '../../client/client';
import type { Turn } from '../../client/turn';
import type { Delivery } from '../action/delivery';
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

/** Does what a message asks for, in its turn at the device. */
export function carryOut(delivery: Delivery, turn: Turn, options: CallOptions): Promise<Answer> {
  const deed = deeds[delivery.operation.id];
  if (!deed) throw new Error(`Nothing is known of ${delivery.deed}`);
  return deed(new Visit(delivery, turn, options));
}

/** What is wrong with bells, days and calendars. What is of another type than it should be, the schema finds. */
export async function findingsIn({ bells, dates, ics, from, until }: Given): Promise<readonly Text[]> {
  const isBackwards = typeof from === 'string' && typeof until === 'string' && until < from;
  return [
    ...(Array.isArray(bells) ? (await readBells(bells)).findings : []),
    ...(dates === undefined || dates === null ? [] : dayFindings(dates)),
    ...(typeof ics === 'string' && ics !== '' ? checkCalendar(ics) : []),
    ...(isBackwards ? [said('spanWrong')] : []),
  ];
}

function dayFindings(dates: unknown): readonly Text[] {
  const { days, findings } = readDayList(dates, 'dates');
  return findings.length === 0 && days.size === 0 ? [said('noDay')] : findings;
}
