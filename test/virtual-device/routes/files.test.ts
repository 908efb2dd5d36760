import assert from 'node:assert/strict';
import { ask, type Reply } from '../../fixtures/signer';
import { type DeviceFixture, withDevice } from '../with-device';

const BINARY = 'application/octet-stream';

function put(
  { address, clock }: DeviceFixture,
  path: string,
  body: Buffer | string,
  type = BINARY,
): Promise<Reply> {
  return ask(address, 'PUT', path, { now: clock.now(), body, type });
}

describe('the virtual device: files (section 4.3)', () => {
  it('refuses what leaves the file manager or is no path, and a folder for a file', () =>
    withDevice({}, async (fixture) => {
      for (const path of [
        '../etc/x',
        'a/../b',
        '%2E%2E/b',
        './b',
        'a//b',
        'a%2Fb',
        'a%00',
        'tones',
        'tones/x/',
        '',
      ])
        assert.equal((await put(fixture, `/api/files/${path}`, 'x')).status, 400, path);
      await put(fixture, '/api/files/a/b', 'x');
      assert.equal((await put(fixture, '/api/files/a/b/c', 'x')).status, 400);
      for (const path of ['../x', 'a//b', '//a', ''])
        assert.equal((await fixture.sendJson('DELETE /api/files/', { path })).status, 400, path);
      for (const path of ['a/../a/b', '', '/'])
        assert.equal((await fixture.sendJson('POST /api/files/download', { path })).status, 400, path);
      assert.equal((await fixture.sendJson('GET /api/files/')).status, 400);
      assert.equal((await put(fixture, '/api/files/a/c', 'x', 'text/plain')).status, 400);
    }));
});

describe('the virtual device: upload-play (section 4.5.2)', () => {
  const ROUTE = '/api/controls/tone/upload-play';
  const wave = Buffer.from('RIFF\u0004\u0000\u0000\u0000WAVE');
  const mp3 = Buffer.from([0x49, 0x44, 0x33, 4]);
  const play = ({ address, clock }: DeviceFixture, body: Buffer | string, type: string) =>
    ask(address, 'POST', ROUTE, { now: clock.now(), body, type });
  const part = (name: string, content: string, type: string, file = '') =>
    `--b42\r\nContent-Disposition: form-data; name="${name}"${file && `; filename="${file}"`}\r\n` +
    `Content-Type: ${type}\r\n\r\n${content}\r\n`;
  const tonePart = part('tone', wave.toString('latin1'), 'audio/wav', 'x.wav');
  const form = 'multipart/form-data; boundary=b42';

  it('answers at once, plays a raw file later, and says so', () =>
    withDevice({ model: '8128', uploadSeconds: 60 }, async (fixture) => {
      const answers: string[] = [];
      fixture.device.on('happened', (words) => answers.push(words));
      assert.equal((await play(fixture, wave, 'audio/wav')).status, 200);
      assert.deepEqual([fixture.device.state.tone], [null]);
      assert.equal(fixture.device.state.upload?.path, 'uploaded file');
      fixture.clock.advance(60_000);
      assert.deepEqual(answers, ['uploaded file plays now']);
      assert.equal(fixture.device.state.tone?.loop, false);
      fixture.clock.advance(3000);
      assert.equal(fixture.device.state.tone, null);
      assert.equal((await play(fixture, mp3, 'audio/mpeg')).status, 200);
    }));

  it('plays a form with its data, signed as a request without a body', () =>
    withDevice({ uploadSeconds: 0 }, async (fixture) => {
      const data = { loop: true, duration: 60, mcast: true, playback: 'false', state: { type: 'rtp' } };
      const body = `${part('data', JSON.stringify(data), 'application/json')}${tonePart}--b42--\r\n`;
      assert.equal((await play(fixture, body, form)).status, 200);
      assert.deepEqual(fixture.device.state.tone, { path: 'uploaded file', ...data });
    }));

  it('refuses other content, wrong types, unknown parts and half a form', () =>
    withDevice({}, async (fixture) => {
      const cases: readonly [string, Buffer | string, string][] = [
        ['text', 'hello', 'audio/wav'],
        ['MP3 as WAV', mp3, 'audio/wav'],
        ['WAV as MP3', wave, 'audio/mpeg'],
        ['a tone that is no file', `${part('tone', 'RIFF', 'audio/wav')}--b42--\r\n`, form],
        ['an unknown part', `${tonePart}${part('more', '{}', 'application/json')}--b42--\r\n`, form],
        ['half a form', tonePart, form],
        ['another boundary', `${tonePart}--b42--\r\n`, 'multipart/form-data; boundary=b43'],
      ];
      for (const [what, body, type] of cases)
        assert.equal((await play(fixture, body, type)).status, 400, what);
      assert.equal(fixture.device.state.tone, null);
    }));
});
