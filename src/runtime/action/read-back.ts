import { createHash } from 'node:crypto';
import { isPlainObject } from '../../catalogue/coerce';
import { type OperationName, operation } from '../../catalogue/named';
import type { Confirmation } from '../../catalogue/operation';
import { said, type Text } from '../../catalogue/saying';
import { DeviceError, SaidError, saidOf } from '../../client/errors';
import type { Turn } from '../../client/turn';
import { sleep } from '../../time/sleep';
import type { DeliveryContext } from './hooks';
import type { Given } from './parameters';

/** A reload takes a while to show in what is read back (docs/field-notes.md, section 5). */
const reloadLimitMs = 10_000;
const reloadPollMs = 500;

/** How a read-back ended: it holds, or a sentence says why that is not known. */
export type ReadBack = { readonly confirmed: true } | { readonly confirmed: false; readonly note: Text };

/**
 * Reads back what an operation wrote, as its catalogue entry says how. A device that could not be read leaves
 * the write accepted; one that holds something else did not do what it said yes to.
 * @throws DeviceError PROTOCOL when something else is read
 */
export async function readBack(
  delivery: DeliveryContext,
  turn: Turn,
  confirmation: Confirmation,
): Promise<ReadBack> {
  const limit = performance.now() + (delivery.has('reloadAfter') ? reloadLimitMs : 0);
  try {
    for (;;) {
      const different = await firstDifference(delivery, turn, confirmation);
      if (different === undefined) return { confirmed: true };
      if (performance.now() >= limit) throw new Differs(different);
      await sleep(reloadPollMs, delivery.abort);
    }
  } catch (error) {
    if (error instanceof Differs) throw differs(delivery, error.what);
    if (delivery.abort.reason) throw error;
    return { confirmed: false, note: said('notReadBack', { reason: saidOf(error) }) };
  }
}

const contentMd5s = new WeakMap<Given, string>();

/**
 * The MD5 of the parameter `content`, as the device writes it. A file may be large and meant for hundreds of
 * devices, so it is worked out once for all that share the parameters.
 */
export function contentMd5(parameters: Given): string {
  const known = contentMd5s.get(parameters);
  if (known !== undefined) return known;
  const { content } = parameters;
  const hash = createHash('md5').update(Buffer.isBuffer(content) ? content : String(content));
  const md5 = hash.digest('hex');
  contentMd5s.set(parameters, md5);
  return md5;
}

class Differs extends Error {
  constructor(readonly what: string) {
    super(what);
  }
}

/** Names the parameter only: a setting's value may be a secret. */
function differs({ deed, device }: DeliveryContext, what: string): DeviceError {
  const reason = said('readsOtherwise', { what });
  const sentence = said('atDevice', { deed, device: device.name, reason });
  return new DeviceError('PROTOCOL', sentence, { deed, sent: true, attempts: 1 });
}

async function firstDifference(
  { parameters }: DeliveryContext,
  turn: Turn,
  confirmation: Confirmation,
): Promise<string | undefined> {
  const { by, compare, parameter = '', answer = '' } = confirmation;
  if (compare === 'each') return firstDifferentSetting(parameters, turn, by);
  const request = compare === 'md5' ? { path: parameters.path } : {};
  const seen = await read(turn, by, request, answer);
  if (compare === 'md5') {
    return seen.toLowerCase() === contentMd5(parameters) ? undefined : parameter;
  }
  const level = Number.parseFloat(seen);
  // A device that does not measure may say so in words, which is no other level.
  if (Number.isNaN(level)) throw new SaidError(said('noNumber', { name: answer }));
  return level === Number.parseFloat(String(parameters[parameter])) ? undefined : parameter;
}

async function firstDifferentSetting(written: Given, turn: Turn, by: string): Promise<string | undefined> {
  for (const [name, value] of Object.entries(written)) {
    if (value !== (await read(turn, by, { name }, name))) return name;
  }
  return undefined;
}

/**
 * What an answer says of one thing.
 * @throws Error when it says nothing of it: an empty answer must not be taken for another value
 */
async function read(turn: Turn, by: string, parameters: Given, name: string): Promise<string> {
  // A test holds the names in the catalogue's entries to what there is.
  const { body } = await turn.call(operation(by as OperationName), parameters);
  const seen = isPlainObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  if (seen === undefined || seen === null) throw new SaidError(said('notNamed', { name }));
  return String(seen);
}
