import { nameOf } from '../../catalogue/named';
import type { Operation } from '../../catalogue/operation';
import { DeviceError, wordsOf } from '../../client/errors';
import type { Json } from '../journal/lines';

/** What ends something that was started, for as long as nobody else does. */
export interface End {
  readonly device: {
    readonly id: string;
    readonly name: string;
    /** The same for all that name this device; absent where nobody can tell. */
    readonly where?: string;
  };
  /** The node that started it. */
  readonly node: { readonly id: string; readonly name: string; readonly type: string };
  /** For example `door/lock`. */
  readonly operation: string;
  /** Without secrets: they are kept in a file. */
  readonly parameters: { readonly [name: string]: Json };
  /** How long after the start, in milliseconds. */
  readonly afterMs: number;
}

/** What ends an operation that is started with these parameters; undefined where nothing does. */
export function endingOf(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): Pick<End, 'operation' | 'parameters'> | undefined {
  const { end } = operation;
  if (!end) return undefined;
  const noun = nameOf(operation).split('/')[0];
  const taken = (end.takes ?? []).filter((name) => parameters[name] !== undefined);
  return {
    operation: `${noun}/${end.by}`,
    parameters: Object.fromEntries(taken.map((name) => [name, parameters[name] as Json])),
  };
}

/** Who ends something where, as it is kept. */
export function partiesOf(
  { id, name, where }: { readonly id: string; readonly name: string; readonly where?: string | undefined },
  node: { readonly id: string; readonly name?: string | undefined; readonly type: string },
): Pick<End, 'device' | 'node'> {
  return {
    device: { id, name, ...(where !== undefined && { where }) },
    node: { id: node.id, name: node.name ?? '', type: node.type },
  };
}

/** An end as it is kept in the journal. */
export interface Kept extends End {
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly due: number;
}

/** An end from the journal; undefined where it is none. */
export function keptIn(value: Json): Kept | undefined {
  const kept = value as unknown as Kept | null;
  const texts = [kept?.device?.id, kept?.device?.name, kept?.node?.id, kept?.node?.name, kept?.node?.type];
  const isWhole =
    ['string', 'undefined'].includes(typeof kept?.device?.where) &&
    [...texts, kept?.operation, kept?.subject].every((text) => typeof text === 'string') &&
    typeof kept?.parameters === 'object' &&
    kept.parameters !== null &&
    [kept.due, kept.afterMs].every(Number.isFinite);
  return isWhole && kept ? kept : undefined;
}

/** Says that an end did not succeed, and that it is asked for again. */
export function failureOf(end: End, error: unknown): string {
  return `${called(end)} has not succeeded; it is asked for again until it does: ${wordsOf(error)}`;
}

/** The error of an end that is asked for no more. */
export function surrenderOf(end: End, error: unknown): DeviceError {
  const code = error instanceof DeviceError ? error.code : 'ABORTED';
  const sentence = `${called(end)} has not succeeded for a day and is given up, what it ends may still be on`;
  return new DeviceError(code, `${sentence}: ${wordsOf(error)}`, { cause: error, deed: end.operation });
}

function called({ operation, device, node }: End): string {
  return `${operation} at ${device.name || device.id}, which ends what the node ${node.name || node.id} started,`;
}
