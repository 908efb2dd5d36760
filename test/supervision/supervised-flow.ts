import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { DeviceReport, SupervisionReport } from '../../src/runtime/supervision/engine';
import { type NodeConfig, startFlow, statusesOf } from '../fixtures/flow';
import { Inbox } from '../nodes/watch-flow';

const onTab = { z: 'tab', x: 100, y: 100 };

/** A message from a supervision. */
export interface SupervisionMessage<Payload> extends NodeMessage {
  topic?: string;
  payload: Payload;
  headers?: Record<string, string>;
}

/** The configuration of a supervision whose outputs lead to the inboxes. */
export function supervision(more: Record<string, unknown> = {}): NodeConfig {
  const wires = [['changes'], ['answers']];
  return { ...onTab, id: 'watch', type: 'algo-supervision', operation: '', interval: 3600, wires, ...more };
}

/** The configuration of a device that needs no password. Node-RED takes a name that is its own id for a circle. */
export function device(id: string, address: string, more: Record<string, unknown> = {}): NodeConfig {
  return { id, type: 'algo-device', name: `The ${id}`, address, auth: 'none', timeout: 5, ...more };
}

/** The nodes on a tab, as a deploy has them. */
export function withHelpers(configs: readonly NodeConfig[]): NodeConfig[] {
  return [
    ...configs,
    { ...onTab, id: 'changes', type: 'helper' },
    { ...onTab, id: 'answers', type: 'helper' },
  ];
}

/** A flow with supervisions, in a real Node-RED. */
export interface SupervisedFlow {
  readonly changes: Inbox;
  readonly answers: Inbox;
  readonly caught: Inbox;
  /** Sends a message, and resolves to the next one from the second output. */
  ask<Payload = SupervisionReport>(message?: Record<string, unknown>): Promise<SupervisionMessage<Payload>>;
  /** Sends a message that is refused, and resolves to its error. */
  refused(message: Record<string, unknown>): Promise<{ code?: string; message: string }>;
  /** Sends a message that is not answered, and resolves when it is done. */
  sendAndWait(message: Record<string, unknown>): Promise<void>;
}

export async function startSupervised(
  configs: readonly NodeConfig[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<SupervisedFlow> {
  await startFlow(withHelpers(configs), {}, [], settings);
  const [changes, answers, caught, completed] = ['changes', 'answers', 'caught', 'completed'].map(inboxOf);
  if (!changes || !answers || !caught || !completed) throw new Error('the flow has no inboxes');
  const send = (message: Record<string, unknown>) => helper.getNode('watch').receive(message as NodeMessage);
  return {
    changes,
    answers,
    caught,
    async ask(message = {}) {
      const answer = answers.next();
      send(message);
      return (await answer) as never;
    },
    async refused(message) {
      send(message);
      for (;;) {
        // What the node logs by itself has no code.
        const { error } = await caught.next();
        if (error?.code !== undefined) return error;
      }
    },
    async sendAndWait(message) {
      const done = completed.next();
      send(message);
      await done;
    },
  };
}

export function inboxOf(id: string): Inbox {
  const inbox = new Inbox();
  helper.getNode(id).on('input', (message: NodeMessage) => inbox.put(message));
  return inbox;
}

/** The state of a device in a report. */
export function stateIn({ payload }: SupervisionMessage<SupervisionReport>, name: string): DeviceReport {
  const found = payload.devices.find((one) => one.device === `The ${name}`);
  if (!found) throw new Error(`the report has no device ${name}`);
  return found;
}

export function lastStatus(): { fill?: string; text?: string } {
  return statusesOf('watch').at(-1) ?? {};
}
