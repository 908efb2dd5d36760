import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Flow } from './flow';
import { type Deploy, now } from './history';
import type { Ask, ChildMessage, Resources } from './node-red';

/** Which Node and which Node-RED. */
export interface Runtime {
  /** The Node and the module name of the Node-RED to run. */
  readonly node: string;
  readonly nodeRed: string;
}

/** Node-RED in a process of its own, and what it tells. */
export class NodeRed {
  readonly complaints: string[] = [];
  readonly logs: { readonly at: number; readonly line: string }[] = [];
  private readonly child: ChildProcess;
  private readonly listeners = new Set<(message: ChildMessage) => void>();
  private stopping = false;

  constructor({ node, nodeRed }: Runtime) {
    this.child = fork(path.join(__dirname, 'node-red.js'), [require.resolve(nodeRed)], {
      execPath: node,
      execArgv: ['--expose-gc', '--trace-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.on('message', (message: ChildMessage) => {
      if (message.complaint) this.complaints.push(message.complaint);
      if (message.log) this.logs.push({ at: now(), line: message.log });
      for (const listener of this.listeners) listener(message);
    });
    this.child.stderr?.on('data', (bytes: Buffer) => this.complaints.push(`standard error: ${bytes}`));
    this.child.on('exit', (code, signal) => {
      if (!this.stopping) this.complaints.push(`Node-RED ended with ${code ?? signal}`);
    });
  }

  get isAlive(): boolean {
    return this.child.connected;
  }

  onMessage(listener: (message: ChildMessage) => void): void {
    this.listeners.add(listener);
  }

  ask(ask: Ask): void {
    if (this.child.connected) this.child.send(ask);
  }

  /** The next that is told of this kind; undefined when Node-RED is gone. */
  next<Key extends keyof ChildMessage>(key: Key): Promise<ChildMessage[Key] | undefined> {
    if (!this.child.connected) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const gone = () => resolve(undefined);
      const listener = (message: ChildMessage) => {
        if (message[key] === undefined) return;
        this.listeners.delete(listener);
        this.child.off('exit', gone);
        resolve(message[key]);
      };
      this.listeners.add(listener);
      this.child.once('exit', gone);
    });
  }

  async deploy(flow: Flow, type: string, devices: readonly number[]): Promise<Deploy> {
    const from = now();
    const done = this.next('deployed');
    this.ask({ deploy: flow, type });
    await done;
    return { type, devices, from, to: now() };
  }

  async resources(): Promise<Resources> {
    const found = this.next('resources');
    this.ask({ resources: true });
    return (await found) ?? { active: {}, heapBytes: 0, stalls: [] };
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (!this.child.connected) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.disconnect();
    await gone;
  }
}
