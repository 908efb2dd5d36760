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
