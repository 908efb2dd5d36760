import assert from 'node:assert/strict';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { busyPort } from '../../fixtures/listening';
import { ask } from '../../fixtures/signer';
import { NOON, withDevice } from '../with-device';

describe('a virtual device with a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'algo-device-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps at once what is changed by hand, and never before it has read what was kept', async () => {
    await withDevice({ folder }, async ({ device, sendJson }) => {
      await sendJson('PUT /api/settings', { 'audio.page.vol': '-30dB' });
      await device.carryOut('password', { password: 'by hand' });
      const { settings } = JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8'));
      assert.equal(settings['api.admin.pwd'], 'by hand');
    });
    const early = new VirtualDevice({ folder });
    await early.carryOut('api', { on: false });
    const { settings } = JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8'));
    assert.equal(settings['audio.page.vol'], '-30dB');
  });

  it('keeps nothing of a device that could not start', async () => {
    const { port, free } = await busyPort();
    const device = new VirtualDevice({ folder, port });
    await assert.rejects(device.start(), { code: 'EADDRINUSE' });
    await free();
    await device.carryOut('password', { password: 'by hand' });
    const { settings } = JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8'));
    assert.equal(settings['api.admin.pwd'], 'algo');
  });

  it('replaces a file by a whole one: who holds the old one open has it unharmed', async () => {
    const type = 'application/octet-stream';
    await withDevice({ folder }, async ({ address }) => {
      const put = (body: string) => ask(address, 'PUT', '/api/files/a.txt', { now: NOON, body, type });
      await put('before');
      const files = path.join(folder, 'files');
      const only = (): string => {
        const names = readdirSync(files);
        assert.equal(names.length, 1);
        return path.join(files, names[0] ?? '');
      };
      assert.equal(statSync(only()).mode & 0o077, 0);
      const held = openSync(only(), 'r');
      await put('after');
      assert.equal(readFileSync(only(), 'utf8'), 'after');
      assert.equal(readFileSync(held, 'utf8'), 'before');
      closeSync(held);
    });
  });

  it('says which file it cannot read, and what to do', async () => {
    for (const broken of ['{"sett', '{}', 'null', '{"settings":{},"files":[],"schedules":null}']) {
      writeFileSync(path.join(folder, 'device.json'), broken);
      const words = /\S+device\.json cannot be read \(.+\); delete the file to start empty/;
      await assert.rejects(new VirtualDevice({ folder }).start(), words, broken);
    }
  });

  it('still has its settings, files and schedules at its next start', async () => {
    const type = 'application/octet-stream';
    const name = '/api/files/tones/..%20my%20own.wav';
    const odd = '/api/files/__proto__';
    await withDevice({ folder }, async ({ address, sendJson }) => {
      await sendJson('PUT /api/settings', { 'audio.page.vol': '-30dB' });
      assert.equal((await ask(address, 'PUT', name, { now: NOON, body: 'sound', type })).status, 200);
      assert.equal((await ask(address, 'PUT', odd, { now: NOON, body: 'odd', type })).status, 200);
      await sendJson('DELETE /api/files/', { path: 'tones/gong.wav' });
      const event = {
        name: 'Bell',
        start_date: '2020-09-28',
        start_time: '18:00',
        rrule: '',
        color: '#0000ff',
      };
      await sendJson('POST /api/schedules', {
        events: [{ ...event, event_type: 'play_tone', audio: 'bell-uk.wav' }],
      });
    });
    assert.equal(
      statSync(path.join(folder, 'device.json')).mode & 0o077,
      0,
      'nobody else may read passwords',
    );
    for (const file of readdirSync(path.join(folder, 'files'))) assert.match(file, /^[0-9a-f]{64}$/);
    await withDevice({ folder }, async ({ device, sendJson, clock }) => {
      assert.equal(device.settings['audio.page.vol'], '-30dB');
      const { tonelist } = JSON.parse((await sendJson('GET /api/info/tonelist')).text);
      assert.ok(
        tonelist.includes('.. my own.wav') && !tonelist.includes('gong.wav') && tonelist.includes('dogs.wav'),
      );
      assert.equal((await sendJson(`GET ${name}`)).text, 'sound');
      assert.equal((await sendJson(`GET ${odd}`)).text, 'odd');
      assert.equal(device.snapshot().next?.name, 'Bell');
      await sendJson('POST /api/schedules', { delete: [{ evid: 1 }] });
      assert.equal(clock.pending, 0);
    });
    assert.deepEqual(JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8')).schedules.events, []);
  });

  const bell = {
    ...{ event_type: 'play_tone', name: 'Bell', audio: 'bell-uk.wav', rrule: '' },
    ...{ start_date: '2020-09-28', start_time: '18:00' },
  };

  it('refuses what it cannot keep and changes nothing, until it can', () =>
    withDevice({ folder }, async ({ address, device, clock, sendJson }) => {
      const type = 'application/octet-stream';
      const before = device.settings;
      rmSync(folder, { recursive: true });
      const refused = [
        await sendJson('PUT /api/settings', { 'audio.page.vol': '-30dB' }),
        await ask(address, 'PUT', '/api/files/a.txt', { now: NOON, body: 'a', type }),
        await sendJson('DELETE /api/files/', { path: 'tones/gong.wav' }),
        await sendJson('POST /api/schedules', { events: [bell] }),
        await sendJson('POST /api/settings/action/restore'),
      ];
      for (const [index, { status, text }] of refused.entries()) {
        assert.equal(status, 507, `${index}: ${text}`);
        assert.match(text, /could not be stored \(ENOENT.*\), so nothing was changed/);
        assert.deepEqual(device.log[index]?.outcome, 'failed');
        assert.match(device.log[index]?.reason ?? '', /ENOENT/);
      }
      assert.deepEqual(device.settings, before);
      assert.equal((await sendJson('GET /api/files/a.txt')).status, 404);
      assert.equal((await sendJson('GET /api/files/tones/gong.wav')).status, 200);
      assert.deepEqual(JSON.parse((await sendJson('GET /api/schedules')).text).events, []);
      assert.equal(clock.pending, 0, 'no bell is set');
      assert.equal(device.state.power, 'on');
      assert.equal(
        (await sendJson('POST /api/controls/tone/stop')).status,
        200,
        'nothing of it is to be kept',
      );
      await assert.rejects(device.carryOut('password', { password: 'x' }), /could not be stored/);
      assert.equal(device.access.password, 'algo');
      mkdirSync(path.join(folder, 'files'), { recursive: true });
      assert.equal((await sendJson('PUT /api/settings', { 'audio.page.vol': '-30dB' })).status, 204);
      assert.match(readFileSync(path.join(folder, 'device.json'), 'utf8'), /"audio.page.vol": "-30dB"/);
    }));

  it('keeps at once that an event has removed itself, and says so when it cannot', () =>
    withDevice({ folder }, async ({ device, clock, sendJson }) => {
      const troubles: string[] = [];
      device.on('trouble', (words) => troubles.push(words));
      const events = [
        { ...bell, auto_remove: 1 },
        { ...bell, start_time: '19:00', auto_remove: 1 },
      ];
      await sendJson('POST /api/schedules', { events });
      const kept = () => JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8')).schedules.events;
      assert.equal(kept().length, 2);
      clock.advance(3_600_000);
      assert.equal(kept().length, 1);
      assert.deepEqual(troubles, []);
      rmSync(folder, { recursive: true });
      clock.advance(3_600_000);
      assert.match(troubles.join(), /^its state could not be stored \(ENOENT/);
      mkdirSync(path.join(folder, 'files'), { recursive: true });
      await sendJson('PUT /api/settings', { 'audio.page.vol': '-30dB' });
      assert.deepEqual(kept(), []);
    }));
});
