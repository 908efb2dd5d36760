import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** A Node-RED of its own process and user directory, with this package in it. */
export interface NodeRed {
  readonly url: string;
  /** What it has printed so far. */
  log(): string;
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
 * `ALGO_NODE_RED` says which one: `node-red` (5.x) or `node-red-4`.
 */
export async function startNodeRed(flow: readonly FlowNode[]): Promise<NodeRed> {
  const directory = await mkdtemp(path.join(tmpdir(), 'algo-editor-'));
  const port = await freePort();
  await install(directory);
  await writeFile(path.join(directory, 'flows.json'), JSON.stringify(flow));
  await writeFile(
    path.join(directory, 'settings.js'),
    `module.exports = ${JSON.stringify(settings(port))};\n`,
  );
  const program = require.resolve(`${process.env.ALGO_NODE_RED ?? 'node-red'}/red.js`);
  const child = spawn(process.execPath, [program, '-u', directory], { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = await started(child);
  return {
    url: `http://127.0.0.1:${port}/`,
    log,
    async stop() {
      const exited = once(child, 'exit');
      if (child.exitCode === null) child.kill('SIGTERM');
      await (child.exitCode === null ? exited : undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function install(directory: string): Promise<void> {
  const scope = path.join(directory, 'node_modules', '@openpaging');
  await mkdir(scope, { recursive: true });
  await symlink(packageRoot, path.join(scope, 'node-red-algo'), 'dir');
}

function settings(uiPort: number): object {
  return {
    uiHost: '127.0.0.1',
    uiPort,
    flowFile: 'flows.json',
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    externalModules: { palette: { allowInstall: false } },
    editorTheme: { tours: false, palette: { catalogues: [] } },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}

/** Waits for the line that says that the flows have started; fails with the whole log if none comes. */
function started(child: ChildProcess): Promise<() => string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk;
      if (text.includes('Started flows')) resolve(() => text);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Node-RED ended:\n${text}`)));
  });
}
