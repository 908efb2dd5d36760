import assert from 'node:assert/strict';
import type { NodeAPI, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { ClientFixture } from '../fixtures/client-fixture';
import { ask, flowOf, loadNodes, type NodeConfig, startFlow, statusesOf, stopFlow } from '../fixtures/flow';
import { ownNodes } from '../fixtures/package';
import { bytesMadeBy, Listeners, madeBy, waitingTimers } from './counts';

const credentials = { speaker: { password: 'algo' } };

/** A device that need not be asked who it is, and that lets any number of messages wait. */
function speaker(address: string, more: Record<string, unknown> = {}): NodeConfig {
  const identity = { model: '8301', firmware: '5.7' };
  return {
    id: 'speaker',
    type: 'algo-device',
    name: 'Speaker',
    address,
    queueLimit: 10_000,
    ...identity,
    ...more,
  };
}

/** Nothing expires, however long a busy machine takes. */
const toSpeaker = { target: 'device', device: 'speaker', operation: 'start', ttl: '0' };
const chime = { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'false' } };
const tone = { id: 'tone', type: 'algo-tone', ...toSpeaker, form: chime };
/** An operation that may be done twice takes a kept connection however long that was idle. */
const relay = { id: 'relay', type: 'algo-relay', ...toSpeaker, operation: 'enable', form: {} };
const announcement = { announcement: { type: 'num', value: '1' } };
const emergency = { id: 'emergency', type: 'algo-emergency', ...toSpeaker, form: announcement };

/** Lets messages into nodes in one turn of the event loop. Resolves when all of them have come out. */
function burst(...ids: string[]): Promise<void> {
  const [out, caught] = ['out', 'caught'].map((id) => helper.getNode(id));
  return new Promise((resolve, reject) => {
    let missing = ids.length;
    out?.on('input', () => {
      missing -= 1;
      if (missing === 0) resolve();
    });
    caught?.on('input', (message: NodeMessage) => reject(new Error(JSON.stringify(message))));
    for (const id of ids) helper.getNode(id).receive({});
  });
}

const times = (count: number, id: string): string[] => new Array(count).fill(id);

