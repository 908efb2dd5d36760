import type { Operation } from '../../catalogue/operation';
import { nameOf } from '../../catalogue/operation-name';
import type { Json } from '../../kernel/journal/lines';

export interface StopCommand {
  readonly device: {
    readonly id: string;
    readonly name: string;
    /** `where` of the `Device`, the same for all names of the device; absent if the address is invalid. */
    readonly where?: string;
    /** Set for a row of a group with a password of its own. */
    readonly ownPassword?: true;
  };
  readonly node: { readonly id: string; readonly name: string; readonly type: string };
  readonly operation: string;
  /** Parameters without secrets, since the journal stores the parameters in a file. */
  readonly parameters: { readonly [name: string]: Json };
  readonly afterMs: number;
}

export function stopCommandFor(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): Pick<StopCommand, 'operation' | 'parameters'> | undefined {
  const { autoStop } = operation;
  if (!autoStop) return undefined;
  const resource = nameOf(operation).split('/')[0];
  const taken = (autoStop.takes ?? []).filter((name) => parameters[name] !== undefined);
  return {
    operation: `${resource}/${autoStop.by}`,
    parameters: Object.fromEntries(taken.map((name) => [name, parameters[name] as Json])),
  };
}

export function stopContext(
  {
    id,
    name,
    where,
    ownPassword,
  }: Pick<StopCommand['device'], 'id' | 'name'> & {
    readonly where?: string | undefined;
    readonly ownPassword?: true | undefined;
  },
  node: { readonly id: string; readonly name?: string | undefined; readonly type: string },
): Pick<StopCommand, 'device' | 'node'> {
  return {
    device: { id, name, ...(where !== undefined && { where }), ...(ownPassword && { ownPassword }) },
    node: { id: node.id, name: node.name ?? '', type: node.type },
  };
}

export interface StartGuard {
  /**
   * Stores the stop before the start is sent. After a crash, the start is treated as sent.
   * @returns a promise that resolves when the stop is on disk or cannot be written; never rejects
   */
  arm(stopCommand: StopCommand): Promise<void>;
  /**
   * Ends the guard; later calls have no effect.
   * @param happened whether the start took effect or might have taken effect. If true, the stop of `arm`
   * becomes pending; if false, an earlier pending stop stays
   * @returns a promise that resolves when the change is on disk or its write has failed; undefined if no
   * write is running
   */
  release(happened: boolean): Promise<void> | undefined;
}

export interface AutoStops {
  hold(deviceId: string, deviceOutput: string, otherIds?: readonly string[]): StartGuard;
  recordEnded(
    deviceId: string,
    deviceOutput: string,
    otherIds?: readonly string[],
  ): Promise<void> | undefined;
}
