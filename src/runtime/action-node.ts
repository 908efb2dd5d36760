import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { OperationGroup } from '../catalogue/operation';
import type { DeviceError } from '../client/errors';
import { type Action, type ActionMessage, type ActionProperties, operationIdOf, perform } from './action';
import type { ActionHooks } from './delivery';
import { errorOf, succeeded } from './receipt';
import { doneStatus, errorStatus, progressStatus, sendingStatus } from './status';

interface ActionNodeDef extends NodeDef, ActionProperties {}

type Send = (message: ActionMessage) => void;
type Done = (error?: Error) => void;

/** Registers the node of one group of operations, for example `algo-door`. */
export function registerActionNode(RED: NodeAPI, group: OperationGroup, hooks: ActionHooks = {}): void {
  RED.nodes.registerType(`algo-${group.noun}`, function (this: Node, definition: ActionNodeDef) {
    RED.nodes.createNode(this, definition);
    run({ RED, node: this, group, properties: definition, hooks });
  });
}

function run(action: Action): void {
  const { RED, node, properties } = action;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  if ((properties.target || 'device') === 'device' && !properties.device) {
    node.status(errorStatus(RED._, 'NOT_CONFIGURED'));
  }

  node.on('input', (message, send, done) => {
    const handled = handle(action, message, send, done, closing.signal);
    underWay.add(handled);
    handled.finally(() => underWay.delete(handled)).catch((fault: unknown) => node.error(String(fault)));
  });

  node.on('close', (closed: () => void) => {
    closing.abort(new Error('its node was closed by a deploy'));
    void Promise.allSettled(underWay).then(() => {
      node.status({});
      closed();
    });
  });
}

/** Handles one message to its end. Never rejects: a rejected handler would end the whole of Node-RED. */
async function handle(
  action: Action,
  message: ActionMessage,
  send: Send,
  done: Done,
  signal: AbortSignal,
): Promise<void> {
  const { RED, node } = action;
  let error: Error | undefined;
  try {
    node.status(sendingStatus(RED._, operationIdOf(action, message)));
    const progress = (text: string) => {
      if (!signal.aborted) node.status(progressStatus(text));
    };
    const { receipts, payload } = await perform(action, message, signal, progress);
    message.receipts = receipts;
    if (payload !== undefined) message.payload = payload;
    const failure = errorOf(receipts);
    const words = action.hooks.acceptedStatus?.[operationIdOf(action, message)];
    if (!signal.aborted) node.status(doneStatus(RED._, receipts, failure, words));
    if (receipts.some(succeeded)) send(message);
    error = failure;
    if (failure) logIfNobodyListens(action, failure);
  } catch (fault) {
    error = fault instanceof Error ? fault : new Error(String(fault));
    node.status(errorStatus(RED._, 'PROTOCOL'));
  }
  finish(action, done, error);
}

/** Node-RED copies the message for Catch and Complete nodes, and throws when it cannot. */
function finish({ RED, node }: Action, done: Done, error: Error | undefined): void {
  try {
    done(error);
  } catch (fault) {
    RED.log.error(`[${node.type}:${node.name || node.id}] ${String(error ?? 'done')}; ${String(fault)}`);
  }
}

/** A full deploy has already taken the Catch nodes and the node's own log away when this one is closed. */
function logIfNobodyListens({ RED, node }: Action, error: DeviceError): void {
  if (error.code === 'ABORTED') RED.log.error(`[${node.type}:${node.name || node.id}] ${error.message}`);
}
