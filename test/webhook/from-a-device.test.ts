import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { end, listen } from '../fixtures/listening';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { send, sendJson } from '../fixtures/signer';

const place = { z: 'tab', x: 100, y: 100 };

const tab: FlowNode = { id: 'tab', type: 'tab', label: 'tab' };

/** A webhook whose outputs are printed. */
const hook = (auth: string, password: string): FlowNode => ({
  ...place,
  ...{ id: auth, type: 'algo-webhook', path: `/algo/${auth}`, auth, tolerance: '3600', from: ['hall'] },
  credentials: { password },
  wires: [['first'], ['second']],
});

/** Prints one line of JSON for each message. */
const printer = (id: string, expression: string): FlowNode => ({
  ...place,
  ...{ id, type: 'debug', name: id, active: true, console: true, tosidebar: false },
  ...{ complete: `$string(${expression})`, targetType: 'jsonata' },
  wires: [],
});

/** A command to the virtual device, and the node that starts it. */
const command = (operation: string, parameters: object = {}): FlowNode[] => [
  {
    ...place,
    id: `press-${operation}`,
    type: 'inject',
    props: [],
    repeat: '',
    once: false,
    wires: [[operation]],
  },
  {
    ...place,
    ...{ id: operation, type: 'algo-virtual', virtual: 'virtual', operation },
    ...{ parametersType: 'json', parameters: JSON.stringify(parameters) },
    wires: [[]],
  },
];

const flow: FlowNode[] = [
  tab,
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual 8301',
    model: '8301',
    auth: 'standard',
    port: '0',
  },
  { id: 'hall', type: 'algo-device', name: 'Hall', virtual: 'virtual', address: '', auth: 'standard' },
  hook('standard', 'algo'),
  hook('basic', 'algo'),
  hook('token', 'sesame'),
  printer('first', '{ "topic": topic, "payload": payload, "path": webhook.path, "auth": webhook.auth }'),
  printer('second', '{ "reason": payload.reason, "path": payload.path }'),
  ...command('next-event'),
  ...command('speed', { factor: 10 }),
  ...command('password', { password: 'another one' }),
];

const basicOf = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

/** The signed request to the webhook for signatures. */
const signed = { method: 'POST', path: '/red/algo/standard', header: '%DEVICE_HEADERS%', payload: '{"n":1}' };

describe('webhook: the schedule of a virtual 8301, with a moved root and a login for HTTP nodes', () => {
  let red: NodeRed;
  let address = '';
  let silent: Server;

  /** The lines that a printer wrote. */
  const printed = (id: string) =>
    [...red.log().matchAll(new RegExp(`\\[debug:${id}\\] (\\{.*\\})`, 'g'))].map(([, line = '']) =>
      JSON.parse(line),
    );
  const press = async (operation: string) =>
    assert.equal((await send(address, 'POST', `/admin/inject/press-${operation}`, {})).status, 200);

  before(async () => {
    red = await startNodeRed([tab], process.execPath, undefined, {
      httpNodeRoot: '/red',
      httpAdminRoot: '/admin',
      httpNodeAuth: { user: 'u', pass: '$2a$08$aaaaaaaaaaaaaaaaaaaaaeTLcOyq6dO1A6mUMJ9cW8zXb2h7T0z0C' },
    });
    address = new URL(red.url).origin;
    const headers = { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'full' };
    await send(address, 'POST', '/admin/flows', headers, Buffer.from(JSON.stringify(flow)));
    // It takes each request, and never answers.
    silent = createServer(() => undefined);
    const target = new URL(address).host;
    const hangs = await listen(silent);
    const [, device = ''] = await red.waitForOutput(/virtual 8301 .* listens on (http:\S+)/);
    const events = [
      [
        signed,
        {
          ...{ method: 'PUT', path: '/red/algo/basic/below', payload: '{"n":2}' },
          header: `Authorization: ${basicOf('algo')}\\r\\nContent-Type: application/json`,
        },
        { method: 'GET', path: '/hangs', header: '', target: hangs },
        {
          method: 'POST',
          path: '/red/algo/token',
          header: 'Authorization: Bearer sesame',
          payload: '{"n":4}',
        },
        { method: 'GET', path: '/red/algo/basic', header: `Authorization: ${basicOf('wrong')}` },
      ],
      [signed],
    ].map((entries, index) => ({
      ...{ event_type: 'api_call', name: `Call ${index + 1}`, audio: 'gong.wav', extension: 200, rrule: '' },
      ...{ delay: index === 0 ? 600 : 36_000, api_call: entries.map((entry) => ({ target, ...entry })) },
    }));
    const { status, text } = await sendJson(device, 'POST /api/schedules', { events });
    assert.equal(status, 200, text);
  });

  after(async () => {
    await red.stop();
    await end(silent);
  });

  it('reaches the flow at its time on the clock of the device: in order, one at a time, past one that hangs', async () => {
    // Other nodes do want a login.
    assert.equal((await send(address, 'GET', '/red/elsewhere', {})).status, 401);
    assert.deepEqual(printed('first'), []);
    await press('next-event');
    await press('speed');
    await red.waitForOutput(/call for "Call 1" GET \S+\/red\/algo\/basic -> /);
    const results = [...red.log().matchAll(/call for "Call 1" \w+ \S+?(\/\S+).* -> (\d+|[a-z ]+)/g)];
    assert.deepEqual(
      results.map(([, path, result]) => [path, result]),
      [
        ['/red/algo/standard', '200'],
        ['/red/algo/basic/below', '200'],
        ['/hangs', 'timed out'],
        ['/red/algo/token', '200'],
        ['/red/algo/basic', '401'],
      ],
    );
    await red.waitForOutput(/\[debug:first\] .*"n":4/);
    await red.waitForOutput(/\[debug:second\]/);
    assert.deepEqual(printed('first'), [
      { topic: 'Hall', payload: { n: 1 }, path: '/red/algo/standard', auth: 'standard' },
      { topic: 'Hall', payload: { n: 2 }, path: '/red/algo/basic/below', auth: 'basic' },
      { topic: 'Hall', payload: { n: 4 }, path: '/red/algo/token', auth: 'token' },
    ]);
    assert.deepEqual(printed('second'), [{ reason: 'password', path: '/red/algo/basic' }]);
    assert.ok(
      red.log().indexOf('timed out') < red.log().indexOf('"n":4},"path"'),
      'it did not wait its turn',
    );
    assert.doesNotMatch(red.log(), /sesame|YWRtaW/);
  });

  it('leaves by the second output where the device has another password, and the device logs 401', async () => {
    await press('password');
    await press('next-event');
    await red.waitForOutput(/call for "Call 2" POST \S+\/red\/algo\/standard -> 401/);
    await red.waitForOutput(/\[debug:second\] .*signature/);
    assert.deepEqual(printed('second').at(-1), { reason: 'signature', path: '/red/algo/standard' });
    assert.equal(printed('first').length, 3);
  });
});
