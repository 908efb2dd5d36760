import assert from 'node:assert/strict';
import type { DeviceClient } from '../../src/client/client';
import { makeCertificate } from '../fixtures/certificates';
import { about, ClientFixture, failureOf, lock, munlock, unlock } from '../fixtures/client-fixture';
import { OneConnectionDevice, type SecondConnection } from '../fixtures/one-connection-device';
import { ResponseGate } from '../fixtures/response-gate';
import { alarm, operationOf, playTone, stopTone } from './device-outputs';

const emergency = operationOf(alarm.name);

interface Scene {
  readonly device: OneConnectionDevice;
  readonly client: DeviceClient;
  /** Whether the device sees a second connection at all. */
  readonly seesSecond: boolean;
}

describe('client: a device that serves one connection only', () => {
  const fixture = new ClientFixture();
  const devices: OneConnectionDevice[] = [];
  afterEach(async () => {
    await fixture.clear();
    await Promise.all(devices.splice(0).map((device) => device.close()));
  });

  const start = async (second: SecondConnection, isSecure: boolean): Promise<Scene> => {
    const device = new OneConnectionDevice(second, isSecure ? await makeCertificate() : undefined);
    devices.push(device);
    const settings = { certificate: 'any', timeoutMs: 60_000 } as const;
    const client = fixture.client(await device.open(), settings);
    return { device, client, seesSecond: second !== 'is refused' };
  };

  /** A test at devices of each kind, over http and https, all in parallel: most of the time goes by in waiting. */
  const itIsSo = (title: string, test: (scene: Scene) => Promise<void>) =>
    it(title, async () => {
      const kinds = ['waits', 'is refused', 'is reset', 'is reset at its request'] as const;
      const scenes = kinds.flatMap((second) => [false, true].map((isSecure) => ({ second, isSecure })));
      const play = async ({ second, isSecure }: (typeof scenes)[number]) => {
        const scene = await start(second, isSecure);
        const where = `${isSecure ? 'https' : 'http'}, where a second connection ${second}`;
        await test(scene).catch((cause: unknown) => {
          throw new Error(`over ${where}: ${cause}`, { cause });
        });
      };
      await Promise.all(scenes.map(play));
    });

  itIsSo(
    'gets what is urgent while the connection is idle, and the rest after it',
    async ({ device, client }) => {
      await client.call(about);
      assert.equal((await client.call(lock)).attempts, 1);
      assert.equal((await client.call(emergency, alarm.given)).attempts, 1);
      await client.call(munlock);
      await client.call({ ...munlock, urgent: true });
      await client.call(about);
      assert.deepEqual(device.requests, [
        'info/about',
        'door/lock',
        'emergency-alert/start',
        'door/munlock',
        'door/munlock',
        'info/about',
      ]);
    },
  );

  itIsSo(
    'gets what is urgent after the exchange that is under way',
    async ({ device, client, seesSecond }) => {
      device.hanging.add('info/about');
      const reading = client.call(about, {}, { reading: true });
      await device.until(() => device.requests.length === 1);
      const stopped = client.call(lock);
      if (seesSecond) await device.until(() => device.notServed > 0);
      device.release('info/about');
      await Promise.all([reading, stopped]);
      assert.deepEqual(device.requests, ['info/about', 'door/lock']);
    },
  );

  itIsSo('gets what is urgent in place of an exchange that hangs', async ({ device, client }) => {
    for (const path of ['info/about', 'door/munlock']) device.hanging.add(path);
    for (const [ordinary, urgent, given] of [
      [about, lock, {}],
      [munlock, emergency, alarm.given],
    ] as const) {
      const hung = failureOf(client.call(ordinary));
      const count = device.requests.length;
      await device.until(() => device.requests.length > count);
      await client.call(urgent, given);
      const { code, outcome, attempts } = await hung;
      assert.deepEqual([code, outcome, attempts], ['TIMEOUT', 'unknown', 1]);
    }
    assert.deepEqual(device.requests, ['info/about', 'door/lock', 'door/munlock', 'emergency-alert/start']);
  });

  itIsSo('gets what is urgent while other calls follow', async ({ device, client, seesSecond }) => {
    device.hanging.add('info/about');
    const reading = client.call(about, {}, { reading: true });
    await device.until(() => device.requests.length === 1);
    const stopped = client.call(lock);
    if (seesSecond) await device.until(() => device.notServed > 0);
    let isDone = false;
    const stopping = stopped.finally(() => {
      isDone = true;
    });
    device.release('info/about');
    await reading;
    while (!isDone) await client.call(munlock);
    await stopping;
    assert.equal(device.requests.filter((path) => path === 'door/lock').length, 1);
  });

  itIsSo('gets each of two urgent calls once', async ({ device, client }) => {
    await client.call(about);
    await Promise.all([client.call(lock), client.call(emergency, alarm.given)]);
    assert.deepEqual(device.requests.sort(), ['door/lock', 'emergency-alert/start', 'info/about']);
  });

  itIsSo('gets an ordinary call after the urgent one', async ({ device, client, seesSecond }) => {
    device.hanging.add('door/lock');
    const stopped = client.call(lock);
    await device.until(() => device.requests.length === 1);
    const opened = client.call(unlock);
    if (seesSecond) await device.until(() => device.notServed > 0);
    device.release('door/lock');
    await Promise.all([stopped, opened]);
    assert.deepEqual(device.requests, ['door/lock', 'door/unlock']);
  });

  itIsSo('gets a stop in place of a start that hangs', async ({ device, client }) => {
    device.hanging.add('tone/start');
    const urgentTone = { ...operationOf(playTone.name), urgent: true };
    const started = failureOf(client.call(urgentTone, playTone.given));
    await device.until(() => device.requests.length === 1);
    await client.call(operationOf(stopTone.name));
    const { code, outcome, attempts } = await started;
    assert.deepEqual([code, outcome, attempts], ['TIMEOUT', 'unknown', 1]);
    assert.deepEqual(device.requests.slice(0, 2), ['tone/start', 'tone/stop']);
    assert.equal(device.requests.filter((path) => path === 'tone/start').length, 1);
  });

  it('is none that has shaken hands, or answered once, on its second connection, however slow it is', async () => {
    const gates = [new ResponseGate(), new ResponseGate()] as const;
    const clients = [
      fixture.client(await fixture.https(await makeCertificate(), gates[0].respond), { certificate: 'any' }),
      fixture.client(await fixture.http(gates[1].respond)),
    ];
    const call = async (gate: ResponseGate, client: DeviceClient) => {
      const calls = [client.call(about), client.call(lock)];
      while (gate.held.length < 2) await gate.next();
      return calls;
    };
    const answer = ({ held }: ResponseGate) => {
      for (const response of held.splice(0)) response.setHeader('Content-Type', 'application/json').end('{}');
    };
    const first = await call(gates[1], clients[1] as DeviceClient);
    answer(gates[1]);
    await Promise.all(first);
    const calls = await Promise.all(gates.map((gate, index) => call(gate, clients[index] as DeviceClient)));
    // Here an exchange is given up meanwhile.
    const { device, client } = await start('waits', false);
    device.hanging.add('info/about');
    const hung = failureOf(client.call(about));
    await device.until(() => device.requests.length === 1);
    await client.call(lock);
    assert.equal((await hung).code, 'TIMEOUT');
    for (const gate of gates) {
      assert.equal(gate.held.length, 2);
      answer(gate);
    }
    await Promise.all(calls.flat());
  });

  it('never gets twice what is not safe, when its connection waits for another one', async () => {
    const { device, client } = await start('waits', false);
    device.hanging.add('info/about');
    const hung = failureOf(client.call(about));
    await device.until(() => device.requests.length === 1);
    const urgentTone = { ...operationOf(playTone.name), urgent: true };
    assert.equal((await client.call(urgentTone, playTone.given)).attempts, 1);
    assert.equal((await hung).code, 'TIMEOUT');
    assert.deepEqual(device.requests, ['info/about', 'tone/start']);
  });

  it('does not send again what is not safe, when its connection was reset', async () => {
    const { device, client } = await start('is reset at its request', false);
    device.hanging.add('info/about');
    const reading = client.call(about);
    await device.until(() => device.requests.length === 1);
    const urgentTone = { ...operationOf(playTone.name), urgent: true };
    const { outcome, attempts } = await failureOf(client.call(urgentTone, playTone.given));
    assert.deepEqual([outcome, attempts], ['unknown', 1]);
    device.release('info/about');
    await reading;
    assert.deepEqual(device.requests, ['info/about']);
  });
});
