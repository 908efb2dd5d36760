import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createTls } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { prepareCall } from '../../../src/virtual-device/calls/call';
import type { VirtualDeviceOptions } from '../../../src/virtual-device/device';
import { makeCertificate } from '../../../src/virtual-device/wire/certificate';
import { end, listen } from '../../fixtures/listening';
import { withDevice } from '../with-device';
import { calls, entry, happen, withCalls, withTarget } from './target';

/** The outcome and the reason of a call to a target. */
async function call(target: string, options: VirtualDeviceOptions = {}): Promise<readonly unknown[]> {
  let found: readonly unknown[] = [];
  await withDevice(options, async (fixture) => {
    await happen(fixture, { ...entry, target });
    const [callEntry] = await calls(fixture.device, 1);
    found = [callEntry?.outcome, callEntry?.reason];
  });
  return found;
}

describe('the targets of a virtual device', () => {
  it('are localhost and loopback addresses in each spelling', () =>
    withTarget(async ({ place, requests }) => {
      const port = place.split(':')[1];
      for (const host of [
        ...['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', 'http://127.0.0.1'],
        ...['localhost', 'LocalHost'],
      ])
        assert.deepEqual(await call(`${host}:${port}`), ['answered', undefined], host);
      assert.equal(requests.length, 8);
    }));

  it('are not addresses elsewhere, in any spelling', async () => {
    for (const host of [
      ...['192.0.2.9', '0.0.0.0', '0', '128.0.0.1', '3221225993', '126.255.255.255'],
      ...['::', '[::]', '[::2]', '[::ffff:192.0.2.9]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[fe80::1]'],
      ...['[64:ff9b::7f00:1]', '[::ffff:0:127.0.0.1]', '[2002:7f00:1::]'],
    ]) {
      const [outcome, reason] = await call(host);
      assert.equal(outcome, 'not-sent', host);
      assert.match(String(reason), /is neither localhost nor a loopback address; .*--calls any/);
    }
  });

  it('are no names, also if a lookup would lead to this computer', () =>
    withTarget(async ({ place, requests }) => {
      const port = place.split(':')[1];
      for (const host of ['localhost.', 'a.localhost', 'gone.invalid', '127.0.0.1.invalid']) {
        const [outcome, reason] = await call(`${host}:${port}`);
        assert.equal(outcome, 'not-sent', host);
        assert.match(String(reason), /is neither localhost nor a loopback address; .*--calls any/);
      }
      assert.equal(requests.length, 0);
    }));

  it('are all addresses and names with the option', async () => {
    // No loopback address, and yet one of this computer.
    const refused = ['unreachable', 'no program listens there (ECONNREFUSED)'];
    assert.deepEqual(await call('0.0.0.0:1', { calls: 'any' }), refused);
    assert.equal((await call('gone.invalid', { calls: 'any' }))[0], 'unreachable');
  });

  it('are none of a schedule that other computers can write or might have written, unless the start permits the calls', () =>
    withTarget(async ({ place, requests }) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'algo-reach-'));
      for (const options of [{ host: '0.0.0.0' }, { host: '127.0.0.1', folder }])
        assert.deepEqual(await call(place, options), [
          'not-sent',
          'other computers might have written this schedule, so the device sends its requests only if its command line has --calls loopback or --calls any',
        ]);
      await rm(folder, { recursive: true });
      assert.equal(requests.length, 0);
      for (const permitted of [
        { host: '0.0.0.0', calls: 'loopback' },
        { host: '0.0.0.0', calls: 'any' },
        { host: '127.0.0.2' },
        { host: 'localhost' },
      ] as const)
        assert.deepEqual(await call(place, permitted), ['answered', undefined], JSON.stringify(permitted));
    }));

  it('are those of a command too where other computers can reach the device', () =>
    withCalls({ host: '0.0.0.0' }, async ({ place, device }) => {
      assert.deepEqual(await device.carryOut('call', { target: place }), {
        status: 200,
        body: '{}',
      });
      await assert.rejects(device.carryOut('call', { target: '192.0.2.9' }), /--calls any/);
    }));

  it('are http at port 80 without more, and https at 443', () => {
    const signatory = { password: 'x', now: 0, signedUri: 'path' } as const;
    const originOf = (target: string) => prepareCall({ ...entry, target }, 'any', signatory).origin;
    assert.equal(originOf('192.0.2.9'), 'http://192.0.2.9');
    assert.equal(originOf('hall.example'), 'http://hall.example');
    assert.equal(originOf('::1'), 'http://[::1]');
    assert.equal(originOf('https://hall.example'), 'https://hall.example');
    assert.equal(originOf('HTTPS://[::1]:8443/'), 'https://[::1]:8443');
    assert.throws(() => originOf(`${'a'.repeat(301)}.example`), /must be a host/);
  });

  it('may have any certificate on this computer, and only a trusted one elsewhere', async () => {
    const certificate = await makeCertificate('127.0.0.1');
    const server = createTls({ ...certificate }, (_request, response) => response.end('hello'));
    const place = await listen(server);
    try {
      assert.deepEqual(await call(`https://${place}`), ['answered', undefined]);
      const elsewhere = `https://0.0.0.0:${place.split(':')[1]}`;
      assert.deepEqual(await call(elsewhere, { calls: 'any' }), [
        'unreachable',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
      ]);
    } finally {
      await end(server);
    }
  });
});
