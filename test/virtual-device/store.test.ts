import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VirtualDevice } from '../../src/virtual-device/device';
import { NOON, withDevice } from './bench';
import { ask } from './signer';

describe('a virtual device with a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'algo-device-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps at once what is changed by hand, and never before it has read what was kept', async () => {
    await withDevice({ folder }, async ({ device, tell }) => {
      await tell('PUT /api/settings', { 'audio.page.vol': '-30dB' });
      device.controls.setPassword('by hand');
      const { settings } = JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8'));
      assert.equal(settings['api.admin.pwd'], 'by hand');
    });
    const early = new VirtualDevice({ folder });
    early.controls.setInterface(false);
    const { settings } = JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8'));
    assert.equal(settings['audio.page.vol'], '-30dB');
  });

  it('replaces a file by a whole one: who holds the old one open has it unharmed', async () => {
    const type = 'application/octet-stream';
    await withDevice({ folder }, async ({ address }) => {
      const put = (body: string) => ask(address, 'PUT', '/api/files/a.txt', { now: NOON, body, type });
      await put('before');
      const files = path.join(folder, 'files');
      const [name = ''] = readdirSync(files);
      const { ino, mode } = statSync(path.join(files, name));
      assert.equal(mode & 0o077, 0);
      await put('after');
      assert.notEqual(statSync(path.join(files, name)).ino, ino);
      assert.deepEqual(readdirSync(files), [name]);
    });
  });

  it('says which file it cannot read, and what to do', async () => {
    for (const broken of ['{"sett', '{}', 'null', '{"settings":{},"files":[],"schedules":null}']) {
      writeFileSync(path.join(folder, 'device.json'), broken);
      const words = /what \S+device\.json has kept cannot be read \(.+\); without that file it begins anew/;
      await assert.rejects(new VirtualDevice({ folder }).start(), words, broken);
    }
  });

  it('still has its settings, files and schedules at its next start', async () => {
    const type = 'application/octet-stream';
    const name = '/api/files/tones/..%20my%20own.wav';
    await withDevice({ folder }, async ({ address, tell }) => {
      await tell('PUT /api/settings', { 'audio.page.vol': '-30dB' });
      assert.equal((await ask(address, 'PUT', name, { now: NOON, body: 'sound', type })).status, 200);
      await tell('DELETE /api/files/', { path: 'tones/gong.wav' });
      const event = {
        name: 'Bell',
        start_date: '2020-09-28',
        start_time: '18:00',
        rrule: '',
        color: '#0000ff',
      };
      await tell('POST /api/schedules', {
        events: [{ ...event, event_type: 'play_tone', audio: 'bell-uk.wav' }],
      });
    });
    assert.equal(
      statSync(path.join(folder, 'device.json')).mode & 0o077,
      0,
      'nobody else may read passwords',
    );
    for (const file of readdirSync(path.join(folder, 'files'))) assert.match(file, /^[0-9a-f]{64}$/);
    await withDevice({ folder }, async ({ device, tell, clock }) => {
      assert.equal(device.settings['audio.page.vol'], '-30dB');
      const { tonelist } = JSON.parse((await tell('GET /api/info/tonelist')).text);
      assert.ok(
        tonelist.includes('.. my own.wav') && !tonelist.includes('gong.wav') && tonelist.includes('dogs.wav'),
      );
      assert.equal((await tell(`GET ${name}`)).text, 'sound');
      assert.equal(device.snapshot().next?.name, 'Bell');
      await tell('POST /api/schedules', { delete: [{ evid: 1 }] });
      assert.equal(clock.pending, 0);
    });
    assert.deepEqual(JSON.parse(readFileSync(path.join(folder, 'device.json'), 'utf8')).schedules.events, []);
  });
});
