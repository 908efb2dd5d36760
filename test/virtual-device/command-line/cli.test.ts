import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CallEntry } from '../../../src/virtual-device/log/call-entry';
import { busyPort } from '../../fixtures/listening';
import { ask, send, sendJson, sign } from '../../fixtures/signer';
import { entry, withTarget } from '../calls/target';
import { call } from '../schedule/bells';
import { CLI, end, lines, run, withProgram } from './child';

describe('algo-virtual-device', () => {
  it('says with --json where each device listens, and logs to standard error', () =>
    withProgram(
      ['--count', '2', '--model', '8190s', '--firmware', '5.6', '--password', 'pw'],
      async ({ devices, logged }) => {
        for (const { address, ...rest } of devices) {
          assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
          assert.deepEqual(rest, { model: '8190S', firmware: '5.6' });
        }
        const [{ address: first } = assert.fail(), { address: second } = assert.fail()] = devices;
        assert.notEqual(first, second);
        const { status } = await sendJson(second, 'GET /api/info/about', undefined, { password: 'pw' });
        assert.equal(status, 200);
        const { path, device } = await logged();
        assert.deepEqual([path, device], ['/api/info/about', second]);
      },
      2,
    ));

  it('speaks to people without --json, and ends when told', async () => {
    const child = spawn(process.execPath, [CLI, '--tls', '--auth', 'none']);
    const [line] = await lines(child, 1);
    assert.match(line ?? '', /^virtual 8301 \(firmware 5\.7\) listens on https:\/\/127\.0\.0\.1:\d+$/);
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
  });

  it('ends when npx is gone, which keeps a SIGTERM to itself', async () => {
    const npx = ['-c', '"$0" "$@" & wait', process.execPath, CLI, '--no-panel'];
    const child = spawn('/bin/sh', npx, { env: { ...process.env, npm_lifecycle_event: 'npx' } });
    await lines(child, 1);
    child.kill('SIGTERM');
    // Its output stays open for as long as anybody may write to it.
    await once(child, 'close');
  });

  it('prints where its panel is, after its address, and none with --no-panel', async () => {
    const child = spawn(process.execPath, [CLI, '--model', '8138']);
    const [first, line] = await lines(child, 2);
    const panel = /^open the panel at (http:\/\/127\.0\.0\.1:\d+\/)$/.exec(line ?? '')?.[1];
    assert.match((await (await fetch(`${panel}1/state`)).text()) ?? '', /"model":"8138"/);
    const [, address = ''] = /listens on (\S+)$/.exec(first ?? '') ?? [];
    assert.ok((await (await fetch(address)).text()).includes(`<a href="${panel}1/">`));
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });

  it('does what the flags for faults and open questions say', () =>
    withProgram(
      ['--unauthorized', '401', '--fault', '{"kind":"status","status":502,"count":1}'],
      async ({ address }) => {
        const ask = () => sendJson(address, 'GET /api/info/about', undefined, { password: 'wrong' });
        assert.deepEqual([(await ask()).status, (await ask()).status], [502, 401]);
      },
    ));

  it('does at its start what it is told to, also what needs a running device', () => {
    const commands = ['storage {"full":true}', 'certificate', 'password {"password":"x"}'];
    return withProgram(['--tls', ...commands.flatMap((words) => ['--do', words])], async ({ address }) => {
      const file = { password: 'x', type: 'application/octet-stream', body: 'a' };
      const { status, text } = await ask(address, 'PUT', '/api/files/a.txt', file);
      assert.deepEqual([status, JSON.parse(text)], [400, { error: 'the file manager is full' }]);
    });
  });

  it('takes a clock that is behind, as its help has it', () =>
    withProgram(['--clock', '-3600', '--auth', 'none'], async ({ address }) => {
      const { headers } = await sendJson(address, 'GET /api/info/about');
      const behind = Date.now() - Date.parse(String(headers.date));
      assert.ok(behind > 3_500_000 && behind < 3_700_000, String(headers.date));
    }));

  it('says on its log what it called and what came of it, and goes further only with --calls any', () =>
    withTarget(async ({ place }) => {
      for (const [more, outcome] of [
        [[], 'not-sent'],
        [['--calls', 'any'], 'unreachable'],
      ] as const)
        await withProgram(['--auth', 'none', '--speed', '10', ...more], async ({ address, logged }) => {
          const { start_date: _, start_time: __, ...undated } = call;
          const api_call = [place, '0.0.0.0:1'].map((target) => ({ ...entry, target }));
          await sendJson(address, 'POST /api/schedules', { events: [{ ...undated, delay: 20, api_call }] });
          const calls: CallEntry[] = [];
          while (calls.length < 2) {
            const { call: entered } = await logged();
            if (entered) calls.push(entered as CallEntry);
          }
          const outcomes = calls.map(({ target, outcome: found }) => [target, found]);
          assert.deepEqual(outcomes, [
            [place, 'answered'],
            ['0.0.0.0:1', outcome],
          ]);
          if (outcome === 'not-sent') assert.match(calls[1]?.reason ?? '', /loopback.*--calls/);
        });
    }));

  it('says on its log what is wrong with a signature, as the panel does', async () => {
    const child = spawn(process.execPath, [CLI, '--no-panel']);
    const out = createInterface({ input: child.stdout });
    const [first] = await once(out, 'line');
    const address = String(first).split(' ').at(-1) ?? '';
    const path = '/api/controls/tone/start';
    const headers = sign('POST', path, { body: '{"path":"gong.wav","loop":true}' });
    const logged = once(out, 'line');
    const body = Buffer.from('{"path":"gong.wav", "loop":true}');
    assert.equal((await send(address, 'POST', path, headers, body)).status, 403);
    const [line] = await logged;
    assert.match(line, /-> 403 refused: Content-MD5 .*[0-9a-f]{32}.* [0-9a-f]{32}; ./);
    child.kill('SIGINT');
    await once(child, 'close');
  });

  it('explains itself', async () => {
    const { code, out, err } = await run('--help');
    assert.deepEqual([code, err], [0, '']);
    for (const flag of ['model', 'password', 'host', 'calls']) assert.match(out, new RegExp(`--${flag}\\b`));
  });

  const wrong: readonly [string[], RegExp][] = [
    [['--colour'], /Unknown option '--colour'/],
    [['--fault', '{"kind":"fire"}'], /--fault: kind must be "latency" or /],
    [['--clock', '1e20'], /--clock: ahead .* 1000000000/],
    [['--calls', 'all'], /--calls must be loopback or any, not "all"/],
    [['--do', 'call {"target":"192.0.2.9"}'], /--do call: .* loopback/],
    [['--do', 'nope'], /--do nope: .*"nope"/],
    [['--do', 'press {"id":"a"}'], /--do press: .* 8301 /],
  ];
  it('refuses what it does not understand in one line, with exit code 2', async () => {
    for (const [args, message] of wrong) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(err, message);
      assert.match(err, /^algo-virtual-device: [^\n]+\n$/);
    }
  });

  it('says what to install where HTTPS is wanted without the package for it, and does without it', async () => {
    const alone = mkdtempSync(join(tmpdir(), 'algo-cli-'));
    cpSync(dirname(CLI), alone, { recursive: true });
    const { code, out, err } = await end(spawn(process.execPath, [join(alone, 'cli.js'), '--tls']));
    assert.deepEqual([code, out], [1, '']);
    assert.equal(
      err,
      'algo-virtual-device: HTTPS needs the package "selfsigned", which is not installed; install it next to this one: npm install selfsigned\n',
    );
    const child = spawn(process.execPath, [join(alone, 'cli.js'), '--json']);
    assert.match((await lines(child, 1))[0] ?? '', /"address":"http:/);
    child.kill('SIGINT');
    await once(child, 'close');
    rmSync(alone, { recursive: true });
  });

  it('names a busy port in one line, with exit code 1', async () => {
    const { port, free } = await busyPort();
    const { code, err } = await run('--port', String(port));
    await free();
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^algo-virtual-device: .* ${port} [^\\n]+\n$`));
  });
});
