import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { makeCertificate } from '../fixtures/certificates';
import { stopFlow } from '../fixtures/flow';
import { DeviceByHand } from './device-by-hand';
import { device, startSupervised, stateIn, supervision } from './supervised-flow';

describe('the checks of a supervised device', () => {
  let hand: DeviceByHand;

  beforeEach(async () => {
    hand = await new DeviceByHand().open();
  });

  afterEach(async () => {
    await stopFlow();
    await hand.close();
  });

  /** Checks the device once with these properties. */
  async function check(properties: Record<string, unknown>, more: Record<string, unknown> = {}) {
    const flow = await startSupervised([
      device('horn', hand.address, more),
      supervision({ device: 'horn', certificateDays: '', ...properties }),
    ]);
    const { findings, notChecked, state } = stateIn(await flow.ask({ operation: 'check' }), 'horn');
    return { state, found: findings.map(({ check }) => check), findings, notChecked };
  }

  it('find nothing at a device that is as expected', async () => {
    hand.answers['/api/settings/audio.page.vol'] = { 'audio.page.vol': '-12dB' };
    hand.answers['/api/files/tones'] = { filelist: ['chime.wav', 'bell.wav'] };
    hand.answers['/api/info/about'] = { 'Product Name': 'Algo 8301', 'Firmware Version': '5.7.1' };
    hand.answers['/api/file-md5sum/tones/bell.wav'] = { md5sum: 'AB'.repeat(16) };
    const { state, findings, notChecked } = await check({
      sip: true,
      firmware: '5.7.1',
      settings: { 'audio.page.vol': '-12dB' },
      files: ['tones/chime.wav', { path: 'tones/bell.wav', md5: 'ab'.repeat(16) }],
    });
    deepStrictEqual([state, findings, notChecked], ['ok', [], []]);
  });

  it('are GET requests only, and never read the content of a file', async () => {
    hand.answers['/api/files/tones'] = { filelist: [] };
    await check({ sip: true, firmware: '5.5', settings: { a: 'b' }, files: ['tones/x.wav', 'y.wav'] });
    deepStrictEqual(
      hand.heard.filter((one) => !one.startsWith('GET ')),
      [],
    );
    strictEqual(hand.heard.includes('GET /api/files/tones/x.wav'), false);
    strictEqual(hand.heard.includes('GET /api/files/y.wav'), false);
  });

  it('wait behind all messages', async () => {
    const flow = await startSupervised([
      device('horn', hand.address, { model: '8301', firmware: '5.5' }),
      supervision({ device: 'horn', certificateDays: '' }),
      { id: 'info', type: 'algo-info', operation: 'status', target: 'device', device: 'horn', z: 'tab' },
    ]);
    const message = () => helper.getNode('info').receive({});
    const [status, about] = ['GET /api/info/status', 'GET /api/info/about'];
    const release = await new Promise<() => void>((resolve) => {
      hand.answers['/api/info/status'] = (response) => {
        hand.answers['/api/info/status'] = {};
        resolve(() => response.setHeader('Content-Type', 'application/json').end('{}'));
      };
      message();
    });
    const checked = flow.ask({ operation: 'check' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    message();
    release();
    await checked;
    deepStrictEqual(hand.heard.slice(hand.heard.indexOf(status)).slice(0, 3), [status, status, about]);
  });

  it('find a clock that differs more than allowed', async () => {
    hand.offsetMs = 60_000;
    const { state, findings } = await check({ clock: 15 });
    deepStrictEqual([state, findings[0]?.check, findings[0]?.expected], ['warning', 'clock', 15]);
    strictEqual(Math.abs(Number(findings[0]?.actual) - 60) <= 1, true);
  });

  it('allow a clock that differs less, and any clock where it is not checked', async () => {
    hand.offsetMs = -60_000;
    deepStrictEqual((await check({ clock: 120 })).found, []);
    await stopFlow();
    deepStrictEqual((await check({ clock: '' })).found, []);
  });

  it('check the clock with 15 seconds by default', async () => {
    hand.offsetMs = -20_000;
    deepStrictEqual((await check({})).found, ['clock']);
  });

  it('find a firmware that is older than the least', async () => {
    const { findings, state } = await check({ firmware: '5.6' });
    strictEqual(state, 'warning');
    deepStrictEqual(
      findings.map(({ check, expected, actual }) => [check, expected, actual]),
      [['firmware', '5.6', '5.5']],
    );
  });

  const registrations: Record<string, boolean> = {
    Successful: true,
    'No Account': true,
    'Main, Successful, 100;BK1, No Account;': true,
    'Main, Successful, 100;BK1, Rejected, 101;': false,
    'No reply from server': false,
    Unsuccessful: false,
    'Successful, Rejected, 100': false,
  };
  for (const [text, isGood] of Object.entries(registrations)) {
    it(`${isGood ? 'accept' : 'find'} the SIP registration "${text}"`, async () => {
      hand.answers['/api/info/status'] = { 'Device Name': 'x', 'SIP Registration': text };
      deepStrictEqual((await check({ sip: true })).found, isGood ? [] : ['sip']);
    });
  }

  it('find each setting that is not as expected, with one finding each', async () => {
    hand.answers['/api/settings/audio.page.vol'] = { 'audio.page.vol': '-12dB' };
    hand.answers['/api/settings/net.vlan'] = { 'net.vlan': '7' };
    const { findings } = await check({ settings: { 'audio.page.vol': '-9dB', 'net.vlan': '8' } });
    deepStrictEqual(
      findings.map(({ check, expected, actual }) => [check, expected, actual]),
      [
        ['settings', '-9dB', '-12dB'],
        ['settings', '8', '7'],
      ],
    );
    match(findings[0]?.message ?? '', /audio\.page\.vol/);
  });

  it('name a setting that the device does not know as not checked', async () => {
    const { state, notChecked } = await check({ settings: { 'no.such': '1' } });
    deepStrictEqual([state, notChecked], ['ok', ['settings no.such']]);
  });

  it('name what the firmware lacks as not checked, and send no request for it', async () => {
    hand.answers['/api/info/about'] = { 'Product Name': 'Algo 8301', 'Firmware Version': '5.4' };
    const { state, notChecked } = await check({
      files: ['tones/a.wav', { path: 'tones/b.wav', md5: '0'.repeat(32) }],
    });
    deepStrictEqual([state, notChecked], ['ok', ['files tones/a.wav', 'files tones/b.wav']]);
    deepStrictEqual(
      hand.heard.filter((one) => one.includes('file')),
      [],
    );
  });

  it('find files that are missing or have other contents', async () => {
    hand.answers['/api/info/about'] = { 'Product Name': 'Algo 8301', 'Firmware Version': '5.7' };
    hand.answers['/api/files/tones'] = { filelist: ['a.wav'] };
    hand.answers['/api/file-md5sum/tones/b.wav'] = { md5sum: '1'.repeat(32) };
    const { findings } = await check({
      files: [
        'tones/a.wav',
        'tones/missing.wav',
        { path: 'tones/b.wav', md5: '0'.repeat(32) },
        { path: 'tones/c.wav', md5: '0'.repeat(32) },
      ],
    });
    deepStrictEqual(
      findings.map(({ check, actual }) => [check, actual]),
      [
        ['files', null],
        ['files', '1'.repeat(32)],
        ['files', null],
      ],
    );
    strictEqual(hand.heard.filter((one) => one === 'GET /api/files/tones').length, 1);
  });

  it('find a login that is refused, and say that the clock is wrong too', async () => {
    hand.answers['/api/info/about'] = 401;
    hand.offsetMs = 3_600_000;
    const { state, found } = await check({});
    deepStrictEqual([state, found], ['fault', ['login', 'clock']]);
  });

  it('find a missing password', async () => {
    const { state, found } = await check({}, { auth: 'standard' });
    deepStrictEqual([state, found], ['fault', ['login']]);
  });

  it('find a certificate that is not trusted', async () => {
    await hand.close();
    hand = await new DeviceByHand(await makeCertificate()).open();
    const { state, found } = await check({ certificateDays: 30 });
    deepStrictEqual([state, found], ['fault', ['trust']]);
  });

  it('find a certificate that ends too soon', async () => {
    await hand.close();
    hand = await new DeviceByHand(await makeCertificate()).open();
    const { state, findings } = await check({ certificateDays: undefined }, { certificate: 'any' });
    deepStrictEqual(
      [state, findings.map(({ check, expected }) => [check, expected])],
      ['warning', [['certificate', 30]]],
    );
    strictEqual([0, 1].includes(Number(findings[0]?.actual)), true);
    // The certificate is valid for a day.
    for (const certificateDays of ['', 0]) {
      await stopFlow();
      deepStrictEqual((await check({ certificateDays }, { certificate: 'any' })).found, []);
    }
  });

  it('name the certificate of a device without TLS as not checked', async () => {
    deepStrictEqual((await check({ certificateDays: 30 })).notChecked, ['certificate']);
  });

  it('hide secrets', async () => {
    process.env.ALGO_SIP_SECRET = 'mice';
    hand.answers['/api/settings/sip.u1.pwd'] = { 'sip.u1.pwd': 'rats' };
    const { findings } = await check({ settings: { 'sip.u1.pwd': '$' + '{ALGO_SIP_SECRET}' } });
    deepStrictEqual(
      findings.map(({ check, expected, actual }) => [check, expected, actual]),
      [['settings', '***', '***']],
    );
    strictEqual(/mice|rats/.test(JSON.stringify(findings)), false);
  });

  const garbage: Record<string, (response: import('node:http').ServerResponse) => void> = {
    'no JSON': (response) => void response.setHeader('Content-Type', 'application/json').end('{"a'),
    'a page': (response) => void response.setHeader('Content-Type', 'text/html').end('<html>busy</html>'),
    'a list': (response) => void response.setHeader('Content-Type', 'application/json').end('[[]]'),
    null: (response) => void response.setHeader('Content-Type', 'application/json').end('null'),
    'deep JSON': (response) =>
      void response.setHeader('Content-Type', 'application/json').end('['.repeat(5000)),
    nothing: (response) => void response.end(),
    'no HTTP': (response) => void response.socket?.end('garbage\r\n\r\n'),
  };
  for (const [name, answer] of Object.entries(garbage)) {
    it(`find that all answers are ${name}`, async () => {
      hand.otherwise = answer;
      for (const path of Object.keys(hand.answers)) hand.answers[path] = answer;
      const { state, found } = await check({
        misses: 1,
        sip: true,
        settings: { a: 'b' },
        files: ['t/a.wav'],
      });
      deepStrictEqual([state, found], ['offline', ['contact']]);
    });

    it(`find that the status, a setting and a folder are ${name}`, async () => {
      hand.otherwise = answer;
      hand.answers['/api/info/status'] = answer;
      const { state, found } = await check({ sip: true, settings: { a: 'b' }, files: ['t/a.wav'] });
      deepStrictEqual([state, found], ['warning', ['sip', 'settings', 'files']]);
    });
  }

  it('find what a device does not answer, where it answers other requests', async () => {
    hand.answers['/api/settings/a'] = 500;
    const { state, found, findings } = await check({ misses: 1, settings: { a: '1', b: '2' } });
    deepStrictEqual([state, found], ['warning', ['settings']]);
    strictEqual(findings[0]?.reason, 'the setting a cannot be read');
    strictEqual(findings[0]?.message.startsWith(`${findings[0]?.reason}; `), true);
  });

  it('take a device whose API is off for one that does not answer', async () => {
    const flow = await startSupervised([
      device('horn', hand.address),
      supervision({ device: 'horn', certificateDays: '', misses: 1 }),
    ]);
    strictEqual(stateIn(await flow.ask({ operation: 'check' }), 'horn').state, 'ok');
    hand.answers['/api/info/about'] = 404;
    strictEqual(stateIn(await flow.ask({ operation: 'check' }), 'horn').state, 'offline');
  });

  it('accept an old device that has neither record', async () => {
    for (const path of Object.keys(hand.answers)) hand.answers[path] = 404;
    hand.answers['/api/settings/a'] = { a: '2' };
    const { state, found, notChecked } = await check({ sip: true, firmware: '5.4', settings: { a: '1' } });
    deepStrictEqual([state, found, notChecked], ['warning', ['settings'], ['firmware', 'sip']]);
  });
});
