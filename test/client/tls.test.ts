import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { SecureVersion } from 'node:tls';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { Access, DeviceClient, type DeviceSettings, realEnvironment } from '../../src/client/client';
import type { UndiciModule } from '../../src/client/environment';
import { QueueUser } from '../../src/client/queue/entry';
import { Queue } from '../../src/client/queue/queue';
import { makeCertificate, type TestCertificate } from '../fixtures/certificates';
import {
  about,
  ClientFixture,
  failureOf,
  libraries,
  lock,
  munlock,
  type Seen,
  unlock,
} from '../fixtures/client-fixture';
import { wording, wordingIn } from '../fixtures/wording';

const run = promisify(execFile);

describe('client: TLS', () => {
  const fixture = new ClientFixture();
  let own: TestCertificate;
  let other: TestCertificate;
  let expired: TestCertificate;
  let foreign: TestCertificate;

  before(async () => {
    [own, other, expired, foreign] = await Promise.all([
      makeCertificate(),
      makeCertificate(),
      makeCertificate({ expired: true }),
      makeCertificate({ name: 'algo-0022ee.example' }),
    ]);
  });
  afterEach(() => fixture.clear());
  const ok = (_seen: Seen, response: { end(): void }) => response.end();

  for (const library of libraries) {
    const loadUndici = () => require(library) as UndiciModule;
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const satisfies readonly SecureVersion[]) {
      const onlyVersion = { minVersion: version, maxVersion: version };

      it(`compares the pin on each of three connections (${library}, ${version})`, async () => {
        const protocols: (string | null)[] = [];
        const address = await fixture.https({ ...own, ...onlyVersion }, (_seen, response, request) => {
          protocols.push((request.socket as tls.TLSSocket).getProtocol());
          response.end();
        });
        const fingerprint = own.fingerprint.replaceAll(':', '').toLowerCase();
        const client = fixture.client(address, { certificate: 'pin', fingerprint }, { loadUndici });
        for (const operation of [unlock, lock, munlock]) {
          assert.equal((await client.call(operation)).statusCode, 200);
          await fixture.cutConnections();
        }
        assert.equal(fixture.connections, 3);
        assert.deepEqual(protocols, [version, version, version]);
      });

      it(`refuses a changed certificate before the first byte (${library}, ${version})`, async () => {
        let bytes = 0;
        const server = tls.createServer({ ...own, ...onlyVersion }, (socket) => {
          socket.on('error', () => {});
          socket.on('data', (chunk) => {
            bytes += chunk.length;
            socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
          });
        });
        const client = fixture.client(
          `https://${await fixture.listen(server)}`,
          { certificate: 'pin', fingerprint: own.fingerprint },
          { loadUndici },
        );
        await client.call(munlock);
        assert.ok(bytes > 0);
        bytes = 0;
        server.setSecureContext({ key: other.key, cert: other.cert, ...onlyVersion });
        for (const operation of [munlock, lock, munlock]) {
          const error = await failureOf(client.call(operation));
          assert.equal(error.code, 'TLS_UNTRUSTED');
          assert.equal(error.outcome, 'failed');
          assert.equal(error.sent, false);
          assert.match(error.message, wordingIn('reasons:pinChanged'));
          assert.ok(error.message.includes(other.fingerprint));
        }
        await fixture.disconnected();
        assert.equal(bytes, 0);
      });
    }
  }

  it('refuses a self-signed certificate, showing it and what to choose', async () => {
    const error = await failureOf(fixture.client(await fixture.https(own, ok)).call(about));
    assert.equal(error.code, 'TLS_UNTRUSTED');
    assert.equal(error.attempts, 0);
    assert.match(error.message, wordingIn('reasons:untrusted', { reason: wording('reasons:selfSigned') }));
    assert.ok(error.message.includes(own.fingerprint));
    assert.match(error.message, wordingIn('reasons:untrusted'));
    assert.equal(fixture.seen.length, 0);
  });

  it('believes an authority that the TLS configuration names, whatever its switch says', async () => {
    const address = await fixture.https(own, ok);
    for (const rejectUnauthorized of [true, false]) {
      const trusting = fixture.client(address, { tls: { ca: own.cert, rejectUnauthorized } });
      assert.equal((await trusting.call(about)).statusCode, 200);
      const strict = fixture.client(address, { tls: { ca: other.cert, rejectUnauthorized } });
      assert.equal((await failureOf(strict.call(about))).code, 'TLS_UNTRUSTED');
    }
    assert.equal(fixture.seen.length, 2);
  });

  it('shares a connection only between names that trust the same certificates', async () => {
    const address = await fixture.https(own, ok);
    const access = new Access(new Queue(realEnvironment));
    const settings = { name: 'Gate', address, auth: 'none', timeoutMs: 5_000 } as const;
    const clientOf = (trust: Pick<DeviceSettings, 'certificate' | 'fingerprint'>) =>
      new DeviceClient({ ...settings, ...trust }, {}, { access, user: new QueueUser() });
    const pinned = { certificate: 'pin', fingerprint: own.fingerprint } as const;
    const clients = [pinned, pinned, { certificate: 'any' } as const].map(clientOf);
    for (const client of clients) await client.call(unlock);
    assert.deepEqual(
      fixture.seen.map(({ connection }) => connection),
      [1, 1, 2],
    );
    const wrong = clientOf({ certificate: 'pin', fingerprint: other.fingerprint });
    assert.equal((await failureOf(wrong.call(unlock))).code, 'TLS_UNTRUSTED');
    await Promise.all([...clients, wrong].map((client) => client.close()));
  });

  it('says that a certificate has expired', async () => {
    const address = await fixture.https(expired, ok);
    const error = await failureOf(fixture.client(address, { tls: { ca: expired.cert } }).call(about));
    assert.equal(error.code, 'TLS_UNTRUSTED');
    assert.match(error.message, wordingIn('reasons:hasExpired'));
    assert.doesNotMatch(error.message, /self-signed/);
    assert.ok(error.message.includes(expired.fingerprint));
    for (const lead of ['', 'sha256 Fingerprint=', 'SHA256:']) {
      const fingerprint = `${lead}${expired.fingerprint}`;
      const pinned = fixture.client(address, { certificate: 'pin', fingerprint });
      assert.equal((await pinned.call(about)).statusCode, 200);
    }
  });

  it('says that a certificate is made out to another name', async () => {
    const address = await fixture.https(foreign, ok);
    const error = await failureOf(fixture.client(address, { tls: { ca: foreign.cert } }).call(about));
    assert.equal(error.code, 'TLS_UNTRUSTED');
    assert.match(error.message, wordingIn('reasons:otherName', { names: 'DNS:algo-0022ee.example' }));
    const named = { tls: { ca: foreign.cert, servername: 'algo-0022ee.example' } };
    assert.equal((await fixture.client(address, named).call(about)).statusCode, 200);
  });

  it('takes any certificate where that was chosen', async () => {
    for (const certificate of [own, expired, foreign]) {
      const client = fixture.client(await fixture.https(certificate, ok), { certificate: 'any' });
      assert.equal((await client.call(about)).statusCode, 200);
    }
    assert.equal(fixture.seen.length, 3);
  });

  it('sends the name of the device, but no IP address, as server name', async () => {
    const names: string[] = [];
    const server = {
      ...own,
      SNICallback: (name: string, done: (error: null) => void) => {
        names.push(name);
        done(null);
      },
    };
    const address = await fixture.https(server, ok);
    const tlsOptions = { tls: { ca: own.cert } };
    await fixture.client(address, tlsOptions).call(about);
    assert.deepEqual(names, []);
    await fixture.client(address.replace('127.0.0.1', 'localhost'), tlsOptions).call(about);
    assert.deepEqual(names, ['localhost']);
  });

  it('verifies on IPv6', async () => {
    const address = await fixture.https(own, ok, '::1');
    assert.equal((await fixture.client(address, { tls: { ca: own.cert } }).call(about)).statusCode, 200);
  });

  it('speaks HTTP/1.1, whatever ALPN protocol the TLS configuration has', async () => {
    const address = await fixture.https(own, ok);
    const client = fixture.client(address, { certificate: 'any', tls: { ALPNProtocols: ['h2'] } });
    assert.equal((await client.call(about)).statusCode, 200);
  });

  it('shows its own certificate, and says so when one is wanted', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const strict = { ...own, requestCert: true, rejectUnauthorized: true, ca: other.cert, maxVersion };
      const address = await fixture.https(strict, ok);
      const shown = { certificate: 'any', tls: { key: other.key, cert: other.cert } } as const;
      assert.equal((await fixture.client(address, shown).call(about)).statusCode, 200);
      const error = await failureOf(fixture.client(address, { certificate: 'any' }).call(munlock));
      assert.equal(error.code, 'UNREACHABLE');
      assert.equal(error.outcome, 'failed');
      const reason = maxVersion === 'TLSv1.2' ? 'handshakeEnded' : 'wantsCertificate';
      assert.match(error.message, wordingIn(`reasons:${reason}`));
    }
    assert.equal(fixture.seen.length, 2);
  });

  /** What a server of this version needs, since OpenSSL 3 counts the old versions as insecure. */
  const onlyOld = (version: 'TLSv1' | 'TLSv1.1') => ({
    ...own,
    minVersion: version,
    maxVersion: version,
    ciphers: 'DEFAULT@SECLEVEL=0',
  });

  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    it(`says what to do with a device that has only ${version}`, async () => {
      const address = await fixture.https(onlyOld(version), ok);
      const error = await failureOf(fixture.client(address, { certificate: 'any' }).call(munlock));
      assert.equal(error.code, 'UNREACHABLE');
      assert.equal(error.outcome, 'failed');
      assert.match(error.message, wordingIn('reasons:tlsTooOld'));
      assert.equal(fixture.seen.length, 0);
    });
  }

  it('says the same of a device that answers with TLS 1.1 instead of refusing', async () => {
    const hello = [2, 0, 0, 38, 3, 2, ...Array<number>(32).fill(7), 0, 0xc0, 0x14, 0];
    const record = Buffer.from([22, 3, 2, 0, hello.length, ...hello]);
    const address = await fixture.tcp((socket) => void socket.once('data', () => socket.write(record)));
    const client = fixture.client(`https://${address}`, { certificate: 'any' });
    assert.match((await failureOf(client.call(munlock))).message, wordingIn('reasons:tlsTooOld'));
  });

  it('connects to such a device with TLS options that permit it', async () => {
    const address = await fixture.https(onlyOld('TLSv1.1'), ok);
    const permit = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const client = fixture.client(address, { certificate: 'any', tls: permit });
    assert.equal((await client.call(munlock)).statusCode, 200);
  });

  it('connects to such a device with the options of Node that the error names', async () => {
    const [, options = ''] = /NODE_OPTIONS="([^"]*)"/.exec(wording('reasons:updateTls')) ?? [];
    const { port } = new URL(await fixture.https(onlyOld('TLSv1.1'), ok));
    const connect = `require('node:tls').connect({ port: ${port}, host: '127.0.0.1', rejectUnauthorized: false },
      function () { console.log(this.getProtocol()); this.destroy(); })`;
    const env = { ...process.env, NODE_OPTIONS: options };
    const { stdout } = await run(process.execPath, ['-e', connect], { env });
    assert.equal(stdout.trim(), 'TLSv1.1');
  });
});
