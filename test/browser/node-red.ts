import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Program } from '../package/program';

const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** A Node-RED of its own process and user directory, with this package in it as it was built. */
export interface NodeRed {
  readonly url: string;
  /** What it has printed so far. */
  log(): string;
  /** Resolves as soon as it has printed something like this. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends the process and removes its directory. */
  stop(): Promise<void>;
}

/** One node of a flow file. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

/**
 * Starts Node-RED on a free port of 127.0.0.1 with a flow, and waits until its flows have started.
 * @param node the program that runs it
 * @param nodeRed `node-red` (5.x) or `node-red-4`
 * @param more settings beyond the usual ones
 */
export async function startNodeRed(
  flow: readonly FlowNode[],
  node = process.execPath,
  nodeRed = process.env.ALGO_NODE_RED ?? 'node-red',
  more: object = {},
): Promise<NodeRed> {
  const directory = await mkdtemp(path.join(tmpdir(), 'algo-editor-'));
  const scope = path.join(directory, 'node_modules', '@openpaging');
  await mkdir(scope, { recursive: true });
  await symlink(packageRoot, path.join(scope, 'node-red-algo'), 'dir');
  await writeFile(path.join(directory, 'flows.json'), JSON.stringify(flow));
  const users = Object.fromEntries(['_', 'boss', 'operator', 'guest'].map((name) => [name, withoutTips]));
  await writeFile(path.join(directory, '.config.users.json'), JSON.stringify(users));
  await writeFile(
    path.join(directory, 'settings.js'),
    `module.exports = ${JSON.stringify({ ...settings, ...more })};\n`,
  );
  const args = [require.resolve(`${nodeRed}/red.js`), '--userDir', directory, '--port', '0'];
  const program = new Program(node, args, { cwd: directory });
  const [, url = ''] = await program.says(/Server now running at (http:\S+)/);
  await program.says(/Started flows/);
  return {
    url,
    log: () => program.output,
    says: (pattern) => program.says(pattern),
    async stop() {
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The editor's tips of the day throw where the editor takes longer than a second to start. */
const withoutTips = { editor: { view: { 'view-show-tips': false } } };

const settings = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false } },
  // With what a virtual device was only asked to read.
  logging: { console: { level: 'debug' } },
  editorTheme: { tours: false, palette: { catalogues: [] } },
};
