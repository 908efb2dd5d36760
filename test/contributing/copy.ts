import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from '../fixtures/pack';
import { Program } from '../fixtures/program';

/** What became of some tests. */
export interface Verdict {
  readonly passed: readonly string[];
  /** Each failure with its title and what it says. */
  readonly failed: readonly string[];
}

interface MochaTest {
  readonly fullTitle: string;
  readonly err: { readonly message?: string };
}

/** A copy of this repository in a directory of its own, to try a change on. */
export class Copy {
  private constructor(readonly directory: string) {}

  static async make(): Promise<Copy> {
    const copy = new Copy(await mkdtemp(path.join(os.tmpdir(), 'algo trial ')));
    const isSource = (name: string) => !['node_modules', 'dist', '.git'].includes(name);
    for (const name of (await readdir(root)).filter(isSource)) {
      await cp(path.join(root, name), copy.#at(name), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), copy.#at('node_modules'));
    return copy;
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(this.#at(file), text);
  }

  /** Changes a file as many text editors do: they rename a new file over it. Throws when that makes no difference. */
  async edit(file: string, change: (text: string) => string): Promise<void> {
    const text = await readFile(this.#at(file), 'utf8');
    const changed = change(text);
    assert.notEqual(changed, text, `nothing to change was found in ${file}`);
    await this.write(`${file}.new`, changed);
    await rename(this.#at(`${file}.new`), this.#at(file));
  }

  /** Runs a script of the repository, which must succeed. */
  async run(script: string, ...given: readonly string[]): Promise<void> {
    const program = new Program(process.execPath, [script, ...given], { cwd: this.directory });
    const { code } = await program.ended;
    assert.equal(code, 0, program.output);
  }

  /**
   * Runs the built tests that these patterns name.
   * @param only of these, those whose titles contain it
   */
  async test(patterns: readonly string[], only = ''): Promise<Verdict> {
    const report = this.#at('report.json');
    const mocha = require.resolve('mocha/bin/mocha.js');
    const reporter = ['--reporter', 'json', '--reporter-option', `output=${report}`];
    const files = patterns.map((pattern) => `dist/test/${pattern}`);
    const program = new Program(process.execPath, [mocha, ...reporter, '--fgrep', only, ...files], {
      cwd: this.directory,
    });
    await program.ended;
    assert.doesNotMatch(program.output, /Cannot find any files/);
    const { passes, failures }: Record<string, MochaTest[]> = JSON.parse(await readFile(report, 'utf8'));
    await rm(report);
    return {
      passed: passes?.map(({ fullTitle }) => fullTitle) ?? [],
      failed: failures?.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`) ?? [],
    };
  }

  /** Puts files back as they are in the repository, with what is built of them, while something is tried. */
  async without(files: readonly string[], attempt: () => Promise<void>): Promise<void> {
    const built = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
    const kept = [];
    for (const name of [...files, ...built]) {
      kept.push({ name, content: await readFile(this.#at(name)) });
      await rm(this.#at(name));
      if (existsSync(path.join(root, name))) await cp(path.join(root, name), this.#at(name));
    }
    await attempt();
    for (const { name, content } of kept) await writeFile(this.#at(name), content);
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true });
  }

  #at(file: string): string {
    return path.join(this.directory, file);
  }
}