describe('what messages take, counted', () => {
  const fixture = new ClientFixture();
  let address: string;
  let listeners: Listeners;

  beforeEach(async () => {
    address = await fixture.http((_seen, response) => response.end());
    listeners = new Listeners();
  });

  afterEach(async () => {
    listeners.restore();
    await stopFlow();
    await fixture.clear();
  });

  /** Listeners of each open socket and of other targets, and timers. */
  const leftOver = () => ({
    sockets: listeners.ofSockets(),
    targets: listeners.targets,
    timers: waitingTimers(),
  });

  /** Of many messages no more is left than of one, but for what a node and a device keep for all of them. */
  function assertNoMoreThan(before: ReturnType<typeof leftOver>): void {
    const { timers, ...after } = leftOver();
    assert.deepEqual({ ...after, timers: before.timers }, before);
    // The latest status may still have to be shown, and what waited at the device may have set its alarm.
    assert.ok(timers <= before.timers + 2, `${timers - before.timers} timers more`);
  }

  const paths = (): string[] => fixture.seen.map(({ url }) => url);

  it('is one connection and one request each, one after another', async () => {
    await startFlow([speaker(address, { letDeviceDecide: true }), relay], credentials);
    for (let sent = 0; sent < 50; sent += 1) await ask('relay');
    assert.deepEqual(paths(), times(50, '/api/controls/relay/enable'));
    assert.equal(fixture.connections, 1);
  });

  it('is one connection and one request each, all at once', async () => {
    await startFlow([speaker(address, { letDeviceDecide: true }), relay], credentials);
    await burst(...times(300, 'relay'));
    assert.deepEqual(paths(), times(300, '/api/controls/relay/enable'));
    assert.equal(fixture.connections, 1);
  });

  it('is one question who the device is, however many messages wait for the answer', async () => {
    await startFlow([speaker(address, { model: '', firmware: '' }), tone], credentials);
    await burst(...times(50, 'tone'));
    assert.deepEqual(paths(), ['/api/info/about', ...times(50, '/api/controls/tone/start')]);
  });

  it('is one connection more for what is urgent, and at most one request goes before it', async () => {
    await startFlow([speaker(address, { letDeviceDecide: true }), relay, emergency], credentials);
    await burst(...times(300, 'relay'), 'emergency');
    assert.equal(paths().length, 301);
    const before = paths().indexOf('/api/controls/emergency-alert/start');
    assert.ok(before === 0 || before === 1, `${before} requests went before the emergency`);
    assert.equal(fixture.connections, 2);
  });

  it('is one connection for each of a hundred devices, which the next message uses again', async () => {
    const devices = Array.from({ length: 100 }, (_, index) =>
      speaker(`${address}/${index}`, {
        id: `speaker${index}`,
        name: `Speaker ${index}`,
        auth: 'none',
        tags: 'hall',
      }),
    );
    // One that may be repeated takes a kept connection however long it was idle.
    const toTag = { id: 'tone', type: 'algo-tone', target: 'msg', operation: 'stop' };
    await startFlow([...devices, toTag]);
    const { sent } = await ask('tone', { device: 'tag:hall' });
    assert.equal(sent[0]?.receipts?.filter(({ outcome }) => outcome === 'accepted').length, 100);
    assert.deepEqual([paths().length, fixture.connections], [100, 100]);
    // A connection that is idle for seconds is closed, which one of a hundred may be on a busy computer.
    for (let index = 0; index < 100; index += 25) {
      await ask('tone', { device: `Speaker ${index}` });
      const before = fixture.connections;
      await ask('tone', { device: `Speaker ${index}` });
      assert.equal(fixture.connections, before);
    }
  });

  it('leaves no listener and no timer of its own behind, whether all at once or one after another', async () => {
    await startFlow([speaker(address, { letDeviceDecide: true }), relay], credentials);
    await ask('relay');
    const before = leftOver();
    assert.equal(before.sockets.length, 1);
    for (let sent = 0; sent < 20; sent += 1) await ask('relay');
    await burst(...times(100, 'relay'));
    assertNoMoreThan(before);
  });

  it('is no listener to a signal, however many messages wait', async () => {
    await startFlow([speaker(address), tone], credentials);
    await burst(...times(300, 'tone'));
    // A connection may have some, the messages have none.
    assert.ok(listeners.mostTargets < 10, String(listeners.mostTargets));
  });

  it('leaves no listener and no timer of its own behind when nobody answers', async () => {
    await fixture.clear();
    await startFlow([speaker(address, { letDeviceDecide: true }), relay], credentials);
    await ask('relay');
    const before = leftOver();
    assert.deepEqual(before.sockets, []);
    for (let sent = 0; sent < 20; sent += 1) {
      const { caught } = await ask('relay');
      assert.equal(caught[0]?.error?.code, 'UNREACHABLE');
    }
    assertNoMoreThan(before);
  });

  // Ceilings are what it takes now, with a tenth to spare: a promise more for each message is seen, one more
  // for each burst is not. Node-RED's own part and the server's are in them.
  it('is no more timers, promises, immediates and ticks than it was', async () => {
    await startFlow([speaker(address), tone], credentials);
    await ask('tone');
    const count = 200;
    const began = performance.now();
    const made = await madeBy(() => burst(...times(count, 'tone')));
    assert.ok(made.promises > 0 && made.timers > 0 && made.immediates > 0 && made.ticks > 0);
    // The status and what else follows the clock take a few in each second.
    const spare = (20 * (performance.now() - began)) / 1000;
    // One limits the answer's time.
    assert.ok(made.timers <= 1.2 * count + spare, `${made.timers} timers`);
    assert.ok(made.promises <= 29.7 * count + spare, `${made.promises} promises`);
    assert.ok(made.immediates <= 4.4 * count + spare, `${made.immediates} immediates`);
    assert.ok(made.ticks <= 12.1 * count + spare, `${made.ticks} ticks`);
  });

  it('is no more bytes of ours than it was, kept or not', async () => {
    await startFlow([speaker(address), tone], credentials);
    await burst(...times(200, 'tone'));
    const count = 500;
    const samples: number[] = [];
    // A sample can only be too large: by what was compiled, or came from elsewhere, meanwhile.
    for (let round = 0; round < 3; round += 1) {
      samples.push(await bytesMadeBy(() => burst(...times(count, 'tone'))));
    }
    const made = Math.min(...samples);
    assert.ok(made > 1_000 * count, `${made} bytes: nothing was seen`);
    assert.ok(made <= 21_500 * count, `${Math.round(made / count)} bytes for each message`);
  });

  it('is no look for words that were found before, however many nodes show a status', async () => {
    const looked: string[] = [];
    const look = (key: string) => {
      looked.push(key);
      return key;
    };
    const listening = ownNodes().map((node) => (RED: NodeAPI) => node({ ...RED, _: look as NodeAPI['_'] }));
    const tones = Array.from({ length: 20 }, (_, place) => ({ ...tone, id: `tone${place}` }));
    const flow = flowOf([speaker(address), tone, ...tones]);
    await loadNodes(listening, flow, credentials);
    await ask('tone');
    assert.ok(looked.includes('status.accepted'), looked.join());
    const before = looked.length;
    await burst(...tones.map(({ id }) => id));
    for (const { id } of tones) assert.ok(statusesOf(id).length > 0, id);
    assert.deepEqual(looked.slice(before), []);
  });

  it('is four statuses a second for an open editor, however many messages come', async () => {
    await startFlow([speaker(address), tone], credentials);
    const began = performance.now();
    await burst(...times(300, 'tone'));
    const shown = statusesOf('tone').length;
    const seconds = Math.ceil((performance.now() - began) / 1000);
    assert.ok(shown > 0 && shown <= 4 * (seconds + 1), `${shown} statuses in ${seconds} s`);
    // As core sends it to each editor: a topic with the node's id, and the status.
    const bytes = statusesOf('tone').reduce((sum, data) => sum + JSON.stringify(data).length, 0);
    assert.ok(bytes <= 100 * shown, `${bytes} bytes in ${shown} statuses`);
  });
});
