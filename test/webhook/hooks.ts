import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { flowOf, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';
import { ask, type Reply, type SignOptions, send } from '../fixtures/signer';
import { Waiting } from '../fixtures/waiting';

/** A message as it leaves a webhook. */
export interface Called extends NodeMessage {
  readonly webhook: Record<string, unknown>;
  readonly payload: unknown;
  readonly resource?: string;
  readonly operation?: string;
}

/** The content of a refusal. */
export interface Refused {
  readonly reason: string;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly at: string;
  readonly clockOffsetMs?: number;
}

interface Inside {
  readonly _app: { use(handler: (request: IncomingMessage, response: ServerResponse) => void): void };
}

/** A webhook on the tab, wired to the nodes that keep what its outputs send. */
export function hook(id: string, more: Readonly<Record<string, unknown>> = {}): NodeConfig {
  const place = { z: 'tab', x: 100, y: 100 };
  return { id, type: 'algo-webhook', name: id, ...place, wires: [['first'], ['second']], ...more };
}

const inboxes: NodeConfig[] = ['first', 'second'].map((id) => ({
  id,
  type: 'helper',
  z: 'tab',
  x: 1,
  y: 1,
}));

/** A Node-RED with webhooks and an HTTP server, whose own pages answer `Node-RED`. */
export class Hooks {
  readonly first: Called[] = [];
  readonly second: (NodeMessage & { payload: Refused })[] = [];
  /** The paths of the requests that were left to Node-RED. */
  readonly passed: string[] = [];
  readonly #heard = new WeakSet<object>();
  readonly #waiting = new Waiting(() =>
    JSON.stringify({ first: this.first, second: this.second, passed: this.passed }),
  );

  /** @param settings of Node-RED */
  async start(
    configs: readonly NodeConfig[],
    credentials: Record<string, Record<string, string>> = {},
    settings: Readonly<Record<string, unknown>> = {},
    more: readonly unknown[] = [],
  ): Promise<void> {
    await new Promise<void>((resolve) => void helper.startServer(() => resolve()));
    (helper as unknown as Inside)._app.use(({ url = '' }, response) => {
      this.passed.push(url);
      this.#waiting.look();
      response.end('Node-RED');
    });
    const roots = { httpNodeRoot: '/', httpAdminRoot: '/', ...settings };
    await startFlow([...configs, ...inboxes], credentials, more, roots);
    this.listen();
  }

  /** Deploys other nodes over those that run. */
  async redeploy(
    configs: readonly NodeConfig[],
    type: 'nodes' | 'full' = 'nodes',
    credentials: Record<string, Record<string, string>> = {},
  ): Promise<void> {
    // Node-RED takes the credentials of a node out of the flow, as the editor sends them.
    const flow = flowOf([...configs, ...inboxes]).map((config) => {
      const secret = credentials[config.id];
      return secret ? { ...config, credentials: secret } : config;
    });
    await redeploy(flow, type);
    this.listen();
  }

  /** Keeps what reaches the inboxes. */
  listen(): void {
    this.#keep('first', this.first);
    this.#keep('second', this.second);
  }

  #keep(id: string, inbox: unknown[]): void {
    const node = helper.getNode(id);
    // A deploy keeps a node that has not changed.
    if (!node || this.#heard.has(node)) return;
    this.#heard.add(node);
    node.on('input', (message) => {
      inbox.push(message);
      this.#waiting.look();
    });
  }

  async stop(): Promise<void> {
    await stopFlow();
    await new Promise<void>((resolve) => void helper.stopServer(() => resolve()));
  }

  get url(): string {
    return helper.url();
  }

  /** Sends a request without a login. */
  send(
    method: string,
    path: string,
    body: string | Buffer = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    return send(this.url, method, path, headers, Buffer.from(body));
  }

  /** Sends a request with the signature of a device. */
  signed(method: string, path: string, options: SignOptions = {}): Promise<Reply> {
    return ask(this.url, method, path, options);
  }

  /** Sends bytes as they are. Resolves with what came back when the connection is closed. */
  raw(
    bytes: string,
    onOpen: (write: (more: string) => void) => void = () => {},
    onAnswer = () => {},
  ): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.on('connect', () => {
        socket.write(bytes);
        onOpen((more) => void socket.write(more));
      });
      socket.on('data', (data) => {
        answer += data.toString('latin1');
        onAnswer();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    });
  }

  until(what: string, holds: () => boolean): Promise<void> {
    return this.#waiting.until(what, holds);
  }

  /** Looks again at what is waited for. */
  look(): void {
    this.#waiting.look();
  }

  /** Resolves with the messages of the first output, as soon as there are so many. */
  async calls(count: number): Promise<Called[]> {
    await this.until(`${count} requests reached the flow`, () => this.first.length >= count);
    assert.equal(this.first.length, count);
    return this.first;
  }

  /** Resolves with the refusals, as soon as there are so many. */
  async refusals(count: number): Promise<Refused[]> {
    await this.until(`${count} refusals reached the flow`, () => this.second.length >= count);
    assert.equal(this.second.length, count);
    return this.second.map(({ payload }) => payload);
  }

  /** The last status of a node. */
  status(id: string): Shown | undefined {
    const { status } = helper.getNode(id) as unknown as { status: { getCalls(): StatusCall[] } };
    const calls = status.getCalls().filter(({ thisValue }) => thisValue.id === id);
    return calls.at(-1)?.args[0];
  }
}

interface Shown {
  readonly fill?: string;
  readonly shape?: string;
  readonly text?: string;
}

interface StatusCall {
  readonly args: readonly [Shown];
  readonly thisValue: { readonly id: string };
}
