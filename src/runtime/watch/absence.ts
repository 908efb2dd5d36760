import { type Lack, lackAt, mayLack } from '../../catalogue/lacks';
import type { Operation } from '../../catalogue/operation';
import type { DeviceError } from '../../client/errors';
import type { ReaderDevice } from './watcher';

/** It answers that it knows no such thing (docs/readings.md, "Models and firmware"). */
export function isAbsent({ statusCode }: DeviceError): boolean {
  return statusCode === 404 || statusCode === 405 || statusCode === 501;
}

/** What a device lacks for an operation, asking it who it is where that matters. Never rejects. */
export async function lackFor(device: ReaderDevice, operation: Operation): Promise<Lack | undefined> {
  const known = lackAt(device, operation, {});
  if (known?.because === 'model' || !mayLack(device, operation, {})) return known;
  return lackAt(device, operation, {}, await device.identity());
}
