import { said } from '../../catalogue/saying';
import type { Answer, CallOptions } from '../../client/client';
import { DeviceError } from '../../client/errors';
import type { Turn } from '../../client/turn';
import type { DeliveryContext } from '../action/hooks';
import { detailsOf } from './commit';
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
export async function carryOut(delivery: DeliveryContext, turn: Turn, options: CallOptions): Promise<Answer> {
  const deed = deeds[delivery.operation.id];
  if (!deed) throw new Error(`Nothing is known of ${delivery.deed}`);
  const visit = new Visit(delivery, turn, options);
  try {
    return await deed(visit);
  } catch (error) {
    const isUnclear = error instanceof DeviceError && error.outcome === 'unknown';
    if (!isUnclear || visit.hasChanged || delivery.readsOnly) throw error;
    // Only what was to be read before was lost.
    const sentence = said('nothingChanged', { reason: error.said });
    throw new DeviceError(error.code, sentence, { ...detailsOf(error), outcome: 'failed' });
  }
}
