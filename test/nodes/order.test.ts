import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { type NodeConfig, startFlow, stopFlow, type TestMessage } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';

/** A node with constant parameters: they are there when its message is. */
const atOnce = (id: string, type: string, operation: string, form: Record<string, string>): NodeConfig => {
  const values = Object.entries(form).map(([name, value]) => [name, { type: 'str', value }]);
  return { id, type, operation, device: 'entrance', form: Object.fromEntries(values) };
};

/** A node whose parameters take a while, as Node-RED's JSONata always does. */
const later = (id: string, type: string, operation: string, form: Record<string, string>): NodeConfig => ({
  id,
  type,
  operation,
  device: 'entrance',
  parametersType: 'jsonata',
  parameters: JSON.stringify(form),
});

const local = { doorid: 'local' };

describe('nodes: the order at one device', () => {
  let server: Server;
  let device: NodeConfig;
  /** Requests that have no answer yet. */
  let held: ServerResponse[];
  let heard: string[];
  const events = new EventEmitter();

  beforeEach(async () => {
    held = [];
    heard = [];
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        heard.push(String(request.url).split('/').slice(-2).join('/'));
        held.push(response);
        events.emit('request');
      });
    });
    const address = `http://${await listen(server)}`;
    const who = { model: '8063', firmware: '5.7' };
    device = { id: 'entrance', type: 'algo-device', name: 'Entrance', address, auth: 'none', ...who };
  });

  afterEach(async () => {
    await stopFlow();
    await end(server);
  });

  const send = (id: string) => helper.getNode(id).receive({} as NodeMessage);

  /** Starts a flow. Returns what resolves to the outcomes of so many messages, by their operations. */
  async function start(...nodes: NodeConfig[]): Promise<(count: number) => Promise<string[]>> {
    await startFlow([device, ...nodes]);
    const outcomes: string[] = [];
    for (const id of ['out', 'caught']) {
      helper.getNode(id).on('input', (message: NodeMessage) => {
        for (const receipt of (message as TestMessage).receipts ?? []) {
          outcomes.push(`${receipt.operation} ${receipt.outcome}`);
        }
        events.emit('outcome');
      });
    }
    return async (count) => {
      while (outcomes.length < count) await once(events, 'outcome');
      return outcomes;
    };
  }

  async function requests(count: number): Promise<string[]> {
    while (heard.length < count) await once(events, 'request');
    return heard;
  }

  function answer(body = ''): void {
    const response = held.shift() ?? assert.fail('nothing is held');
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  }

  it('an unlock waits for a lock before it whose parameters take longer', async () => {
    const outcomes = await start(
      later('lock', 'algo-door', 'lock', local),
      atOnce('unlock', 'algo-door', 'unlock', local),
    );
    send('lock');
    send('unlock');
    assert.deepEqual(await requests(1), ['door/lock']);
    answer();
    assert.deepEqual(await requests(2), ['door/lock', 'door/unlock']);
    answer();
    assert.deepEqual(await outcomes(2), ['door/lock accepted', 'door/unlock accepted']);
  });

  it('an unlock whose parameters take longer than those of a lock after it is not sent', async () => {
    const outcomes = await start(
      later('unlock', 'algo-door', 'unlock', local),
      atOnce('lock', 'algo-door', 'lock', local),
    );
    send('unlock');
    send('lock');
    assert.deepEqual(await outcomes(1), ['door/unlock superseded']);
    assert.deepEqual(await requests(1), ['door/lock']);
    answer();
    assert.deepEqual(await outcomes(2), ['door/unlock superseded', 'door/lock accepted']);
    assert.deepEqual(heard, ['door/lock']);
  });

  it('a tone that waits for the model of its device is taken out by a stop', async () => {
    device = { ...device, model: '', firmware: '' };
    const outcomes = await start(
      {
        ...atOnce('play', 'algo-tone', 'start', {}),
        form: { path: { type: 'str', value: 'bell-na.wav' }, loop: { type: 'bool', value: 'true' } },
      },
      atOnce('hush', 'algo-tone', 'stop', {}),
    );
    send('play');
    assert.deepEqual(await requests(1), ['info/about']);
    send('hush');
    assert.deepEqual(await outcomes(1), ['tone/start superseded']);
    assert.deepEqual(await requests(2), ['info/about', 'tone/stop']);
    held.shift();
    answer();
    assert.deepEqual(await outcomes(2), ['tone/start superseded', 'tone/stop accepted']);
    assert.deepEqual(heard, ['info/about', 'tone/stop']);
  });
});
