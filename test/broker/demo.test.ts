import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { end as closeServer, listen, quietPort } from '../fixtures/listening';
import { root } from '../fixtures/pack';
import { Program } from '../fixtures/program';
import { Sidebar } from './sidebar';

interface Panel {
  readonly name: string;
  readonly url: string;
}

interface Shown {
  readonly state: { readonly strobe: unknown; readonly overlay: unknown; readonly tone: unknown };
}

/** The processes that were started below one, by what they were started with. */
function below(parent: number): { pid: number; command: string }[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = all.flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), ppid, command }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  const children = (pid: number): { pid: number; command: string }[] =>
    found.filter(({ ppid }) => ppid === pid).flatMap((one) => [one, ...children(one.pid)]);
  return children(parent);
}

describe('npm start -- --sites', () => {
  let userDir: string;
  let program: Program | undefined;
  const start = (env: Record<string, string> = {}, ...args: string[]) =>
    new Program(
      process.execPath,
      [path.join(root, 'scripts', 'start.mjs'), '--sites', '--user-dir', userDir, ...args],
      { cwd: root, env: { ...process.env, ...env } },
    );

  before(async () => {
    userDir = await mkdtemp(path.join(os.tmpdir(), 'algo demo of sites '));
  });
  afterEach(async () => {
    await program?.stop('SIGTERM');
    program = undefined;
  });
  after(() => rm(userDir, { recursive: true, force: true }));

  it('locks both sites down with one button, clears them with another, and ends without a trace', async () => {
    program = start({}, '--port', '0');
    await program.waitForOutput(/Ctrl-C ends all of it/);
    const [, centre = ''] = await program.waitForOutput(/The centre +(http:\S+)/);
    const buttons = [...program.output.matchAll(/-X POST (http:\S+\/inject\/\S+)/g)].map(
      ([, url = '']) => url,
    );
    const panels: Panel[] = [
      ...program.output.matchAll(/^ {6}(\S.*?) +(http:\S+\/algo\/virtual\/\S+\/)$/gm),
    ].map(([, name = '', url = '']) => ({ name, url }));
    assert.equal(buttons.length, 2, program.output);
    assert.equal(panels.length, 5, program.output);
    const shown = async ({ url }: Panel) => (await (await fetch(`${url}state`)).json()) as Shown;
    const alarmed = async () => {
      const states = await Promise.all(panels.map(shown));
      return states.filter(({ state: { strobe, overlay, tone } }) => strobe || overlay || tone).length;
    };
    const sidebar = await Sidebar.open(centre);
    const press = async (url: string) => {
      const answered = sidebar.next('Results by site');
      assert.equal((await fetch(url, { method: 'POST' })).status, 200);
      return (await answered) as Record<string, { outcome: string; receipts: { outcome: string }[] }>;
    };
    try {
      assert.equal(await alarmed(), 0);
      const on = await press(buttons[0] ?? '');
      assert.deepEqual(Object.keys(on), ['north', 'south']);
      for (const { receipts } of Object.values(on)) {
        const outcomes = receipts.map(({ outcome }) => outcome);
        assert.ok(outcomes.includes('accepted'));
        assert.ok(
          outcomes.every((outcome) => ['accepted', 'skipped'].includes(outcome)),
          outcomes.join(),
        );
      }
      assert.equal(await alarmed(), 5);
      const off = await press(buttons[1] ?? '');
      assert.deepEqual(
        Object.values(off).map(({ outcome }) => outcome),
        ['accepted', 'accepted'],
      );
      assert.equal(await alarmed(), 0);
    } finally {
      sidebar.close();
    }
    const started = below(program.child.pid ?? 0);
    assert.equal(started.filter(({ command }) => command.includes('runtime.mjs')).length, 3);
    assert.ok(started.some(({ command }) => /mosquitto -c/.test(command)));
    const end = await program.stop('SIGINT');
    assert.deepEqual(end, { code: 0, signal: null }, program.output);
    assert.deepEqual(
      started.filter(({ pid }) => existsSync(`/proc/${pid}`)),
      [],
    );
    assert.doesNotMatch(program.output, /^\s+at /m);
  });

  it('takes all with it when it is killed', async () => {
    program = start({}, '--port', '0');
    await program.waitForOutput(/Ctrl-C ends all of it/);
    const started = below(program.child.pid ?? 0);
    assert.ok(started.length >= 5);
    program.child.kill('SIGKILL');
    while (started.some(({ pid }) => existsSync(`/proc/${pid}`))) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it('says in one line what to install where there is no broker', async () => {
    program = start({ MOSQUITTO: '/nowhere/mosquitto' }, '--port', '0');
    assert.equal((await program.ended).code, 1);
    assert.match(program.output, /^MOSQUITTO says \/nowhere\/mosquitto, .*apt install mosquitto.*\n$/);
  });

  it('says which of its three ports is busy', async () => {
    const busy = createServer();
    const port = await quietPort();
    await listen(busy, port);
    program = start({}, '--port', String(port - 1));
    assert.equal((await program.ended).code, 1);
    await closeServer(busy);
    assert.match(program.output, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is already in use; .*\\n$`));
  });
});
