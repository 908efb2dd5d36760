import type { Node, NodeAPI, NodeMessage } from 'node-red';
import type { Operation, OperationGroup } from '../catalogue/operation';
import { checkParameters } from '../catalogue/validate';
import { DeviceError } from '../client/errors';
import { type ActionHooks, deliver, type Plan, type Sending } from './delivery';
import { collectParameters, type ParameterProperties } from './parameters';
import { isEmpty, type Receipt } from './receipt';
import { findTargets, type TargetProperties } from './targets';

/** What a message may say to an action node, and what it says when it leaves. */
export interface ActionMessage extends NodeMessage {
  device?: unknown;
  operation?: unknown;
  receipts?: Receipt[];
}

/** The properties of an action node as they are stored, `${ENV}` already replaced: of any type. */
export interface ActionProperties extends TargetProperties, ParameterProperties {
  readonly operation?: unknown;
  readonly confirmWrite?: unknown;
  readonly reloadAfter?: unknown;
  readonly waitUntilBack?: unknown;
  readonly skipSame?: unknown;
}

/** What every message of one action node shares. */
export interface Action {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly group: OperationGroup;
  readonly properties: ActionProperties;
  readonly hooks: ActionHooks;
}

/** What became of a message: receipts in the targets' order, and the answer if it becomes the payload. */
export interface Result {
  readonly receipts: Receipt[];
  readonly payload?: unknown;
}

/** The id of the operation that a message asks for; empty when it asks for none. */
export function operationIdOf(action: Action, message: ActionMessage): string {
  const id = askedFor(action, message);
  return typeof id === 'string' ? id.slice(0, 40) : '';
}

/** A node with one operation does not ask which. */
function askedFor({ group, properties }: Action, message: ActionMessage): unknown {
  const [only, second] = group.operations;
  if (only && !second) return only.id;
  return properties.operation === 'msg' ? message.operation : properties.operation;
}

/**
 * Does what a message asks for, at all its targets at once; one that is dead delays no other. What a target
 * or a parameter did wrong is in the receipts.
 */
export async function perform(
  action: Action,
  message: ActionMessage,
  signal: AbortSignal,
  progress: (text: string) => void,
): Promise<Result> {
  const targets = findTargets(action.properties, message);
  const id = operationIdOf(action, message);
  const { noun } = action.group;
  const deed = id === noun ? noun : `${noun}/${id}`;
  const plan = await planOf(action, deed, message);
  const { hooks, properties } = action;
  const sending: Sending = { hooks, properties, signal, progress };
  const deliveries = await Promise.all(targets.list.map((target) => deliver(target, deed, plan, sending)));
  const receipts = deliveries.map(({ receipt }) => receipt);
  const [only] = deliveries;
  const isShown = !(plan instanceof DeviceError) && plan.operation.answer !== 'none';
  if (!targets.single || !isShown || isEmpty(only?.body)) return { receipts };
  return { receipts, payload: only?.body };
}

/** What to send, or the error that keeps the message from being sent anywhere. */
async function planOf(action: Action, deed: string, message: ActionMessage): Promise<Plan | DeviceError> {
  const { RED, node, group, properties } = action;
  try {
    const operation = findOperation(group, properties, askedFor(action, message));
    const raw = await collectParameters(RED, node, properties, operation, message);
    const checked = checkParameters(operation, raw);
    if (checked.ok) return { operation, parameters: checked.parameters };
    throw new DeviceError('INVALID_PARAMETER', checked.findings.join('; '));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new DeviceError('INVALID_PARAMETER', `${deed}: ${reason}; nothing was sent`, { cause: error });
  }
}

function findOperation(group: OperationGroup, properties: ActionProperties, asked: unknown): Operation {
  const operation = group.operations.find(({ id }) => id === asked);
  const isByMessage = properties.operation === 'msg';
  if (operation && isByMessage && (properties.parametersType || 'form') === 'form') {
    throw new DeviceError(
      'INVALID_PARAMETER',
      'the operation comes with the message, so its parameters must too: a form belongs to one operation',
    );
  }
  if (operation) return operation;
  const ids = group.operations.map((one) => one.id).join(', ');
  const place = isByMessage ? 'msg.operation' : 'operation';
  throw new DeviceError('INVALID_PARAMETER', `${place} must be one of ${ids}; got ${describe(asked)}`);
}

function describe(asked: unknown): string {
  if (asked === undefined || asked === null || asked === '') return 'nothing';
  if (typeof asked === 'string') return asked.slice(0, 40);
  return typeof asked === 'object' ? 'an object' : `the ${typeof asked} ${String(asked)}`;
}
