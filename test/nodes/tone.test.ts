import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';

function tone(id: string, operation: string, form: Record<string, unknown>): NodeConfig {
  return { id, type: 'algo-tone', target: 'device', device: 'hall', operation, form };
}

const chime = { type: 'str', value: 'chime.wav' };
const credentials = { hall: { password: 'secret' } };

describe('algo-tone', () => {
  let device: VirtualDevice;

  async function hall(firmware: string, more: Record<string, unknown> = {}): Promise<NodeConfig> {
    device = new VirtualDevice({ model: '8301', firmware, password: 'secret' });
    return { id: 'hall', type: 'algo-device', name: 'Hall', address: await device.start(), ...more };
  }

  afterEach(async () => {
    await stopFlow();
    await device.stop();
  });

  const lastParameters = () => device.log.at(-1)?.parameters;

  it('plays a tone with every multicast setting in its place', async () => {
    const form = {
      path: chime,
      loop: { type: 'bool', value: 'true' },
      interval: { type: 'num', value: '3' },
      mcast: { type: 'bool', value: 'true' },
      playback: { type: 'bool', value: 'false' },
      'state.mode': { type: 'str', value: 'sender' },
      'state.address': { type: 'str', value: '224.0.1.116' },
      'state.port': { type: 'num', value: '5001' },
      'state.type': { type: 'str', value: 'poly' },
      'state.group': { type: 'msg', value: 'payload.group' },
    };
    await startFlow([await hall('5.7'), tone('play', 'start', form)], credentials);
    const { sent } = await ask('play', { payload: { group: 7 } });
    assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
    assert.deepEqual(lastParameters(), {
      path: 'chime.wav',
      loop: true,
      interval: 3,
      mcast: true,
      playback: 'false',
      state: { mode: 'sender', address: '224.0.1.116', port: '5001', type: 'poly', group: 7 },
    });
  });

  it('refuses a poly group on plain RTP, naming both', async () => {
    const form = {
      path: chime,
      loop: { type: 'bool', value: 'false' },
      'state.type': { type: 'str', value: 'rtp' },
      'state.group': { type: 'num', value: '7' },
    };
    await startFlow([await hall('5.7'), tone('play', 'start', form)], credentials);
    const { caught } = await ask('play');
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(String(caught[0]?.error?.message), /state\.type must be poly when state\.group is given/);
    assert.equal(device.log.length, 0);
  });

  it('stops a tone without naming it from firmware 5.5 on', async () => {
    const start = tone('play', 'start', { path: chime, loop: { type: 'bool', value: 'true' } });
    await startFlow([await hall('5.5'), start, tone('hush', 'stop', { path: chime })], credentials);
    await ask('play');
    const { sent } = await ask('hush');
    assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
    assert.equal(lastParameters(), undefined);
  });

  it('names the tone that it started to firmware 5.4, which wants to know', async () => {
    const start = tone('play', 'start', { path: chime, loop: { type: 'bool', value: 'true' } });
    const more = [tone('test', 'test-start', {}), tone('hush', 'stop', {})];
    await startFlow([await hall('5.4'), start, ...more], credentials);
    await ask('play');
    await ask('test');
    const { sent } = await ask('hush');
    assert.equal(sent[0]?.receipts?.[0]?.outcome, 'accepted');
    assert.deepEqual(lastParameters(), { path: 'chime.wav' });
  });

  it('refuses duration before firmware 5.7 and multicast before 5.6 on other models', async () => {
    const form = {
      path: chime,
      loop: { type: 'bool', value: 'false' },
      duration: { type: 'num', value: '4' },
    };
    const multicast = {
      path: chime,
      loop: { type: 'bool', value: 'false' },
      mcast: { type: 'bool', value: 'true' },
    };
    const config = await hall('5.5', { model: '8186', firmware: '5.5' });
    await startFlow(
      [config, tone('timed', 'start', form), tone('multicast', 'start', multicast)],
      credentials,
    );
    const timed = await ask('timed');
    assert.equal(timed.caught[0]?.error?.code, 'NOT_SUPPORTED');
    assert.match(String(timed.caught[0]?.error?.message), /requires firmware 5\.7.*duration/);
    const sent = await ask('multicast');
    assert.equal(sent.caught[0]?.error?.code, 'NOT_SUPPORTED');
    assert.match(String(sent.caught[0]?.error?.message), /requires firmware 5\.6.*mcast/);
    assert.equal(device.log.length, 0);
  });

  it('tells which source of a parameter yields nothing', async () => {
    const form = { path: { type: 'msg', value: 'payload.tone' }, loop: { type: 'bool', value: 'false' } };
    await startFlow([await hall('5.7'), tone('play', 'start', form)], credentials);
    const { caught } = await ask('play', { payload: {} });
    assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    assert.match(String(caught[0]?.error?.message), /path.*msg\.payload\.tone/);
  });

  it('runs the test tone', async () => {
    const end = { ...tone('end', 'test-stop', {}), parametersType: 'msg', parameters: 'payload' };
    await startFlow([await hall('5.7'), tone('loop', 'test-loop', {}), end], credentials);
    assert.equal((await ask('loop')).sent.length, 1);
    assert.equal((await ask('end', { payload: 'ignored' })).sent[0]?.payload, 'ignored');
    assert.deepEqual(
      device.log.map(({ path }) => path).filter((path) => path.includes('/test/')),
      ['/api/controls/test/loop', '/api/controls/test/stop'],
    );
  });
});
