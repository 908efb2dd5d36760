import type { Answer, CallOptions } from '../../client/client';
import type { Turn } from '../../client/turn';
import type { Delivery } from '../action/delivery';
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
