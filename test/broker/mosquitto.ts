import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { quietPort } from '../fixtures/listening';
import { Program } from '../fixtures/program';

/** Debian puts it where only root's path leads. */
const command = process.env.MOSQUITTO || '/usr/sbin/mosquitto';

/** A real Mosquitto, which can be stopped, killed and started again on the same port. */
export class Mosquitto {
  #program: Program | undefined;

  private constructor(
    readonly port: number,
    readonly directory: string,
  ) {}

  /** @param more further lines of its configuration */
  static async start(more: readonly string[] = [], files: Record<string, string> = {}): Promise<Mosquitto> {
    const mosquitto = await Mosquitto.prepare();
    for (const [name, text] of Object.entries(files)) await mosquitto.write(name, text);
    const own = more.map((line) => line.replaceAll('DIRECTORY', mosquitto.directory));
    const access = own.some((line) => line.startsWith('allow_anonymous')) ? [] : ['allow_anonymous true'];
    const usual = ['set_tcp_nodelay true', 'max_queued_messages 0'];
    const lines = [`listener ${mosquitto.port} 127.0.0.1`, ...usual, ...access, ...own];
    await mosquitto.start(lines.join('\n'));
    return mosquitto;
  }

  /** A port that is free, and a folder; nothing runs yet. */
  static async prepare(): Promise<Mosquitto> {
    return new Mosquitto(await quietPort(), await mkdtemp(path.join(os.tmpdir(), 'algo-broker-')));
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(path.join(this.directory, name), text, { mode: 0o644 });
  }

  /** @param configuration instead of the one that it had */
  async start(configuration?: string): Promise<void> {
    // As root it would become somebody who may not look into the folder.
    if (configuration) await this.write('mosquitto.conf', `user root\n${configuration}\n`);
    this.#program = new Program(command, ['-c', path.join(this.directory, 'mosquitto.conf'), '-v'], {
      cwd: this.directory,
    });
    await this.#program.waitForOutput(/mosquitto version \S+ running/);
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
