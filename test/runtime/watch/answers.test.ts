import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { end, listen } from '../../fixtures/listening';
import { Day } from './day';

describe('a reading without an answer', () => {
  it('ends with the node that wanted it, and its socket too', async () => {
    const server = createServer();
    const address = `http://${await listen(server)}`;
    const day = await Day.begin({}, { address, auth: 'none', model: '8301', firmware: '5.7', timeout: 3600 });
    const node = day.deploy('algo-relay-input');
    const requested = once(server, 'request');
    day.clock.advance(60_000);
    const [{ socket }] = await requested;
    node.emit('close', false, () => {});
    await once(socket, 'close');
    await day.end();
    assert.deepEqual(day.events, []);
    await end(server);
  });
});

describe('a reading that is asked for', () => {
  let day: Day;
  let server: Server;
  const held: ServerResponse[] = [];
  const answer = (state: string) =>
    held
      .shift()
      ?.writeHead(200, { 'Content-Type': 'application/json' })
      .end(`{"input.relay.status":"${state}"}`);
  const asked = async () => (await once(server, 'request'))[1] as ServerResponse;

  beforeEach(async () => {
    server = createServer((_request, response) => held.push(response));
    const address = `http://${await listen(server)}`;
    day = await Day.begin({}, { address, auth: 'none', model: '8301', firmware: '5.7', timeout: 3600 });
  });
  afterEach(async () => {
    held.length = 0;
    await day.end();
    await end(server);
  });

  it('begins after the question, also while another one is under way', async () => {
    const node = day.deploy('algo-relay-input', { interval: 3600 });
    const states: unknown[] = [];
    const read = () =>
      new Promise((resolve) => {
        const send = ([message]: { payload: { state: string } }[]) => states.push(message?.payload.state);
        node.emit('input', { operation: 'read' }, send, resolve);
      });
    const [first, began] = [read(), asked()];
    day.clock.advance(1);
    await began;
    const [second, beganAgain] = [read(), asked()];
    answer('idle');
    await first;
    day.clock.advance(1);
    await beganAgain;
    answer('active');
    await second;
    assert.deepEqual(states, ['idle', 'active']);
  });

  it('is refused when the device is closed and the node is not, which shows under the node', async () => {
    const node = day.deploy('algo-relay-input', { interval: 3600 });
    const statuses: unknown[] = [];
    Object.assign(node, { status: ({ fill }: { fill?: string }) => statuses.push(fill) });
    const [refused, began] = [day.send(node, { operation: 'read' }), asked()];
    day.clock.advance(1);
    await began;
    await day.device.close();
    assert.match(String(await refused), /closed by a deploy: "Hall"; deploy this node too/);
    assert.equal(statuses.at(-1), 'red');
  });
});

describe('a device that is not known and says that it has no such thing', () => {
  let day: Day;
  let server: Server;
  let address: string;
  let boots = true;

  beforeEach(async () => {
    boots = true;
    server = createServer((request, response) => {
      if (request.url === '/api/info/about' || boots) response.writeHead(404).end();
      else
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"input.relay.status":"idle"}');
    });
    address = `http://${await listen(server)}`;
  });

  afterEach(async () => {
    await day.end();
    await end(server);
  });

  it('is asked again every few minutes, which is said once; later the same answer is a miss', async () => {
    day = await Day.begin({}, { address, auth: 'none' });
    day.deploy('algo-relay-input', { interval: 1 });
    await day.until('01:00');
    assert.ok(day.readings.length >= 15 && day.readings.length <= 25, String(day.readings.length));
    assert.equal(day.events.length, 1);
    assert.match(String(day.events[0]?.error), /404/);
    boots = false;
    await day.until('01:05');
    assert.deepEqual(day.events[1]?.message?.payload.state, 'idle');
    boots = true;
    await day.until('01:10');
    assert.equal(day.events[2]?.message?.payload.connection, 'lost');
    assert.match(String(day.events[2]?.message?.payload.reason), /^rejected by the device$/);
    assert.equal(day.events.length, 3);
  });
});
