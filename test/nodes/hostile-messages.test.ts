import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { door, local } from './door';

const screaming = '\u0000x\u001bx\nx'.repeat(100_000);

function scream(): never {
  throw new Error(screaming);
}

/** Values that somebody may have put into a message, each made again. */
const hostile: Record<string, () => unknown> = {
  'a Proxy that throws': () =>
    new Proxy({}, { get: scream, has: scream, ownKeys: scream, getPrototypeOf: scream }),
  'a Proxy of a list that throws': () => new Proxy([], { get: scream, has: scream, getPrototypeOf: scream }),
  'what cannot become a text': () => ({ toString: scream, toJSON: scream, [Symbol.toPrimitive]: scream }),
  'what becomes an object': () => ({ toString: () => ({}), [Symbol.toPrimitive]: () => ({}) }),
  'a function that cannot become a text': () => Object.assign(() => {}, { toString: scream }),
  'a class of somebody': () =>
    new (class {
      toString() {
        return screaming;
      }
    })(),
  'a nested list': () => [[[['Gate']]], ['Gate'], []],
  'a list of a million': () => new Array(1_000_000).fill('x'),
  'a text of ten megabytes': () => screaming.padEnd(10_000_000, 'x'),
  'lone surrogates': () => '\ud800<script>\udc00',
  __proto__: () => '__proto__',
  constructor: () => 'constructor',
  'group:__proto__': () => 'group:__proto__',
  'tag:constructor': () => 'tag:constructor',
  'a BigInt': () => 10n ** 30n,
  'a Symbol': () => Symbol(screaming),
  'no date': () => new Date(Number.NaN),
  'a Buffer': () => Buffer.alloc(1_000_000),
};

describe('hostile messages', () => {
  let device: VirtualDevice;
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);

  before(async () => {
    device = new VirtualDevice({ model: '8063', firmware: '5.7', password: 'secret' });
    const gate = { id: 'gate', type: 'algo-device', name: 'Gate', address: await device.start() };
    const ofMessage = { priority: 'priority', priorityType: 'msg' };
    const any = { target: 'msg', parametersType: 'msg', parameters: 'payload' };
    const configs: NodeConfig[] = [
      gate,
      { ...door('msg', {}, any), id: 'door' },
      {
        id: 'alert',
        type: 'algo-alert',
        target: 'msg',
        operation: 'of the message',
        ...ofMessage,
        actions: [{ operation: 'door/unlock', form: {} }],
      },
      { id: 'watch', type: 'algo-status', device: 'gate', operation: '', interval: 3_600 },
      { id: 'bells', type: 'algo-scheduler', operation: 'sync', ...any },
      {
        id: 'remote',
        type: 'algo-remote',
        operation: 'of the job',
        job: { operation: 'door/lock' },
        sites: ['north'],
        broker: 'none',
      },
      {
        id: 'remote alert',
        type: 'algo-remote',
        operation: 'of the job',
        job: { alert: 'Lockdown', action: 'start' },
        ...ofMessage,
        sites: ['north'],
        broker: 'none',
      },
      { id: 'told', type: 'algo-receipts', operation: '', wires: [[]] },
    ];
    await startFlow(configs, { gate: { password: 'secret' } });
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
  });

  after(async () => {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
    await stopFlow();
    await device.stop();
  });

  // What is enumerable Node-RED reads itself, when it copies the message for a Catch node.
  const hidden = (name: string, given: PropertyDescriptor) =>
    Object.defineProperties({ _msgid: 'odd' }, { payload: { value: local, writable: true }, [name]: given });

  for (const id of ['door', 'alert', 'watch', 'bells', 'remote', 'remote alert']) {
    for (const name of ['device', 'operation', 'ttl', 'priority', 'drill', 'site', 'interval', 'payload']) {
      it(`are each answered once by ${id}, in short: msg.${name}`, async () => {
        const getters = [{ get: scream }, { get: () => hostile['a Symbol']?.() }];
        const values = Object.values(hostile).map((make) => ({ value: make(), writable: true }));
        for (const given of [...getters, ...values]) {
          const { caught } = await ask(id, hidden(name, given));
          assert.ok(caught.length <= 1);
          const words = String(caught[0]?.error?.message ?? '');
          assert.ok(words.length < 700, `${words.length} characters: ${words.slice(0, 100)}`);
          assert.doesNotMatch(words, /[\p{Cc}\p{Surrogate}]/u);
          for (const { operation, device: asked } of caught[0]?.receipts ?? []) {
            assert.doesNotMatch(`${operation}${asked}`, /[\p{Cc}\p{Surrogate}]/u);
            assert.ok(asked.length < 300);
          }
        }
        assert.deepEqual(faults, []);
      });
    }
    it(`are answered by ${id} where they are frozen`, async () => {
      const { caught, sent } = await ask(
        id,
        Object.freeze({ _msgid: 'frozen', device: 'nobody', operation: 'x' }),
      );
      assert.equal(caught.length + sent.length, 1);
    });
  }
});
