import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Node, NodeAPI } from 'node-red';
import { DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import type { ActionNode } from '../action/dispatch';
import { perform } from '../action/perform';
import { succeeded } from '../action/receipt';
import { Journal } from '../journal/journal';
import { realTiming } from '../timing';
import type { End } from './end';
import { Ends } from './ends';
import { publish } from './feed';

/** What the ends of one kind of action node are sent with. */
type Kind = Pick<ActionNode, 'RED' | 'group' | 'hooks'>;

/** By the noun of the operations. */
const kinds = new Map<string, Kind>();

/** By Node-RED's user directory: tests start several in one process. */
const known = new Map<string, Ends>();

/**
 * What Node-RED ends, for the nodes of one kind. It stays when nodes and devices are deployed anew.
 * @param kind sends the ends of what these nodes start
 */
export function endingsOf(kind: Kind): Ends {
  const { RED, group } = kind;
  kinds.set(group.noun, kind);
  const directory = RED.settings?.userDir ?? '';
  const ends = known.get(directory) ?? begin(RED, directory);
  known.set(directory, ends);
  return ends;
}

function begin(RED: NodeAPI, directory: string): Ends {
  const ends = new Ends({
    timing: { ...realTiming, after },
    journal: journalIn(directory, (sentence) => RED.log.warn(`[algo] ${sentence}`)),
    send: (end, signal) => send(end, signal),
    warn: ({ node }, sentence) => RED.log.warn(`[${node.type}:${node.name || node.id}] ${sentence}`),
    giveUp: (end, error) => giveUp(RED, end, error),
  });
  // Between the two, as during a deploy, there is no device to send anything to.
  RED.events.on('flows:stopped', () => ends.close());
  RED.events.on('flows:started', () => ends.run());
  return ends;
}

/** Nothing here keeps Node-RED from ending. */
function after(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}

/** The journal makes its folder when it is first needed. */
function journalIn(
  userDirectory: string,
  warn: (sentence: string) => void,
): ConstructorParameters<typeof Ends>[0]['journal'] {
  const directory = path.join(userDirectory, 'algo');
  let journal: Journal | undefined;
  const open = () => {
    journal ??= Journal.open(directory, { warn });
    return journal;
  };
  const isNone = userDirectory === '';
  return {
    *entries(prefix) {
      if (!isNone && existsSync(directory)) yield* open().entries(prefix);
    },
    put: async (key, value) => (isNone ? undefined : open().put(key, value)),
    delete: async (key) => (isNone ? undefined : open().delete(key)),
  };
}

/** Those that were asked for in vain: said once, however often they are asked for. */
const failed = new WeakSet<End>();

/** @throws DeviceError unless the device said yes */
async function send(end: End, signal: AbortSignal): Promise<void> {
  const [noun = '', operation] = end.operation.split('/');
  const kind = kinds.get(noun);
  if (!kind) throw new DeviceError('NOT_CONFIGURED', `algo-${noun} is not there to send it`);
  const { id, name, type } = end.node;
  const action: ActionNode = {
    ...kind,
    node: { id, name, type } as Node,
    properties: {
      device: end.device.id,
      operation,
      parametersType: 'msg',
      parameters: 'payload',
      retryFor: 0,
    },
    progress() {},
  };
  const { deliveries, result } = perform(action, { _msgid: '', payload: end.parameters });
  const stop = () => {
    for (const { abort } of deliveries) abort.abort(Failure.own('ABORTED', 'it is not wanted any more'));
  };
  signal.addEventListener('abort', stop, { once: true });
  const [receipt] = (await result).receipts;
  signal.removeEventListener('abort', stop);
  if (!receipt) return;
  const isDone = succeeded(receipt) && receipt.outcome !== 'rehearsed';
  if (isDone || !failed.has(end)) {
    publish(receipt, { node: name || id, nodeId: id }, () => {});
  }
  if (isDone) return;
  failed.add(end);
  const { code = 'NOT_SUPPORTED', message = 'the device only rehearses' } = receipt.error ?? {};
  throw new DeviceError(code, message);
}

/** A Catch node sees it, where the node is still there. */
function giveUp(RED: NodeAPI, { node }: End, error: Error): void {
  const found = RED.nodes.getNode(node.id);
  if (found) found.error(error, { _msgid: RED.util.generateId() });
  else RED.log.error(`[${node.type}:${node.name || node.id}] ${error.message}`);
}
