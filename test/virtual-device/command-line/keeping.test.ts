import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ask, sendJson } from '../../fixtures/signer';
import { CLI, end, lines } from './child';

describe('algo-virtual-device --state', () => {
  it('says when what a folder has kept wins over what is asked for, and does not say it otherwise', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'algo-cli-'));
    const start = async (...args: string[]): Promise<string[]> => {
      const child = spawn(process.execPath, [CLI, '--no-panel', '--state', folder, ...args]);
      const ended = end(child);
      await once(child.stdout, 'data');
      child.kill('SIGINT');
      return (await ended).out.split('\n').slice(1).filter(Boolean);
    };
    assert.deepEqual(await start('--password', 'first'), []);
    assert.deepEqual(await start(), []);
    assert.deepEqual(await start('--password', 'first', '--auth', 'standard'), []);
    assert.deepEqual(await start('--password', 'second', '--auth', 'basic'), [
      `the state in ${folder} overrides --auth and --password`,
    ]);
    rmSync(folder, { recursive: true });
  });

  it('refuses what does not fit on the disk, says so on its log, and leaves no part of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'algo-cli-'));
    const start = (kilobytes: number) =>
      spawn('sh', [
        '-c',
        // Blocks of 512 bytes: no file may grow beyond that.
        `ulimit -f ${kilobytes * 2} && exec "$0" "$@"`,
        ...[process.execPath, CLI, '--json', '--auth', 'none', '--state', folder],
      ]);
    const child = start(16);
    const log = createInterface({ input: child.stderr });
    const { address } = JSON.parse((await lines(child, 1))[0] ?? '');
    const type = 'application/octet-stream';
    const logged = once(log, 'line');
    const body = 'x'.repeat(100_000);
    const { status, text } = await ask(address, 'PUT', '/api/files/large.bin', { type, body });
    assert.equal(status, 507, text);
    const entry = JSON.parse((await logged)[0]);
    assert.deepEqual([entry.status, entry.outcome], [507, 'failed']);
    assert.match(entry.reason, /\(EFBIG: file too large\)/);
    assert.deepEqual(readdirSync(join(folder, 'files')), []);
    assert.deepEqual(readdirSync(folder), ['device.json', 'files']);
    assert.equal((await sendJson(address, 'GET /api/files/large.bin')).status, 404);
    const small = await ask(address, 'PUT', '/api/files/small.txt', { type, body: 'x' });
    assert.equal(small.status, 200);
    child.kill('SIGINT');
    await once(child, 'close');
    assert.equal(readdirSync(join(folder, 'files')).length, 1);
    rmSync(folder, { recursive: true });
  });

  it('starts where nothing can be kept, and says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'algo-cli-'));
    const args = [process.execPath, CLI, '--json', '--auth', 'none', '--state', folder];
    const child = spawn('sh', ['-c', 'ulimit -f 0 && exec "$0" "$@"', ...args]);
    const log = createInterface({ input: child.stderr });
    const logged = once(log, 'line');
    const { address } = JSON.parse((await lines(child, 1))[0] ?? '');
    assert.match(JSON.parse((await logged)[0]).note, /\(EFBIG: file too large\)/);
    assert.equal((await sendJson(address, 'PUT /api/settings', { 'audio.page.vol': '0dB' })).status, 507);
    assert.equal((await sendJson(address, 'POST /api/controls/tone/stop')).status, 200);
    child.kill('SIGINT');
    await once(child, 'close');
    assert.deepEqual(readdirSync(folder), ['files']);
    rmSync(folder, { recursive: true });
  });
});
