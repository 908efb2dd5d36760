import assert from 'node:assert/strict';
import type { Node, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { Receipt } from '../../src/runtime/action/receipt';
import { ownNodes } from './package';

helper.init(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));

/** A message as it leaves one of our nodes, or as a Catch node hands it on. */
export interface TestMessage extends NodeMessage {
  receipts?: Receipt[];
  error?: { message: string; code?: string };
  [property: string]: unknown;
}

/** What one message led to: what went on, and what a Catch node saw. */
export interface Outcome {
  readonly sent: TestMessage[];
  readonly caught: TestMessage[];
}

export type NodeConfig = Record<string, unknown> & { id: string; type: string };

/** Without a place on a tab Node-RED takes a node for a configuration. */
const onTab = { z: 'tab', x: 100, y: 100 };

/**
 * Starts a real Node-RED runtime with these nodes on one tab. Each node of ours without wires is wired to
 * a node that keeps what it sends; a Catch and a Complete node tell when a message is done.
 * @param more registers node types that are not ours
 */
export async function startFlow(
  configs: readonly NodeConfig[],
  credentials: Record<string, Record<string, string>> = {},
  more: readonly unknown[] = [],
): Promise<void> {
  await helper.load(
    [...ownNodes(), ...more] as ReturnType<typeof ownNodes>,
    flowOf(configs) as Parameters<typeof helper.load>[1],
    credentials,
  );
}

/** These nodes on a tab, each without wires wired to the node that keeps what is sent, with a Catch and a Complete node. */
export function flowOf(configs: readonly NodeConfig[]): NodeConfig[] {
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    ...configs.map((config) => ('operation' in config ? { ...onTab, wires: [['out']], ...config } : config)),
    { ...onTab, id: 'out', type: 'helper' },
    { ...onTab, id: 'catcher', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
    { ...onTab, id: 'caught', type: 'helper' },
    {
      ...onTab,
      id: 'completer',
      type: 'complete',
      scope: configs.filter((config) => 'operation' in config).map(({ id }) => id),
      wires: [['completed']],
    },
    { ...onTab, id: 'completed', type: 'helper' },
  ];
}

/** Sends one message to a node and resolves when the node says that it is done with it. */
export function ask(id: string, message: Record<string, unknown> = {}): Promise<Outcome> {
  const outcome: Outcome = { sent: [], caught: [] };
  const [out, caught, completed] = ['out', 'caught', 'completed'].map((name) => helper.getNode(name));
  assert.ok(out && caught && completed);
  return new Promise((resolve) => {
    const keepSent = (sent: NodeMessage) => void outcome.sent.push(sent as TestMessage);
    const keepCaught = (error: NodeMessage) => {
      outcome.caught.push(error as TestMessage);
      finish();
    };
    const finish = () => {
      // What was sent before `done` was called is delivered in the same or an earlier turn.
      setImmediate(() => {
        out.removeListener('input', keepSent);
        caught.removeListener('input', keepCaught);
        completed.removeListener('input', finish);
        resolve(outcome);
      });
    };
    out.on('input', keepSent);
    caught.on('input', keepCaught);
    completed.on('input', finish);
    helper.getNode(id).receive(message as NodeMessage);
  });
}

/** The status texts a node has shown since it was made, oldest first. */
export function statusesOf(id: string): { fill?: string; shape?: string; text?: string }[] {
  const { status } = helper.getNode(id) as Node & { status: { args: [Record<string, string>][] } };
  return status.args.map(([shown]) => shown);
}

export async function stopFlow(): Promise<void> {
  await helper.unload();
}
