import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { wording, wordingIn } from '../fixtures/wording';

const credentials = { gate: { password: 'secret' } };
const duration = { type: 'str', value: '5' };
const doorid = { type: 'str', value: 'local' };

describe('where parameters come from', () => {
  let device: VirtualDevice;
  let gate: NodeConfig;

  beforeEach(async () => {
    device = new VirtualDevice({ model: '8063', firmware: '5.7', password: 'secret' });
    gate = { id: 'gate', type: 'algo-device', name: 'Gate', model: '8063', firmware: '5.7' };
    gate.address = await device.start();
    process.env.ALGO_TEST_DOOR = 'netdc1';
    process.env.ALGO_TEST_SECONDS = '12';
    process.env.ALGO_TEST_FORM = '{"doorid":"local"}';
  });

  afterEach(async () => {
    for (const name of ['DOOR', 'SECONDS', 'FORM']) delete process.env[`ALGO_TEST_${name}`];
    await stopFlow();
    await device.stop();
  });

  async function start(more: Record<string, unknown>): Promise<void> {
    const door = { id: 'door', type: 'algo-door', target: 'device', device: 'gate', operation: 'munlock' };
    await startFlow([gate, { ...door, ...more }], credentials);
  }

  /** What the device received for one message. */
  async function received(more: Record<string, unknown>, message: Record<string, unknown> = {}) {
    await start(more);
    const { caught } = await ask('door', message);
    assert.equal(caught[0]?.error?.message, undefined);
    return device.log.at(-1)?.parameters;
  }

  /** The sentence with which one message was refused; nothing was on the wire. */
  async function refused(more: Record<string, unknown>, message: Record<string, unknown> = {}) {
    await start(more);
    const { sent, caught } = await ask('door', message);
    assert.equal(sent.length, 0);
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.equal(device.log.length, 0);
    // The sentence names the operation behind the reason.
    return String(caught[0]?.error?.message).replace(': door/munlock', '');
  }

  const sources: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['a number', { type: 'num', value: '9' }, { doorid: 'local', duration: '9' }],
    ['a message', { type: 'msg', value: 'payload.t' }, { doorid: 'local', duration: '3' }],
    ['an expression', { type: 'jsonata', value: 'payload.t * 2' }, { doorid: 'local', duration: '6' }],
    ['the environment', { type: 'env', value: 'ALGO_TEST_SECONDS' }, { doorid: 'local', duration: '12' }],
    [
      'a substituted value',
      { type: 'str', value: '${ALGO_TEST_SECONDS}' },
      { doorid: 'local', duration: '12' },
    ],
    ['JSON', { type: 'json', value: '20' }, { doorid: 'local', duration: '20' }],
  ];
  for (const [source, value, expected] of sources) {
    it(`reads a parameter of the form from ${source}`, async () => {
      const form = { doorid, duration: value };
      assert.deepEqual(await received({ form }, { payload: { t: 3 } }), expected);
    });
  }

  for (const store of ['flow', 'global'] as const) {
    it(`reads a parameter of the form from ${store} context`, async () => {
      await start({ form: { doorid, duration: { type: store, value: 'seconds' } } });
      helper.getNode('door').context()[store].set('seconds', 44);
      await ask('door');
      assert.deepEqual(device.log.at(-1)?.parameters, { doorid: 'local', duration: '44' });
    });

    it(`reads all parameters from ${store} context`, async () => {
      await start({ parametersType: store, parameters: 'all' });
      helper.getNode('door').context()[store].set('all', { doorid: 'netdc1', duration: 1 });
      await ask('door');
      assert.deepEqual(device.log.at(-1)?.parameters, { doorid: 'netdc1', duration: '1' });
    });
  }

  it('reads all parameters from JSON, an expression and a message', async () => {
    const json = { parametersType: 'json', parameters: '{"doorid":"local","duration":"2"}' };
    assert.deepEqual(await received(json), { doorid: 'local', duration: '2' });
    await stopFlow();
    const expression = { parametersType: 'jsonata', parameters: '{"doorid": "local", "duration": payload}' };
    assert.deepEqual(await received(expression, { payload: 8 }), { doorid: 'local', duration: '8' });
    await stopFlow();
    const message = { parametersType: 'msg', parameters: 'door' };
    const door = { doorid: 'local', duration: 4 };
    assert.deepEqual(await received(message, { door, payload: 'kept' }), { doorid: 'local', duration: '4' });
  });

  it('takes undefined in an object as absent and null as wrong', async () => {
    const message = { parametersType: 'msg', parameters: 'payload' };
    const sentence = await refused(message, { payload: { doorid: undefined, duration: null } });
    assert.match(sentence, wordingIn('phrases:required', { place: 'doorid' }));
    assert.match(sentence, wordingIn('phrases:wrong', { place: 'duration', got: 'null' }));
  });

  const seconds = (got: string) =>
    wordingIn('phrases:wrong', { place: 'duration', limits: wording('phrases:seconds'), got });
  const name = 'duration';
  const refusals: [string, Record<string, unknown>, RegExp][] = [
    ['an empty number', { type: 'num', value: '' }, wordingIn('reasons:notNumber', { name, got: 'nothing' })],
    ['a number of blanks', { type: 'num', value: ' ' }, wordingIn('reasons:notNumber', { name, got: '" "' })],
    [
      'a truth value as a number',
      { type: 'num', value: true },
      wordingIn('reasons:notNumber', { name, got: 'true' }),
    ],
    [
      'an empty truth value',
      { type: 'bool', value: '' },
      wordingIn('reasons:notBoolean', { name, got: 'nothing' }),
    ],
    ['empty JSON', { type: 'json', value: '' }, wordingIn('reasons:emptyJson', { name })],
    ['broken JSON', { type: 'json', value: '{' }, wordingIn('reasons:wrongJson', { name })],
    [
      'a missing property',
      { type: 'msg', value: 'a.b.c' },
      wordingIn('reasons:yieldsNothing', { name, source: 'msg.a.b.c' }),
    ],
    [
      'an unset variable',
      { type: 'env', value: 'ALGO_NO_SUCH' },
      wordingIn('reasons:yieldsNothing', { name, source: 'env.ALGO_NO_SUCH' }),
    ],
    ['an unset ${…}', { type: 'str', value: '${ALGO_NO_SUCH}' }, /\$\{ALGO_NO_SUCH\}.*not set/],
    ['a broken expression', { type: 'jsonata', value: '((' }, wordingIn('reasons:notReadable', { name })],
    [
      'an unknown type',
      { type: 'date', value: '' },
      wordingIn('reasons:unknownType', { name, type: 'date' }),
    ],
    ['half a second', { type: 'num', value: '0.5' }, seconds('"0.5"')],
    ['a time in the past', { type: 'num', value: '-1' }, seconds('"-1"')],
    ['an object', { type: 'json', value: '{"s":5}' }, seconds('{"s":5}')],
  ];
  for (const [what, value, words] of refusals) {
    it(`refuses ${what} in the form`, async () => {
      assert.match(await refused({ form: { doorid, duration: value } }), words);
    });
  }

  it('refuses a form that is no form, and names that every object has', async () => {
    assert.match(await refused({ form: '${ALGO_TEST_FORM}' }), wordingIn('reasons:formNoObject'));
    await stopFlow();
    const text = '{"hasOwnProperty":1,"__proto__":{"x":1},"doorid":"local","duration":1}';
    const sentence = await refused({ parametersType: 'json', parameters: text });
    assert.match(sentence, wordingIn('phrases:unknown', { place: 'hasOwnProperty' }));
    assert.match(sentence, wordingIn('phrases:unknown', { place: '__proto__' }));
  });

  it('quotes the value of an expression', async () => {
    const door = { parametersType: 'jsonata', parameters: '{"doorid": $number(payload.door)}' };
    assert.match(await refused(door, { payload: { door: 'north' } }), /"north"/);
  });

  it('names the field of a value that JSON cannot show', async () => {
    const circle: Record<string, unknown> = {};
    circle.itself = circle;
    const message = { parametersType: 'msg', parameters: 'payload' };
    const sentence = await refused(message, { payload: { doorid: circle, duration: 5n } });
    assert.match(sentence, wordingIn('phrases:wrong', { place: 'doorid', got: '{"itself":{"itself":' }));
    assert.match(sentence, wordingIn('phrases:wrong', { place: 'duration', got: '5' }));
  });

  it('reads the payload where no property is named', async () => {
    const payload = { doorid: 'local', duration: 3 };
    assert.deepEqual(await received({ parametersType: 'msg', parameters: '' }, { payload }), {
      doorid: 'local',
      duration: '3',
    });
  });

  it('refuses to guess a context property that is not named', async () => {
    assert.match(
      await refused({ parametersType: 'flow', parameters: '' }),
      wordingIn('reasons:namesNoProperty', { type: 'flow' }),
    );
  });

  it('refuses what cannot hold parameters', async () => {
    const message = { parametersType: 'msg', parameters: 'payload' };
    for (const [payload, words] of [
      ['open', /msg\.payload is the string open/],
      [1754000000000, /msg\.payload is the number/],
      [[1], /msg\.payload is a list/],
      [Buffer.from('x'), /msg\.payload is a Buffer/],
    ] as const) {
      assert.match(await refused(message, { payload }), words);
      await stopFlow();
    }
    const unknown = { parametersType: 'xml', parameters: 'payload' };
    assert.match(await refused(unknown), wordingIn('reasons:parametersTypeWrong'));
  });

  it('fills device properties from the environment and names a variable that is not set', async () => {
    gate.name = '${ALGO_TEST_DOOR}';
    const form = { doorid: { type: 'str', value: '${ALGO_TEST_DOOR}' }, duration };
    assert.deepEqual(await received({ form }), { doorid: 'netdc1', duration: '5' });
    await stopFlow();
    gate.address = '${ALGO_NO_SUCH}';
    await start({ form });
    const { caught } = await ask('door');
    assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    assert.match(String(caught[0]?.error?.message), /address is \$\{ALGO_NO_SUCH\}.*not set/);
  });
});
