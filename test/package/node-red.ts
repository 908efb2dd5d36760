import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { npm, pack } from './pack';
import { Program } from './program';

/** A Node-RED as a user has it, with the packed package installed in its user directory. */
export class InstalledNodeRed {
  private constructor(
    readonly directory: string,
    readonly program: Program,
    readonly address: string,
  ) {}

  /** @param settings beyond those that Node-RED begins with, such as `editorTheme.tours=false` */
  static async start(...settings: string[]): Promise<InstalledNodeRed> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'algo user dir '));
    await writeFile(path.join(directory, 'package.json'), '{ "private": true }');
    const { filename } = await pack('--pack-destination', directory);
    await npm(directory, 'install', path.join(directory, filename), '--omit=dev', '--prefer-offline');
    const red = require.resolve(`${process.env.ALGO_NODE_RED || 'node-red'}/red.js`);
    const defined = ['uiHost=127.0.0.1', 'logging.console.level=debug', ...settings].flatMap((setting) => [
      '-D',
      setting,
    ]);
    const args = [red, '--userDir', directory, '--port', '0', ...defined];
    const program = new Program(process.execPath, args, { cwd: directory });
    const [, address = ''] = await program.says(/Server now running at (http:\S+:\d+)/);
    await program.says(/Started flows/);
    return new InstalledNodeRed(directory, program, address);
  }

  /** Asks the admin API. */
  async get(place: string, accept = 'application/json'): Promise<string> {
    const answer = await fetch(`${this.address}${place}`, { headers: { accept } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`GET ${place} answers ${answer.status}: ${text}`);
    return text;
  }

  async post(place: string, body?: unknown): Promise<void> {
    const answer = await fetch(`${this.address}${place}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`POST ${place} answers ${answer.status}: ${await answer.text()}`);
  }

  /** Deploys a flow. Resolves to what Node-RED said of it, once it runs or cannot run. */
  async deploy(nodes: unknown): Promise<string> {
    const from = this.program.output.length;
    await this.post('/flows', nodes);
    await this.program.says(/Started flows|missing types/, from);
    return this.program.output.slice(from);
  }

  async stop(): Promise<void> {
    await this.program.stop();
    await rm(this.directory, { recursive: true });
  }
}
