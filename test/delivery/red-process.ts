import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { NodeConfig } from '../nodes/flow';
import { root } from '../nodes/package';
import { Program } from '../package/program';

const red = require.resolve(`${process.env.ALGO_NODE_RED || 'node-red'}/red.js`);
/** The core nodes that flows of tests have. To load all of them takes as long as the rest of Node-RED's start. */
const needed = [
  ...['catch', 'status', 'change', 'function', 'httpin', 'tls', 'mqtt', 'inject', 'debug', 'link', 'file'],
];
const settings = `module.exports = ${JSON.stringify({
  uiHost: '127.0.0.1',
  credentialSecret: false,
  flowFile: 'flows.json',
  disableEditor: true,
  runtimeState: { enabled: true, ui: false },
  // Else each start asks for the version of npm, in a process of its own.
  externalModules: { palette: { allowInstall: false } },
  nodesExcludes: coreFiles().filter((file) => !needed.some((name) => file.includes(name))),
})};`;

/** The names of the files of Node-RED's own nodes. */
function coreFiles(): string[] {
  const manifest = require.resolve('@node-red/nodes/package.json', { paths: [path.dirname(red)] });
  const files = readdirSync(path.join(path.dirname(manifest), 'core'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.html')).map((file) => `${path.basename(file, '.html')}.js`);
}

/** A Node-RED in a process of its own that can be killed and started again over the same user directory. */
export class RedProcess {
  #program: Program | undefined;
  #address = '';

  private constructor(readonly userDir: string) {}

  /** @param configs nodes; each that has an operation gets a web address `/<its id>` that sends it a message */
  static async prepare(configs: readonly NodeConfig[]): Promise<RedProcess> {
    const userDir = await mkdtemp(path.join(os.tmpdir(), 'algo delivery '));
    const scope = path.join(userDir, 'node_modules', '@openpaging');
    await mkdir(scope, { recursive: true });
    await symlink(root, path.join(scope, 'node-red-algo'), 'junction');
    await writeFile(
      path.join(userDir, 'package.json'),
      '{ "private": true, "dependencies": { "@openpaging/node-red-algo": "*" } }',
    );
    await writeFile(path.join(userDir, 'settings.js'), settings);
    const process = new RedProcess(userDir);
    await process.rewrite(configs);
    return process;
  }

  /** Has other flows at the next start. */
  async rewrite(configs: readonly NodeConfig[]): Promise<void> {
    await writeFile(path.join(this.userDir, 'flows.json'), JSON.stringify(flowOf(configs)));
  }

  /**
   * @param preload the file beside this one that is loaded before Node-RED
   * @param env more of its environment
   */
  async start(preload = 'patient-disk', env: Record<string, string> = {}): Promise<void> {
    const options = `${process.env.NODE_OPTIONS ?? ''} --require "${path.join(__dirname, `${preload}.js`)}"`;
    const program = new Program(process.execPath, [red, '--userDir', this.userDir, '--port', '0'], {
      cwd: this.userDir,
      env: { ...process.env, NODE_OPTIONS: options, ...env },
    });
    this.#program = program;
    const [, address = ''] = await program.says(/Server now running at (http:\S+:\d+)/);
    this.#address = address;
    const [said] = await program.says(/Started flows|Waiting for missing types[\s\S]*?- \S+/);
    assert.equal(said, 'Started flows', 'a core node of this flow is not among those that are loaded here');
  }

  /** Deploys what has changed, as the editor does. Resolves when Node-RED has said yes. */
  async deploy(configs: readonly NodeConfig[], type: 'full' | 'nodes' = 'nodes'): Promise<void> {
    const { status } = await fetch(`${this.#address}/flows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'node-red-deployment-type': type },
      body: JSON.stringify(flowOf(configs)),
    });
    assert.equal(status, 204);
  }

  /** Starts or stops all flows, as the menu of the editor does. Resolves when that is done. */
  async setFlows(state: 'start' | 'stop'): Promise<void> {
    const { status } = await fetch(`${this.#address}/flows/state`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state }),
    });
    assert.equal(status, 200);
  }

  /** Sends a message to a node. Resolves to how it ended at each target. */
  async tell(id: string): Promise<string[]> {
    const answer = await fetch(`${this.#address}/${id}`, { method: 'POST' });
    const receipts = (await answer.json()) as { device: string; outcome: string }[];
    assert.ok(Array.isArray(receipts), `${id} was answered with ${JSON.stringify(receipts)}`);
    return receipts.map(({ device, outcome }) => `${device} ${outcome}`);
  }

  /** Waits until its log says this. */
  async says(words: RegExp): Promise<void> {
    await this.#program?.says(words);
  }

  /** Resolves when it has ended, by whatever. */
  get ended(): Promise<unknown> {
    return Promise.resolve(this.#program?.ended);
  }

  /** Tells the process something without waiting for what it does about it. */
  signal(signal: NodeJS.Signals): void {
    this.#program?.child.kill(signal);
  }

  get output(): string {
    return this.#program?.output ?? '';
  }

  /** Ends it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#program?.stop(signal);
    this.#program = undefined;
  }

  async clear(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.userDir, { recursive: true, force: true });
  }
}

function flowOf(configs: readonly NodeConfig[]): unknown[] {
  const onTab = { z: 'tab', x: 100, y: 100 };
  const acting = configs.filter((config) => 'operation' in config);
  return [
    { id: 'tab', type: 'tab', label: 'delivery' },
    ...configs.map((config) =>
      acting.includes(config) ? { ...onTab, wires: [['receipts']], ...config } : config,
    ),
    ...acting.map(({ id }) => ({
      ...onTab,
      id: `in ${id}`,
      type: 'http in',
      url: `/${id}`,
      method: 'post',
      wires: [[id]],
    })),
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['receipts']] },
    {
      ...onTab,
      id: 'receipts',
      type: 'change',
      rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'receipts', tot: 'msg' }],
      wires: [['answer']],
    },
    { ...onTab, id: 'answer', type: 'http response', wires: [] },
  ];
}
