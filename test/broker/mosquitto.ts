import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { listen } from '../listening';
import { Program } from '../package/program';

/** Debian puts it where only root's path leads. */
const command = process.env.MOSQUITTO || '/usr/sbin/mosquitto';

/** A real Mosquitto, which can be stopped, killed and started again on the same port. */
export class Mosquitto {
  #program: Program | undefined;

  private constructor(
    readonly port: number,
    private readonly directory: string,
  ) {}

  /** @param more further lines of its configuration */
  static async start(more: readonly string[] = [], files: Record<string, string> = {}): Promise<Mosquitto> {
    const server = createServer();
    const port = Number((await listen(server)).split(':').at(-1));
    await new Promise((resolve) => server.close(resolve));
    const directory = await mkdtemp(path.join(os.tmpdir(), 'algo-broker-'));
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(directory, name), text, { mode: 0o644 });
    }
    const lines = [
      `listener ${port} 127.0.0.1`,
      'user root',
      'set_tcp_nodelay true',
      'max_queued_messages 0',
    ];
    const own = more.map((line) => line.replaceAll('DIRECTORY', directory));
    const all = own.some((line) => line.startsWith('allow_anonymous'))
      ? own
      : ['allow_anonymous true', ...own];
    await writeFile(path.join(directory, 'mosquitto.conf'), [...lines, ...all, ''].join('\n'));
    const mosquitto = new Mosquitto(port, directory);
    await mosquitto.start();
    return mosquitto;
  }

  async start(): Promise<void> {
    this.#program = new Program(command, ['-c', path.join(this.directory, 'mosquitto.conf'), '-v'], {
      cwd: this.directory,
    });
    await this.#program.says(/mosquitto version \S+ running/);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#program?.stop(signal);
    this.#program = undefined;
  }

  async end(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
  }

  get output(): string {
    return this.#program?.output ?? '';
  }
}
