import assert from 'node:assert/strict';
import { FileManager, refusePath } from '../../../src/virtual-device/state/file-manager';
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
  it('has an uploaded tone in the tone list', () =>
    withDevice({}, async (fixture) => {
      await put(fixture, '/api/files/tones/Schulgong%20%231%20%C3%BC%25.wav', 'RIFF');
      const { tonelist } = JSON.parse((await fixture.sendJson('GET /api/info/tonelist')).text);
      assert.ok(tonelist.includes('Schulgong #1 ü%.wav'));
      const start = { path: 'Schulgong #1 ü%.wav', loop: true };
      assert.equal((await fixture.sendJson('POST /api/controls/tone/start', start)).status, 200);
    }));

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

describe('the virtual device: limits of the file manager', () => {
  it('stores at most 2,000 files, with paths of at most 4,096 characters', () => {
    const files = new FileManager();
    const empty = Buffer.alloc(0);
    for (let count = files.files.size; count < 2_000; count += 1)
      assert.equal(files.put(`file${count}`, empty), undefined);
    assert.equal(files.put('one more', empty), 'the file manager is full');
    assert.equal(files.put('file1999', empty), undefined);
    assert.equal(refusePath('a'.repeat(4_096)), undefined);
    assert.match(refusePath(`${'a/'.repeat(2_048)}a`) ?? '', /at most 4096 characters/);
  });
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

  it('refuses a form of many parts or of long headers while it splits the body', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const lines = (count: number, line: string) =>
        tonePart.replace('\r\n\r\n', `\r\n${Array(count).fill(line).join('\r\n')}\r\n\r\n`);
      const forms: readonly [body: string, reason: string, status: number][] = [
        [`${tonePart.repeat(10)}--b42--`, 'the part tone is unknown, or was sent twice', 400],
        [`${tonePart.repeat(11)}--b42--`, 'the body must have at most 10 parts', 400],
        [`${tonePart.repeat(5_000)}--b42--`, 'the body must have at most 10 parts', 400],
        [`${lines(18, 'a: b')}--b42--`, '', 200],
        [`${lines(19, 'a: b')}--b42--`, 'the header of a part must have at most 20 lines', 400],
        [`${lines(1, `a: ${'b'.repeat(8_000)}`)}--b42--`, '', 200],
        [
          `${lines(1, `a: ${'b'.repeat(8_192)}`)}--b42--`,
          'the header of a part must have at most 8192 bytes',
          400,
        ],
        [
          `${lines(100_000, 'a: b').replaceAll('\r\n\r\n', '\r\n')}--b42--`,
          'the header of a part must have at most 8192 bytes',
          400,
        ],
        [
          `${lines(1, 'a: b')}${'\r'.repeat(1_048_576)}`,
          'the boundary of a large body must have at least 4 characters',
          400,
        ],
      ];
      for (const [body, reason, status] of forms) {
        const reply = await play(fixture, body, form);
        assert.deepEqual([reply.status, reply.text && JSON.parse(reply.text).error], [status, reason]);
      }
    }));
});
