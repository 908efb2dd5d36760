import assert from 'node:assert/strict';
import { PanelServer } from '../../../src/virtual-device/panel/server';
import { ask, send } from '../../fixtures/signer';
import { type DeviceFixture, withDevice } from '../with-device';

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Eight-bit mono sound of so many seconds, 8,000 samples each. */
function wave(seconds: number): Buffer {
  const head = Buffer.from('524946460000000057415645666d7420100000000100010040', 'hex');
  const rest = Buffer.from('1f0000401f00000100080064617461', 'hex');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(8000 * seconds);
  return Buffer.concat([head, rest, size, Buffer.alloc(8000 * seconds, 128)]);
}

async function put({ address, clock }: DeviceFixture, path: string, body: Buffer): Promise<void> {
  const type = 'application/octet-stream';
  const { status } = await ask(address, 'PUT', `/api/files/${path}`, { now: clock.now(), body, type });
  assert.equal(status, 200);
}

/** A device with its panel, and what the panel gives below its own address. */
function withPanel(
  model: string,
  test: (fixture: DeviceFixture, look: (rest: string) => ReturnType<typeof send>) => Promise<void>,
): Promise<void> {
  return withDevice({ model }, async (fixture) => {
    const panels = new PanelServer([fixture.device]);
    const address = await panels.start(0);
    try {
      await test(fixture, (rest) => send(address, 'GET', `/1/${rest}`, {}));
    } finally {
      await panels.stop();
    }
  });
}

const START = 'POST /api/controls/screen/start';

