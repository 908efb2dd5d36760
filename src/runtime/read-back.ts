import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { catalogue } from '../catalogue';
import type { Confirmation, Operation } from '../catalogue/operation';
import { DeviceError } from '../client/errors';
import type { Work } from './work';

/** A reload takes a while to show in what is read back (field-notes.md, section 5). */
const reloadLimitMs = 10_000;
const reloadPollMs = 500;

/** How a read-back ended: it holds, or a sentence says why that is not known. */
export type ReadBack = { readonly confirmed: true } | { readonly confirmed: false; readonly note: string };

/**
 * Reads back what an operation wrote, as its catalogue entry says how. A device that could not be read leaves
 * the write accepted; one that holds something else did not do what it said yes to.
 * @throws DeviceError PROTOCOL when something else is read
 */
export async function readBack(work: Work, confirmation: Confirmation): Promise<ReadBack> {
  const limit = performance.now() + (work.options.has('reloadAfter') ? reloadLimitMs : 0);
  try {
    for (;;) {
      const different = await firstDifference(work, confirmation);
      if (different === undefined) return { confirmed: true };
      if (performance.now() >= limit) throw new Differs(different);
      await delay(reloadPollMs, undefined, { signal: work.signal });
    }
  } catch (error) {
    if (error instanceof Differs) throw differs(work, error.what);
    if (work.signal.aborted) throw error;
    return { confirmed: false, note: `not read back: ${error instanceof Error ? error.message : error}` };
  }
}

/** The MD5 of what a parameter holds, as the device writes it. */
export function md5Of(content: unknown): string {
  return createHash('md5')
    .update(Buffer.isBuffer(content) ? content : String(content))
    .digest('hex');
}

/** Finds an operation by `noun/id`. */
export function operationNamed(name: string): Operation {
  const [noun, id] = name.split('/');
  const operations: readonly Operation[] = catalogue.find((group) => group.noun === noun)?.operations ?? [];
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

class Differs extends Error {
  constructor(readonly what: string) {
    super(what);
  }
}

/** Names the parameter only: a setting's value may be a secret. */
function differs({ deed, device }: Work, what: string): DeviceError {
  const sentence = `${deed} at "${device.name}": the device said yes, but ${what} does not read back as written`;
  return new DeviceError('PROTOCOL', sentence, { sent: true, attempts: 1 });
}

async function firstDifference(work: Work, confirmation: Confirmation): Promise<string | undefined> {
  const { by, compare, parameter = '', answer = '' } = confirmation;
  const { parameters } = work;
  if (compare === 'each') return firstDifferentSetting(work, by);
  const request = compare === 'md5' ? { path: parameters.path } : {};
  const seen = (await read(work, by, request))[answer];
  const written = parameters[parameter];
  const same =
    compare === 'md5'
      ? String(seen).toLowerCase() === md5Of(written)
      : Number.parseFloat(String(seen)) === Number.parseFloat(String(written));
  return same ? undefined : parameter;
}

async function firstDifferentSetting(work: Work, by: string): Promise<string | undefined> {
  for (const [name, value] of Object.entries(work.parameters)) {
    if (value !== (await read(work, by, { name }))[name]) return name;
  }
  return undefined;
}

async function read({ device, signal }: Work, by: string, parameters: Record<string, unknown>) {
  const { body } = await device.call(operationNamed(by), parameters, { signal, deed: by });
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
