import assert from 'node:assert/strict';
import { door } from '../../../src/catalogue/door';
import type { Operation } from '../../../src/catalogue/operation';
import { request } from '../../../src/catalogue/request';
import { settings } from '../../../src/catalogue/settings';
import { system } from '../../../src/catalogue/system';
import { tone } from '../../../src/catalogue/tone';
import { Failure } from '../../../src/client/failure';
import { Device } from '../../../src/runtime/device/device';
import { Delivery } from '../../../src/runtime/message/delivery';
import { freeRequests } from '../../../src/runtime/message/hooks';
import { deliver } from '../../../src/runtime/message/steps';
import { ClientFixture } from '../../fixtures/client-fixture';
import { ResponseGate } from '../../fixtures/response-gate';
import { wording, wordingIn } from '../../fixtures/wording';
import { deliveryOf } from './delivery';

const operationOf = (operations: readonly Operation[], id: string): Operation =>
  operations.find((one) => one.id === id) ?? assert.fail(`there is no ${id}`);

const unlock = operationOf(door.operations, 'unlock');
const reboot = operationOf(system.operations, 'reboot');
const put = operationOf(settings.operations, 'put');
const uploadPlay = operationOf(tone.operations, 'upload-play');
const [free] = request.operations;
const closed = Failure.own('ABORTED', wording('reasons:nodeClosed'));

describe('how a message ends', () => {
  const fixture = new ClientFixture();
  let devices: Device[] = [];
  afterEach(async () => {
    await Promise.all(devices.map((device) => device.close()));
    devices = [];
    await fixture.clear();
  });

  function deviceAt(address: string, properties: Record<string, unknown> = {}): Device {
    const who = { model: '8301', firmware: '5.7' };
    const all = { name: 'Hall', address, auth: 'none', ...who, ...properties };
    const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };
    const device = new Device(`hall-${devices.length}`, all, '', surroundings);
    devices.push(device);
    return device;
  }

  for (const body of [{ big: 1n }, circular()]) {
    it('refuses what JSON cannot hold before anything is sent', async () => {
      const device = deviceAt(await fixture.http((_seen, response) => response.end()));
      const parameters = { method: 'POST', path: '/api/new', body };
      const wanted = { device, resource: 'request', operation: free, parameters, hooks: freeRequests() };
      const { outcome, attempts, error } = await deliver(deliveryOf(wanted));
      assert.deepEqual(
        { outcome, attempts, code: error?.code },
        { outcome: 'failed', attempts: 0, code: 'INVALID_PARAMETER' },
      );
      assert.match(String(error?.message), wordingIn('reasons:bodyNoJson'));
      assert.equal(fixture.seen.length, 0);
    });
  }

  it('says of a restart that was cut short that the device had accepted it', async () => {
    const device = deviceAt(await fixture.http((_seen, response) => response.end()));
    const statusTexts: string[] = [];
    const delivery = deliveryOf({
      device,
      operation: reboot,
      parameters: {},
      options: ['waitUntilBack'],
      progress: (text) => {
        statusTexts.push(text);
        delivery.abort.abort(closed);
      },
    });
    const receipt = await deliver(delivery);
    assert.equal(statusTexts.length, 1);
    assert.deepEqual(
      { outcome: receipt.outcome, attempts: receipt.attempts, statusCode: receipt.statusCode },
      { outcome: 'unknown', attempts: 1, statusCode: 200 },
    );
    assert.equal(receipt.error?.code, 'ABORTED');
    assert.equal(receipt.error?.reason, wording('reasons:notFollowed'));
    assert.match(String(receipt.error?.message), wordingIn('reasons:nodeClosed'));
  });

  it('says of a read-back that was cut short that the device had accepted the write', async () => {
    const gate = new ResponseGate();
    const device = deviceAt(await fixture.http(gate.respond));
    const delivery = deliveryOf({
      device,
      operation: put,
      parameters: { a: '1' },
      options: ['confirmWrite'],
    });
    const ending = deliver(delivery);
    await gate.next();
    gate.release();
    await gate.next();
    delivery.abort.abort(closed);
    const { outcome, attempts, error } = await ending;
    assert.deepEqual(
      { outcome, attempts, code: error?.code },
      { outcome: 'unknown', attempts: 1, code: 'ABORTED' },
    );
  });

  it('reads back what it wrote itself, not what a later message wrote', async () => {
    let volume = '';
    const device = deviceAt(
      await fixture.http(({ method, body }, response) => {
        if (method === 'PUT') volume = JSON.parse(String(body)).vol;
        response.end(method === 'PUT' ? '' : JSON.stringify({ vol: volume }));
      }),
    );
    const writes = ['1', '2', '3'].map((vol) =>
      deliveryOf({ device, operation: put, parameters: { vol }, options: ['confirmWrite'] }),
    );
    const receipts = await Promise.all(writes.map((delivery) => deliver(delivery)));
    assert.deepEqual(
      receipts.map(({ outcome }) => outcome),
      ['confirmed', 'confirmed', 'confirmed'],
    );
  });

  it('asks a device who it is when its turn comes, not while it waits', async () => {
    const gate = new ResponseGate();
    const device = deviceAt(await fixture.http(gate.respond), { model: '', firmware: '' });
    const get = operationOf(settings.operations, 'get');
    const first = deliver(deliveryOf({ device, operation: get, parameters: { name: 'a' } }));
    const second = deliver(deliveryOf({ device, operation: unlock, parameters: { doorid: 'local' } }));
    await gate.next();
    assert.deepEqual(
      fixture.seen.map(({ url }) => url),
      ['/api/settings/a'],
    );
    gate.release();
    await first;
    for (const url of ['/api/info/about', '/api/controls/door/unlock']) {
      if (gate.held.length === 0) await gate.next();
      assert.equal(fixture.seen.at(-1)?.url, url);
      gate.release();
    }
    assert.equal((await second).outcome, 'accepted');
  });

  it('builds what goes to many devices once', async () => {
    const address = await fixture.http((_seen, response) => response.end());
    const content = Buffer.concat([Buffer.from('RIFF0000WAVE'), Buffer.alloc(1000)]);
    const parameters = { content, loop: false };
    const first = deliveryOf({ device: deviceAt(address), operation: uploadPlay, parameters });
    const others = [1, 2, 3].map(() => new Delivery(first.command, { device: deviceAt(address) }));
    await Promise.all([first, ...others].map((delivery) => deliver(delivery)));
    const boundaries = new Set(fixture.seen.map(({ headers }) => headers['content-type']));
    assert.equal(fixture.seen.length, 4);
    assert.match([...boundaries].join(), /^multipart\/form-data; boundary=[^,]+$/);
  });
});

function circular(): object {
  const body: Record<string, unknown> = {};
  body.self = body;
  return body;
}