describe('files of a device on its panel', () => {
  it('are pictures where the screen names some that it has', () =>
    withPanel('8410', async (fixture, look) => {
      await put(fixture, 'images/way%20out.png', PNG);
      await put(fixture, 'gone.png', PNG);
      await fixture.sendJson(START, { type: 'blitz', image1: 'way out.png', image2: 'gone.png' });
      await fixture.sendJson('DELETE /api/files/', { path: 'gone.png' });
      const { pictures } = fixture.device.snapshot();
      assert.deepEqual(pictures['gone.png'], { isThere: false });
      const address = pictures['way out.png']?.address ?? '';
      assert.match(address, /^file\?path=images%2Fway%20out\.png&md5=[0-9a-f]{32}$/);
      const { status, headers, data } = await look(address);
      assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
      assert.deepEqual(data, PNG);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox");
    }));

  it('get another address when they are replaced', () =>
    withPanel('8410', async (fixture) => {
      await put(fixture, 'bg.png', PNG);
      await fixture.sendJson(START, { type: 'digitalClock', clockBgImage: 'bg.png' });
      const before = fixture.device.snapshot().pictures['bg.png']?.address;
      await put(fixture, 'bg.png', Buffer.concat([PNG, Buffer.from('!')]));
      assert.ok(before);
      assert.notEqual(fixture.device.snapshot().pictures['bg.png']?.address, before);
    }));

  it('are told by their content: a page or a script is none, whatever it is called', () =>
    withPanel('8410', async (fixture, look) => {
      await put(fixture, 'evil.png', Buffer.from('<script>alert(1)</script>'));
      await put(fixture, 'evil.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
      await fixture.sendJson(START, { type: 'image', image1: 'evil.png' });
      assert.deepEqual(fixture.device.snapshot().pictures, { 'evil.png': { isThere: true } });
      for (const path of ['evil.png', 'evil.svg'])
        assert.equal((await look(`file?path=${path}`)).status, 404);
    }));

  it('never come from the disk', () =>
    withPanel('8410', async (_bench, look) => {
      for (const rest of [
        'file',
        'file?path=',
        'file?path=../index.html',
        'file?path=%2Fetc%2Fpasswd',
        'file?path=..%2F..%2Fpanel%2Fpage%2Findex.html',
        'file?playing=1',
        'file/x.png',
        'file%2fx.png',
      ])
        assert.equal((await look(rest)).status, 404, rest);
    }));
});

describe('what a device lets hear on its panel', () => {
  const PLAY = 'POST /api/controls/tone/start';

  it('is the file itself when it was uploaded, for as long as it takes, and a stand-in for a built-in tone', () =>
    withPanel('8301', async (fixture, look) => {
      const { device, sendJson, clock } = fixture;
      await sendJson(PLAY, { path: 'chime.wav', loop: true, interval: 4 });
      assert.deepEqual(device.snapshot().sound, { name: 'chime.wav', loop: true, interval: 4 });
      await put(fixture, 'tones/own.wav', wave(7));
      await sendJson(PLAY, { path: 'own.wav', loop: false });
      const sound = device.snapshot().sound;
      assert.equal(sound?.name, 'own.wav');
      const { status, headers, data } = await look(sound?.address ?? '');
      assert.deepEqual([status, headers['content-type'], data.length], [200, 'audio/wav', wave(7).length]);
      clock.advance(6900);
      assert.ok(device.state.tone);
      clock.advance(200);
      assert.equal(device.state.tone, null);
      assert.equal(device.snapshot().sound, null);
    }));

  it('is a built-in tone that was replaced by a file', () =>
    withPanel('8301', async (fixture) => {
      await put(fixture, 'tones/chime.wav', wave(1));
      await fixture.sendJson(PLAY, { path: 'chime.wav', loop: false });
      assert.match(fixture.device.snapshot().sound?.address ?? '', /^file\?path=tones%2Fchime\.wav&md5=/);
    }));

  it('is an upload while it plays, and then no more', () =>
    withPanel('8301', async ({ address, device, clock }, look) => {
      const body = wave(5);
      const route = '/api/controls/tone/upload-play';
      const { status } = await ask(address, 'POST', route, { now: clock.now(), body, type: 'audio/wav' });
      assert.equal(status, 200);
      assert.equal(device.snapshot().sound, null, 'it is still being made ready');
      clock.advance(2000);
      const place = device.snapshot().sound?.address ?? '';
      assert.deepEqual((await look(place)).data, body);
      assert.doesNotMatch(JSON.stringify(device.snapshot()), /"audio"/);
      clock.advance(5000);
      assert.equal((await look(place)).status, 404);
    }));

  it('is as long as the file of a pre-loaded tone', () =>
    withPanel('8301', async ({ address, device, sendJson, clock }) => {
      const { status, data } = await ask(address, 'GET', '/api/files/tones/chime.wav', {
        now: clock.now(),
      });
      assert.equal(status, 200);
      // 16 kHz, 16 bits, one channel, behind a head of 44 bytes.
      const ms = (data.length - 44) / 32;
      assert.equal(ms, 3_000);
      await sendJson(PLAY, { path: 'chime.wav', loop: false });
      clock.advance(ms - 100);
      assert.ok(device.state.tone);
      clock.advance(200);
      assert.equal(device.state.tone, null);
    }));

  /** Plays a file and finds out that it takes 10 s. */
  const takesTenSeconds = (name: string, content: Buffer) =>
    withPanel('8301', async (fixture) => {
      await put(fixture, `tones/${name}`, content);
      await fixture.sendJson(PLAY, { path: name, loop: false });
      fixture.clock.advance(9900);
      assert.ok(fixture.device.state.tone);
      fixture.clock.advance(200);
      assert.equal(fixture.device.state.tone, null);
    });

  it('is as long as the frames of an MP3', async () => {
    // Frames of 417 bytes and 26.1 ms each, and of 104 bytes.
    const frame = (header: string, size: number) => Buffer.concat([Buffer.from(header, 'hex')], size);
    const high = Array<Buffer>(200).fill(frame('fffb9064', 417));
    const low = Array<Buffer>(183).fill(frame('fffb1064', 104));
    const tag = Buffer.concat([Buffer.from('4944330400000000012c', 'hex')], 10 + 172);
    await takesTenSeconds('long.mp3', Buffer.concat([...high, ...low]));
    await takesTenSeconds('tagged.mp3', Buffer.concat([tag, tag, Buffer.alloc(500), ...high, ...low]));
  });

  it('is as long as the samples of a WAV, whatever its header says', async () => {
    const wrong = wave(10);
    wrong.writeUInt32LE(64_000, 28);
    const streamed = wave(10);
    streamed.writeUInt32LE(0, 40);
    const endless = wave(10);
    endless.writeUInt32LE(0xffffffff, 40);
    const list = Buffer.from('4c495354050000004142434445', 'hex');
    const more = Buffer.concat([
      wave(10).subarray(0, 12),
      list,
      Buffer.alloc(1),
      wave(10).subarray(12),
      list,
    ]);
    for (const content of [wrong, streamed, endless, more]) await takesTenSeconds('long.wav', content);
  });

  it('is the test tone, but not of a model whose test is a light', async () => {
    for (const [model, sound] of [
      ['8301', { name: 'test tone', loop: true }],
      ['8128', null],
    ] as const)
      await withPanel(model, async ({ device, sendJson }) => {
        assert.equal((await sendJson('POST /api/controls/test/loop')).status, 200);
        assert.deepEqual(device.snapshot().sound, sound);
      });
  });
});
