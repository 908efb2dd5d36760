import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Receipt } from '../../src/runtime/message/receipt';
import { end, listen } from '../fixtures/listening';
import { root } from '../fixtures/pack';
import { Program } from '../fixtures/program';

function start(...args: string[]): Program {
  return new Program(process.execPath, [path.join(root, 'scripts', 'start.mjs'), ...args], { cwd: root });
}

/** What it prints, what the flow says and what a device's own address shows: each leads to the same panel. */
async function leadsToPanels(output: string, url: string): Promise<void> {
  const printed = [...output.matchAll(/(http:\S+)\n {10}panel {2}(http:\S+)/g)];
  assert.equal(printed.length, 2);
  const flow = await readFile(path.join(root, 'scripts', 'demo', 'flow.json'), 'utf8');
  for (const [, device = '', panel = ''] of printed) {
    const page = await fetch(panel);
    assert.deepEqual([page.status, page.headers.get('content-type')?.split(';')[0]], [200, 'text/html']);
    assert.ok((await (await fetch(device)).text()).includes(`<a href="${panel}">`));
    assert.ok(panel.startsWith(`${url}/`) && flow.includes(`](${panel.slice(url.length + 1)})`));
  }
}

describe('npm start', () => {
  let userDir: string;
  const programs: Program[] = [];

  before(async () => {
    userDir = await mkdtemp(path.join(os.tmpdir(), 'algo demo '));
  });

  afterEach(() => Promise.all(programs.splice(0).map((program) => program.stop('SIGTERM'))));

  after(() => rm(userDir, { recursive: true }));

  /** Starts the demo on a free port, and resolves when it has said all it says about itself. */
  async function running(...args: string[]): Promise<{ program: Program; url: string }> {
    const program = start('--port', '0', '--user-dir', userDir, ...args);
    programs.push(program);
    const [, url = ''] = await program.waitForOutput(/curl -X POST (http:\S+)\/doorbell[\s\S]*Ctrl-C/);
    return { program, url };
  }

  it('opens the door and plays the chime at a doorbell, and ends without a trace', async () => {
    const { program, url } = await running();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);

    const answer = await fetch(`${url}/doorbell`, { method: 'POST' });
    assert.equal(answer.status, 200);
    const receipts = (await answer.json()) as Receipt[];
    assert.deepEqual(
      receipts.map(({ device, operation, outcome }) => ({ device, operation, outcome })),
      [
        { device: 'Front door', operation: 'door/munlock', outcome: 'accepted' },
        { device: 'Hall', operation: 'tone/start', outcome: 'accepted' },
      ],
    );
    await program.waitForOutput(
      /Virtual 8063: POST \/api\/controls\/door\/munlock .*"duration":"5".* -> 200/,
    );
    await program.waitForOutput(
      /Virtual 8301: POST \/api\/controls\/tone\/start .*"path":"chime\.wav".* -> 200/,
    );

    await leadsToPanels(program.output, url);

    assert.deepEqual(await program.stop('SIGINT'), { code: 0, signal: null });
    assert.doesNotMatch(program.output, /^\s+at /m);
    const again = createServer();
    await listen(again, Number(new URL(url).port));
    await end(again);
  });

  it('keeps what was changed in the flow, until it is asked to start again', async () => {
    const flows = path.join(userDir, 'flows.json');
    const changed = (await readFile(flows, 'utf8')).replace('chime.wav', 'gong.wav');
    await writeFile(flows, changed);

    const second = await running();
    assert.equal(await readFile(flows, 'utf8'), changed);
    assert.deepEqual(await second.program.stop('SIGTERM'), { code: 0, signal: null });

    await running('--fresh');
    const demo = path.join(root, 'scripts', 'demo', 'flow.json');
    assert.equal(await readFile(flows, 'utf8'), await readFile(demo, 'utf8'));
  });

  it('says in one line that a port is busy, and what to do', async () => {
    const busy = createServer();
    const { port } = new URL(`http://${await listen(busy)}`);
    const program = start('--port', port, '--user-dir', userDir);
    const { code } = await program.ended;
    await end(busy);
    assert.equal(code, 1);
    assert.equal(
      program.output,
      `Port ${port} on 127.0.0.1 is already in use; choose another one: npm start -- --port 1881\n`,
    );
  });

  it('says in its help which Node-RED starts, and how to have the other one', async () => {
    const program = start('--help');
    assert.equal((await program.ended).code, 0);
    assert.match(program.output, /Node-RED 5 starts.*ALGO_NODE=own npm start takes Node-RED 4\.1/s);
  });

  it('refuses what it does not know in one line', async () => {
    const program = start('--prot', '1881');
    assert.equal((await program.ended).code, 1);
    assert.equal(program.output, "Unknown option '--prot'. What there is: npm start -- --help\n");
  });
});
