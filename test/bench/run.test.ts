import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../fixtures/package';

const run = promisify(execFile);
const bench = (...args: string[]) => run(process.execPath, [path.join(root, 'bench', 'run.mjs'), ...args]);

describe('npm run bench', () => {
  it('measures this package against the nodes of Node-RED and the bare node, without a failure', async () => {
    const { stdout } = await bench('one-at-a-time', '--quick', '--rounds', '1');
    const [note, empty, title, ...lines] = stdout.trim().split('\n');
    const left = 'stock-kept, bare-core, ours-4.1, empty';
    assert.equal(note, `Quick: fewer rounds, messages and devices than the titles say; left out: ${left}.`);
    assert.equal(empty, '');
    assert.equal(title, 'A message, one at a time');
    const number = '[\\d.,]+';
    const cpu = `CPU +${number} µs \\(${number} to ${number}\\)`;
    const ratio = ` +${number} \\(${number} to ${number}\\) times bare`;
    const none = ' +failures +0 \\(0 to 0\\)';
    const wanted = [` +stock +${cpu}${ratio}`, none, ` +bare +${cpu}`, none, ` +ours +${cpu}${ratio}`, none];
    assert.equal(lines.length, wanted.length, stdout);
    for (const [index, line] of lines.entries()) assert.match(line, new RegExp(`^${wanted[index]}$`));
  });

  it('refuses what it does not know', async () => {
    await assert.rejects(bench('one-by-one'), /There is no work named one-by-one; --list names all/);
    await assert.rejects(bench('--against', root, '--slow'), /Unknown option '--slow'/);
    await assert.rejects(bench('--against', path.join(root, 'bench')), /is not a built checkout/);
  });
});
