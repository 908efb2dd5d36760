import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Node, NodeInitializer, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { VirtualDevice } from '../../src/virtual-device/device';
import { loadNodes, type NodeConfig, type TestMessage } from '../fixtures/flow';
import { ownNodes, read } from '../fixtures/package';

const host = require.resolve(process.env.ALGO_NODE_RED || 'node-red');

/** The nodes of Node-RED itself that the examples use. */
export function coreNodes(): NodeInitializer[] {
  const require = createRequire(createRequire(host).resolve('@node-red/nodes/package.json'));
  return [
    'common/20-inject',
    'common/21-debug',
    'common/60-link',
    'common/90-comment',
    'function/10-function',
    'function/10-switch',
    'function/15-change',
    'function/80-template',
    'function/89-delay',
    'function/89-trigger',
    'function/90-exec',
    'function/rbe',
    'network/10-mqtt',
    'network/21-httpin',
    'network/21-httprequest',
    'parsers/70-JSON',
    'sequence/17-split',
    'parsers/70-CSV',
    'storage/10-file',
  ].map((file) => require(`./core/${file}.js`));
}

/** A flow from a file, in a real Node-RED. */
export interface Stage {
  /**
   * Presses an inject node and resolves to what becomes of its message at a debug node; rejects with what a Catch
   * node got of it. What is still on its way of an earlier one is left alone.
   * @param isIt tells what comes of it where a watching node begins a message of its own
   */
  press(name: string, isIt?: (message: TestMessage) => boolean): Promise<TestMessage>;
  /** The same for a message that the node with this id gets from elsewhere. */
  feed(id: string, message: object, isIt?: (message: TestMessage) => boolean): Promise<TestMessage>;
  /** Resolves to a message at a debug node that nothing here has sent. */
  next(isIt: (message: TestMessage) => boolean): Promise<TestMessage>;
  /** The virtual device behind a device node. */
  behind(name: string): Promise<VirtualDevice>;
  /** Where its files are. */
  readonly folder: string;
}

interface Served {
  readonly port?: number;
  readonly credentials?: Readonly<Record<string, Record<string, string>>>;
  /** Host and port of a speech server, in place of that of the flow. */
  readonly speech?: string;
}

/**
 * Deploys the flow of a file, relative to the package. End it with `stopFlow`.
 * @param folder for the files of Node-RED and of the flow
 * @param served the port of Node-RED's HTTP server, in place of 1880, and what a person enters after the import
 */
export async function deploy(file: string, folder: string, served?: Served): Promise<Stage> {
  const port = served?.port;
  const text = JSON.stringify(read(file)).replaceAll('127.0.0.1:5000', served?.speech ?? '127.0.0.1:5000');
  const flow: readonly NodeConfig[] = JSON.parse(
    port === undefined ? text : text.replaceAll('127.0.0.1:1880', `127.0.0.1:${port}`),
  );
  const imported = flow.flatMap((node) =>
    node.credentials ? [[node.id, node.credentials as Record<string, string>] as const] : [],
  );
  const credentials = { ...Object.fromEntries(imported), ...served?.credentials };
  if (port === undefined) helper.init(host);
  const roots = port === undefined ? {} : { httpNodeRoot: '/', httpAdminRoot: '/' };
  const settings = { userDir: folder, fileWorkingDirectory: folder, ...roots };
  const nodes = [...ownNodes(), ...coreNodes()];
  await loadNodes(nodes, flow, credentials, settings);
  const named = (type: string, name: string): NodeConfig => {
    const found = flow.filter((node) => node.type === type && node.name === name);
    assert.equal(found.length, 1, `${found.length} nodes of type ${type} are named ${name}`);
    return found[0] ?? assert.fail();
  };
  let presses = 0;
  const next: Stage['next'] = (isIt) =>
    firstAt(
      flow.filter(({ type }) => type === 'debug').map(({ id }) => helper.getNode(id)),
      isIt,
    );
  const feed: Stage['feed'] = (id, message, isIt) => {
    const _msgid = `press ${++presses}`;
    const arrived = next(isIt ?? ((came) => came._msgid === _msgid));
    helper.getNode(id).receive({ ...message, _msgid } as NodeMessage);
    return arrived;
  };
  return {
    folder,
    feed,
    next,
    press: (name, isIt) => feed(named('inject', name).id, {}, isIt),
    behind(name) {
      const node = helper.getNode(String(named('algo-device', name).virtual));
      return (node as Node & { device(): Promise<VirtualDevice> }).device();
    },
  };
}

function firstAt(nodes: readonly Node[], isIt: (message: TestMessage) => boolean): Promise<TestMessage> {
  return new Promise((resolve, reject) => {
    const listener = (message: NodeMessage) => {
      if (!isIt(message as TestMessage)) return;
      for (const node of nodes) node.removeListener('input', listener);
      const { error } = message as TestMessage;
      if (error) reject(new Error(`a Catch node got ${JSON.stringify(error.message)}`));
      else resolve(message as TestMessage);
    };
    for (const node of nodes) node.on('input', listener);
  });
}
