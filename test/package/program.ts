import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program in a process of its own, whose output is read and waited for. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  output = '';

  constructor(
    command: string,
    args: readonly string[],
    options: { cwd: string; env?: NodeJS.ProcessEnv; detached?: boolean },
  ) {
    const env = withoutNpm(options.env ?? process.env);
    this.child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        this.child.emit('output');
      });
    }
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Resolves as soon as the output holds something like this; rejects when the program ends before. */
  async says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    const ended = this.ended.then(({ code, signal }) => {
      throw new Error(`ended (${signal ?? code}) before it said ${pattern}:\n${this.output}`);
    });
    for (;;) {
      const found = pattern.exec(this.output.slice(from));
      if (found) {
        ended.catch(() => {});
        return found;
      }
      await Promise.race([once(this.child, 'output'), ended]);
    }
  }

  /** Ends the program if it still runs. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Our own npm's settings must not become those of a program that knows npm too. */
function withoutNpm(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('npm_')));
}
