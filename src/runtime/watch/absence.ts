import { type Lack, lackAt, mayLack, needsOfAny } from '../../catalogue/lacks';
import type { Operation } from '../../catalogue/operation';
import type { DeviceError } from '../../client/errors';
import type { ReaderDevice } from './watcher';

/** It answers that it knows no such thing (docs/readings.md, "Models and firmware"). */
export function isAbsent({ statusCode }: DeviceError): boolean {
  return statusCode === 404 || statusCode === 405 || statusCode === 501;
}

/** What a device lacks for an operation, asking it who it is where that matters. Never rejects. */
export async function lackFor(device: ReaderDevice, operation: Operation): Promise<Lack | undefined> {
  const needs = needsOfAny(operation);
  const known = lackAt(device, needs);
  if (known?.because === 'model' || !mayLack(device, needs)) return known;
  return lackAt(device, needs, await device.identity());
}
