import assert from 'node:assert/strict';
import net from 'node:net';
import { tryOut } from '../../../src/runtime/admin/trial';
import type { TrialFinding } from '../../../src/runtime/answers';
import { VirtualDevice, type VirtualDeviceOptions } from '../../../src/virtual-device/device';
import { makeCertificate, type TestCertificate } from '../../fixtures/certificates';
import { ClientFixture } from '../../fixtures/client-fixture';
import { wording, wordingIn } from '../../fixtures/wording';

const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };
const record = {
  'Product Name': 'Algo 8063 IP Door Controller',
  'Firmware Version': '5.6',
  'MAC Address': '00:22:ee:01:02:03',
};

describe("a trial of a device's settings", () => {
  const fixture = new ClientFixture();
  let own: TestCertificate;
  let device: VirtualDevice | undefined;

  before(async () => {
    own = await makeCertificate();
  });
  afterEach(async () => {
    await fixture.clear();
    await device?.stop();
    device = undefined;
  });

  async function start(options: VirtualDeviceOptions): Promise<string> {
    device = new VirtualDevice({ model: '8063', password: 'hunter2', ...options });
    return device.start();
  }
  const tried = (address: string, more: object = {}, password: string | undefined = 'hunter2') =>
    tryOut('Gate', { address, auth: 'standard', certificate: 'verify', ...more }, password, surroundings);
  const answering = (body: object) => (_seen: unknown, response: { end(text: string): void }) =>
    response.end(JSON.stringify(body));

  it('says who the device is, how long it took, and how the clocks differ', async () => {
    const address = await start({});
    await device?.carryOut('clock', { ahead: 3600 });
    const {
      finding,
      model,
      firmware,
      auth,
      secure,
      roundTripMs = -1,
      clockOffsetMs = 0,
    } = await tried(address);
    assert.deepEqual([finding, model, firmware, auth, secure], ['works', '8063', '5.7', 'standard', false]);
    assert.ok(roundTripMs >= 0);
    assert.ok(Math.abs(clockOffsetMs - 3_600_000) < 5_000, String(clockOffsetMs));
  });

  it('says product and MAC address as the device does, cut where they are long', async () => {
    const long = { ...record, 'Product Name': `Algo 8063 ${'x'.repeat(500)}` };
    const { product, mac } = await tried(await fixture.http(answering(long)), { auth: 'none' });
    assert.equal(product?.length, 100);
    assert.equal(mac, '00:22:ee:01:02:03');
  });

  it('finds a device that asks for no login out: what it was given says nothing', async () => {
    const open = await start({ auth: 'none' });
    for (const auth of ['standard', 'basic']) {
      const { finding, isOpen } = await tried(open, { auth }, 'another');
      assert.deepEqual([finding, isOpen], ['works', true], auth);
    }
    await device?.stop();
    for (const auth of ['standard', 'basic'] as const) {
      const { finding, isOpen } = await tried(await start({ auth }), { auth });
      assert.deepEqual([finding, isOpen], ['works', undefined], auth);
      await device?.stop();
    }
  });

  it('says that it is not let in, and that the product is one of the maker', async () => {
    const address = await start({});
    const found = await tried(address, {}, 'hunter3');
    assert.deepEqual([found.finding, found.code, found.product], ['login', 'AUTHENTICATION', 'Algo 8063']);
    assert.match(String(found.sentence), /four causes/);
    assert.doesNotMatch(JSON.stringify(found), /hunter/);
  });

  it('shows an unknown certificate, and takes exactly that one', async () => {
    const address = await fixture.https(own, answering(record));
    const { finding, certificate, sentence, localizedMessage } = await tried(address, { auth: 'none' });
    assert.deepEqual(
      [finding, sentence],
      ['certificate', wording('reasons:certificateIs', { reason: wording('reasons:selfSigned') })],
    );
    assert.deepEqual(JSON.parse(JSON.stringify(localizedMessage)), {
      phrase: 'certificateIs',
      values: { reason: { phrase: 'selfSigned', values: {} } },
    });
    const { fingerprint = '', subject, issuer, names, from, until } = certificate ?? {};
    assert.equal(fingerprint, own.fingerprint);
    assert.deepEqual([subject, issuer], ['localhost', 'localhost']);
    assert.match(String(names), /DNS:localhost, IP Address:127\.0\.0\.1/);
    const [first = '', last = ''] = [from, until].map(String);
    assert.ok(Date.parse(first) < Date.now() && Date.parse(last) > Date.now());
    assert.equal(new Date(first).toISOString(), first, 'a time that every editor can say in its language');
    assert.equal(fixture.seen.length, 0, 'nothing of a request may be sent before it is trusted');
    const pinned = { auth: 'none', certificate: 'pin', fingerprint };
    assert.equal((await tried(address, pinned)).finding, 'works');
    assert.equal((await tried(address, { ...pinned, fingerprint: '' })).finding, 'certificate');
    const asPrinted = { ...pinned, fingerprint: `sha256 Fingerprint=${fingerprint}` };
    assert.equal((await tried(address, asPrinted)).finding, 'works');
    const other = await tried(address, { ...pinned, fingerprint: '00'.repeat(32) });
    assert.deepEqual(
      [other.finding, other.certificate?.fingerprint, other.sentence],
      ['changed', own.fingerprint, undefined],
    );
  });

  it('tells a stranger from a device, whatever the stranger says', async () => {
    const page = await fixture.http((_seen, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<title>My printer</title>');
    });
    const nothing = await fixture.http((_seen, response) => response.writeHead(404).end());
    for (const address of [page, nothing]) assert.equal((await tried(address)).finding, 'stranger', address);
    assert.equal((await tried(await fixture.http(answering({ name: 'lamp' })))).finding, 'stranger');
  });

  it('knows an old device by its first page', async () => {
    const address = await fixture.http(({ url }, response) => {
      if (url !== '/') return void response.writeHead(404).end();
      response.setHeader('Content-Type', 'text/html').end('<html><title>Algo 8186</title>');
    });
    const { finding, product } = await tried(address);
    assert.deepEqual([finding, product], ['unproved', 'Algo 8186']);
    const seen = fixture.seen.find(({ url }) => url === '/');
    assert.equal(seen?.headers.authorization, undefined, 'the first page needs no login, and gets none');
  });

  it('says to write http where there is no TLS, and https where there is nothing else', async () => {
    const plain = await fixture.http(answering(record));
    const secure = await fixture.https(own, answering(record));
    const expected: [string, Partial<TrialFinding>][] = [
      [plain.replace('http:', 'https:'), { finding: 'scheme', use: plain }],
      [secure.replace('https:', 'http:'), { finding: 'scheme', use: secure }],
    ];
    for (const [address, { finding, use }] of expected) {
      const found = await tried(address, { auth: 'none' });
      assert.deepEqual([found.finding, found.use], [finding, use]);
    }
  });

  it('says to write https where it is sent there, and claims nothing of who sends it elsewhere', async () => {
    const sentTo = (location: string) =>
      fixture.http((_seen, response) => response.writeHead(301, { location }).end());
    const secure = 'https://127.0.0.1:8443';
    const own = await tried(await sentTo(`${secure}/web?as=admin`));
    assert.deepEqual([own.finding, own.use], ['scheme', secure]);
    for (const location of ['https://192.0.2.7/', '/login.html']) {
      const { finding, code, use, sentence = '' } = await tried(await sentTo(location));
      assert.deepEqual([finding, code, use], ['failed', 'PROTOCOL', undefined], location);
      const reason = location.startsWith('https') ? 'redirectsSecure' : 'redirects';
      assert.match(sentence, wordingIn(`reasons:${reason}`, { status: 301 }));
    }
  });

  it('tells a stranger that speaks no HTTP at all, and does not send anybody to its HTTPS', async () => {
    const mail = net.createServer((socket) => void socket.end('220 mail.example ESMTP\r\n'));
    const { finding, sentence } = await tried(`http://${await fixture.listen(mail)}`);
    assert.deepEqual([finding, sentence], ['stranger', undefined]);
  });

  it('says why nothing answers, or what the settings lack', async () => {
    const gone = await fixture.listen(net.createServer());
    await fixture.clear();
    const silent = `https://${await fixture.listen(net.createServer((socket) => socket.resume()))}`;
    const expected: [Promise<TrialFinding>, string, RegExp][] = [
      [tried(`http://${gone}`), 'UNREACHABLE', wordingIn('reasons:refusesConnections')],
      [tried(silent, { timeout: 0.2 }), 'UNREACHABLE', /TLS handshake not finished within 0\.2 s/],
      [
        tried(silent, { certificate: 'pin', timeout: 0.2 }),
        'UNREACHABLE',
        wordingIn('reasons:handshakeUnending'),
      ],
      [
        tried(`https://${gone}`, { certificate: 'pin' }),
        'UNREACHABLE',
        wordingIn('reasons:refusesConnections'),
      ],
      [tried(''), 'NOT_CONFIGURED', wordingIn('reasons:noAddress')],
      [tried('192.0.2.1', {}, ''), 'NOT_CONFIGURED', wordingIn('reasons:noPassword')],
      [tried('192.0.2.1', { auth: 'magic' }), 'NOT_CONFIGURED', /magic/],
      [tried('', { virtual: 'gone' }), 'NOT_CONFIGURED', /virtual device/],
    ];
    for (const [trial, code, words] of expected) {
      const found = await trial;
      assert.deepEqual([found.finding, found.code], ['failed', code]);
      assert.match(String(found.sentence), words);
    }
  });

  it('asks for the password where it has none that may go there, and sends nothing', async () => {
    const address = await fixture.http(answering(record));
    assert.deepEqual(await tryOut('Gate', { address, auth: 'basic' }, undefined, surroundings), {
      finding: 'password',
    });
    assert.equal(fixture.connections, 0);
    const { code } = await tryOut('Gate', { address: 'a@b' }, undefined, surroundings);
    assert.equal(code, 'NOT_CONFIGURED', 'what is wrong with an address comes first');
  });
});
