import { nameOf } from '../../catalogue/named';
import type { Operation } from '../../catalogue/operation';
import type { Json } from '../journal/lines';

/** What ends something that was started, for as long as nobody else does. */
export interface StopCommand {
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
export function stopCommandFor(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): Pick<StopCommand, 'operation' | 'parameters'> | undefined {
  const { autoStop } = operation;
  if (!autoStop) return undefined;
  const noun = nameOf(operation).split('/')[0];
  const taken = (autoStop.takes ?? []).filter((name) => parameters[name] !== undefined);
  return {
    operation: `${noun}/${autoStop.by}`,
    parameters: Object.fromEntries(taken.map((name) => [name, parameters[name] as Json])),
  };
}

/** Who ends something where, as it is kept. */
export function stopContext(
  { id, name, where }: { readonly id: string; readonly name: string; readonly where?: string | undefined },
  node: { readonly id: string; readonly name?: string | undefined; readonly type: string },
): Pick<StopCommand, 'device' | 'node'> {
  return {
    device: { id, name, ...(where !== undefined && { where }) },
    node: { id: node.id, name: node.name ?? '', type: node.type },
  };
}

/** A start of something, from when it begins to wait until it was answered. */
export interface StartGuard {
  /**
   * The start is about to be sent: from now on it counts as sent, also if this process dies.
   * @returns what resolves when that is written through, or cannot be; it never rejects
   */
  arm(end: StopCommand): Promise<void>;
  /**
   * The start was answered, or will not be sent. Later calls do nothing.
   * @param happened it was done, or may have been: the end it was armed with is the one to come, or none is.
   * Else what was to come before comes as if there had been no start
   * @returns when that is written through; undefined where it is
   */
  release(happened: boolean): Promise<void> | undefined;
}

/** When all of it is written through; undefined where it is. */
export function whenAll(writings: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const left = writings.filter((writing) => writing !== undefined);
  return left.length > 1 ? Promise.all(left).then(() => {}) : left[0];
}

/** What ends automatically, as those see it who start something or end it. */
export interface AutoStops {
  hold(deviceId: string, subject: string, otherIds?: readonly string[]): StartGuard;
  noteEnded(deviceId: string, subject: string, otherIds?: readonly string[]): Promise<void> | undefined;
}
