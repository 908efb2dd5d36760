import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Node, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { VirtualDevice } from '../../src/virtual-device/device';
import { exampleFile } from '../fixtures/examples';
import { loadNodes, type NodeConfig, stopFlow } from '../fixtures/flow';
import { ownNodes, read } from '../fixtures/package';
import { coreNodes } from '../nodes/stage';
import { FakeHomeAssistant, problemsOf } from './home-assistant';
import { Mosquitto } from './mosquitto';

type Change = (node: NodeConfig) => NodeConfig;

const example = read<NodeConfig[]>(exampleFile('Home Assistant by MQTT'));
const wanted = 'algo-ha/front-door/door/set';
const id = (name: string) => `home-assistant-${name}`;
const asIs: Change = (node) => node;

/** The example with the port of the test's broker, and without its pauses. */
const quick =
  (port: number): Change =>
  (node) => {
    if (node.type === 'mqtt-broker') return { ...node, port: String(port) };
    if (node.type === 'delay') return { ...node, randomFirst: '0', randomLast: '0.01' };
    if (node.type === 'inject' && node.once) return { ...node, onceDelay: '0.1' };
    if (node.type === 'algo-status') return { ...node, interval: '0.2', misses: 1 };
    if (node.id === id('relocks')) return { ...node, duration: '0.1' };
    return node;
  };

const commandsOf = ({ log }: VirtualDevice) =>
  log
    .filter(({ method }) => method === 'POST')
    .map(({ path: target }) => target.replace('/api/controls/', ''));

describe('the example for Home Assistant', () => {
  let mosquitto: Mosquitto;
  let home: FakeHomeAssistant;
  let folder: string;

  beforeEach(async () => {
    mosquitto = await Mosquitto.start();
    home = await FakeHomeAssistant.open(mosquitto.port);
    folder = await mkdtemp(path.join(tmpdir(), 'algo-home-'));
  });
  afterEach(async () => {
    assert.deepEqual(home.problems, []);
    await stopFlow();
    await home.end();
    await mosquitto.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  const startNodeRed = async (change: Change = asIs) => {
    const flow = example.map(quick(mosquitto.port)).map(change);
    helper.init(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));
    await loadNodes([...ownNodes(), ...coreNodes()], flow, {}, { userDir: folder, mqttReconnectTime: 100 });
  };
  const press = (name: string) => helper.getNode(id(name)).receive({ ...injected(name) } as NodeMessage);
  const injected = (name: string) => {
    const { props } = example.find((node) => node.id === id(name)) as unknown as {
      props: { p: string; v: string }[];
    };
    return Object.fromEntries(props.map(({ p, v }) => [p, v]));
  };
  const behind = (name: string) =>
    (helper.getNode(id(`virtual-${name}`)) as Node & { device(): Promise<VirtualDevice> }).device();
  const isSaid = (topic: string, payload: string) => {
    const said = (helper.getNode(id('said')) as Node).context().flow.get('said') as Record<string, unknown>;
    return said[topic] === payload;
  };
  const becomes = (entity: string, state: string) => home.until(() => home.state(entity) === state);
  /** Every earlier command has been carried out, or never will be. */
  const settle = async () => {
    await home.until(() => home.isAvailable('algo_front-door_relay'));
    for (const [command, state] of [
      ['ON', 'ON'],
      ['OFF', 'OFF'],
    ] as const) {
      await home.command('algo_front-door_relay', command);
      await becomes('algo_front-door_relay', state);
    }
  };
  const isOpened = async () =>
    commandsOf(await behind('door')).some((command) => command.startsWith('door/'));

  const all = [
    ...['front-door_door', 'front-door_relay', 'front-door_input', 'front-door_health'],
    ...['lobby_strobe', 'lobby_tone', 'lobby_text', 'lobby_health'],
    ...['lockdown_start', 'lockdown_clear', 'lockdown_alert'],
  ].map((name) => `algo_${name}`);
  const areThere = () => home.until(() => all.every((entity) => home.isAvailable(entity)));

  it('describes all devices, and says how they are', async () => {
    await startNodeRed();
    await areThere();
    assert.deepEqual([...home.entities.keys()].sort(), [...all].sort());
    await becomes('algo_front-door_health', 'ok');
    await becomes('algo_lobby_health', 'ok');
    await becomes('algo_front-door_input', 'idle');
    await becomes('algo_lockdown_alert', 'OFF');
    await home.until(() => Array.isArray(home.attributes('algo_lobby_health').findings));
    const door = await behind('door');
    await door.carryOut('input', { name: 'relay1', state: 'closed' });
    await becomes('algo_front-door_input', 'active');
  });

  it('opens the door for 5 s, and locks it', async () => {
    await startNodeRed();
    await areThere();
    const door = await behind('door');
    await home.command('algo_front-door_door', 'UNLOCK');
    await home.until(() => home.states('algo_front-door_door').length === 2);
    await home.command('algo_front-door_door', 'LOCK');
    await home.until(() => home.states('algo_front-door_door').length === 3);
    assert.deepEqual(home.states('algo_front-door_door'), ['UNLOCKED', 'LOCKED', 'LOCKED']);
    assert.deepEqual(commandsOf(door), ['door/munlock', 'door/lock']);
    assert.deepEqual(door.log.find(({ method }) => method === 'POST')?.parameters, {
      doorid: 'local',
      duration: '5',
    });
    // A payload that Home Assistant does not send.
    await home.command('algo_front-door_door', 'OPEN');
    await settle();
    assert.deepEqual(
      commandsOf(door).filter((command) => command.startsWith('door/')),
      ['door/munlock', 'door/lock'],
    );
  });

  it('says that the door is jammed if it is unknown whether it is locked', async () => {
    await startNodeRed();
    await areThere();
    await (await behind('door')).carryOut('fault', {
      kind: 'half',
      route: 'POST /api/controls/door/munlock',
      count: 1,
    });
    await home.command('algo_front-door_door', 'UNLOCK');
    await becomes('algo_front-door_door', 'JAMMED');
    await settle();
    assert.deepEqual(home.states('algo_front-door_door'), ['JAMMED']);
  });

  it('starts and stops the strobe and the tone, and says when they end by themselves', async () => {
    await startNodeRed();
    await areThere();
    const lobby = await behind('lobby');
    await home.command('algo_lobby_strobe', { state: 'ON', tone: 'fast', duration: 1 });
    await becomes('algo_lobby_strobe', 'ON');
    assert.deepEqual(lobby.state.strobe, { pattern: 2, color1: 'red', ledlvl: '255', duration: 1 });
    await becomes('algo_lobby_strobe', 'OFF');
    await home.command('algo_lobby_strobe', { state: 'ON' });
    await becomes('algo_lobby_strobe', 'ON');
    // A deleted retained command arrives as an empty one, and is no OFF.
    await home.publish('algo-ha/lobby/strobe/set', '');
    await home.command('algo_lobby_strobe', { state: 'OFF' });
    await becomes('algo_lobby_strobe', 'OFF');
    assert.equal(lobby.state.strobe, null);
    await home.command('algo_lobby_tone', { state: 'ON', tone: 'bell-na.wav', duration: 1 });
    await home.until(() => home.states('algo_lobby_tone').join().includes('ON,OFF'));
    assert.deepEqual(commandsOf(lobby), ['strobe/start', 'strobe/start', 'strobe/stop', 'tone/start']);
  });

  it('shows a text, and starts and clears the lockdown', async () => {
    await startNodeRed();
    await areThere();
    const lobby = await behind('lobby');
    await home.command('algo_lobby_text', '7');
    while (!lobby.state.overlay) await once(lobby, 'request');
    assert.deepEqual(lobby.state.overlay, { textContent: '7', duration: 60 });
    await home.publish('algo-ha/lockdown/start/set', 'anything');
    await settle();
    assert.deepEqual(new Set(home.states('algo_lockdown_alert')), new Set(['OFF']));
    await home.command('algo_lockdown_start', 'PRESS');
    await becomes('algo_lockdown_alert', 'ON');
    // Also of what an alert has started.
    await becomes('algo_lobby_strobe', 'ON');
    await home.until(() => home.attributes('algo_lockdown_alert').by === 'Home Assistant');
    await home.command('algo_lockdown_clear', 'PRESS');
    await becomes('algo_lockdown_alert', 'OFF');
    await becomes('algo_lobby_strobe', 'OFF');
  });

  it('says that a device is gone, and that it is back', async () => {
    await startNodeRed();
    await areThere();
    await (await behind('lobby')).carryOut('reboot', { seconds: 1 });
    await home.until(() => !home.isAvailable('algo_lobby_strobe'));
    assert.ok(home.isAvailable('algo_lobby_health') && home.isAvailable('algo_front-door_door'));
    await home.until(() => home.isAvailable('algo_lobby_strobe'));
  });

  it('says the same again, byte for byte, when Home Assistant starts', async () => {
    await startNodeRed();
    await areThere();
    const before = home.descriptions.length;
    press('announce');
    await home.until(() => home.descriptions.length >= before + 3);
    await home.publish('homeassistant/status', 'online');
    await home.until(() => home.descriptions.length >= before + 6);
    const texts = new Set(home.descriptions.map(({ topic, text }) => `${topic} ${text}`));
    assert.equal(texts.size, 3);
  });

  it('says all of it again to a broker that has forgotten it', async () => {
    await startNodeRed();
    await areThere();
    await settle();
    await home.end();
    await mosquitto.stop();
    await mosquitto.start();
    home = await FakeHomeAssistant.open(mosquitto.port);
    await areThere();
    await becomes('algo_front-door_relay', 'OFF');
    await becomes('algo_front-door_input', 'idle');
    await becomes('algo_lobby_health', 'ok');
  });

  it('is away as soon as Node-RED is', async () => {
    await startNodeRed();
    await areThere();
    await stopFlow();
    await home.until(() => all.every((entity) => !home.isAvailable(entity)));
  });

  it('says what is now, also if it changes while all of it is said again', async () => {
    await startNodeRed();
    await areThere();
    await becomes('algo_front-door_input', 'idle');
    const news = { topic: 'algo-ha/front-door/input/state', payload: 'active' } as NodeMessage;
    helper.getNode(id('each')).once('input', () => helper.getNode(id('for-broker')).receive({ ...news }));
    await home.publish('homeassistant/status', 'online');
    await becomes('algo_front-door_input', 'active');
    await settle();
    assert.equal(home.state('algo_front-door_input'), 'active');
  });

  it('leaves nothing on the broker when it is removed', async () => {
    await startNodeRed();
    await areThere();
    await settle();
    press('remove');
    await home.until(() => home.entities.size === 0);
    // Neither a birth message nor a state brings anything back.
    await home.publish('homeassistant/status', 'online');
    await (await behind('door')).carryOut('input', { name: 'relay1', state: 'closed' });
    while (!isSaid('algo-ha/front-door/input/state', 'active')) await once(await behind('door'), 'request');
    assert.deepEqual(await home.retained(), ['algo-ha/node-red/availability online']);
    press('announce');
    await areThere();
    await becomes('algo_front-door_input', 'active');
  });

  it('deletes a device that is no longer in the table', async () => {
    await startNodeRed();
    await areThere();
    const relay = { platform: 'switch', unique_id: 'algo_old', command_topic: 'algo-ha/old/relay/set' };
    const payload = { device: { identifiers: ['old'] }, origin: { name: 'we' }, components: { relay } };
    helper
      .getNode(id('for-broker'))
      .receive({ topic: 'homeassistant/device/algo_old/config', payload } as NodeMessage);
    await home.until(() => home.entities.has('algo_old'));
    press('announce');
    await home.until(() => !home.entities.has('algo_old'));
    await areThere();
  });

  describe('never opens a door for an old command:', () => {
    const withoutSwitch: Change = (node) =>
      node.id === id('asked') ? { ...node, wires: [[id('who')]] } : node;
    const oldProtocol: Change = (node) =>
      node.type === 'mqtt-broker' ? { ...node, protocolVersion: '4' } : node;
    const sessionKept: Change = (node) =>
      node.type === 'mqtt-broker'
        ? { ...node, protocolVersion: '4', cleansession: false, autoUnsubscribe: false, clientid: 'kept' }
        : node;
    const both =
      (one: Change, other: Change): Change =>
      (node) =>
        one(other(node));
    const retained: [name: string, change: Change, opens: boolean][] = [
      ['a retained one', asIs, false],
      ['a retained one, with MQTT 3.1.1', oldProtocol, false],
      ['a retained one, without the switch', withoutSwitch, false],
      ['but does with neither of both', both(oldProtocol, withoutSwitch), true],
    ];
    for (const [name, change, opens] of retained) {
      it(name, async () => {
        await home.publish(wanted, 'UNLOCK', { qos: 1, retain: true });
        await startNodeRed(change);
        await settle();
        assert.equal(await isOpened(), opens);
      });
    }

    it('a retained one, when the broker restarts', async () => {
      await mosquitto.stop();
      await mosquitto.start(
        [
          `listener ${mosquitto.port} 127.0.0.1`,
          'allow_anonymous true',
          'persistence true',
          `persistence_location ${mosquitto.directory}/`,
        ].join('\n'),
      );
      await startNodeRed();
      // Commands arrive by now: one that comes before the subscription is an old one.
      await settle();
      await home.publish(wanted, 'UNLOCK', { qos: 1, retain: true });
      // On a busy machine, both states can be heard together.
      await home.until(() => home.states('algo_front-door_door').join().includes('UNLOCKED,LOCKED'));
      const before = commandsOf(await behind('door')).length;
      await mosquitto.stop();
      await mosquitto.start();
      await home.publish('homeassistant/status', 'online');
      await settle();
      const after = commandsOf(await behind('door')).slice(before);
      assert.deepEqual(after, ['relay/enable', 'relay/disable']);
    });

    const queued: [name: string, change: Change, opens: boolean][] = [
      ['one that was sent while Node-RED was away', asIs, false],
      ['but does with a session that the broker keeps', sessionKept, true],
    ];
    for (const [name, change, opens] of queued) {
      it(name, async () => {
        await startNodeRed(change);
        await areThere();
        await stopFlow();
        await home.until(() => !home.isAvailable('algo_front-door_door'));
        await home.command('algo_front-door_door', 'UNLOCK');
        await startNodeRed(change);
        await settle();
        assert.equal(await isOpened(), opens);
      });
    }
  });

  it('publishes nothing where commands are awaited', async () => {
    await startNodeRed();
    await areThere();
    const entry = helper.getNode(id('for-broker'));
    for (const topic of [wanted, 'front-door', 'homeassistant/status'])
      entry.receive({ topic, payload: 'UNLOCK' } as NodeMessage);
    await settle();
    assert.ok(!(await isOpened()));
    const outs = example.filter(({ type }) => type === 'mqtt out');
    assert.deepEqual(
      outs.map(({ qos, retain }) => [qos, retain]),
      [['1', 'true']],
    );
  });
});

describe('the rules of Home Assistant, as the tests have them', () => {
  type Message = Parameters<typeof problemsOf>[0];
  const lock = {
    platform: 'lock',
    unique_id: 'a',
    name: null,
    command_topic: 'a/set',
    state_topic: 'a/state',
  };
  const good = {
    ...{ device: { identifiers: ['a'], name: 'A' }, origin: { name: 'we' }, components: { lock } },
    ...{ availability: [{ topic: 'a' }], availability_mode: 'all', qos: 1 },
  };
  const wrong: Record<string, object> = {
    'no origin': { ...good, origin: undefined },
    'no identifiers': { ...good, device: { name: 'A' } },
    'an unknown key of the device': { ...good, device: { ...good.device, firmware: '5' } },
    'no unique_id': { ...good, components: { lock: { ...lock, unique_id: undefined } } },
    'the old object_id': { ...good, components: { lock: { ...lock, object_id: 'a' } } },
    'a wildcard in a command topic': { ...good, components: { lock: { ...lock, command_topic: 'a/+/set' } } },
    'an unknown platform': { ...good, components: { lock: { ...lock, platform: 'door' } } },
    'both forms of the availability': { ...good, components: { lock: { ...lock, availability_topic: 'a' } } },
    'options that are missing': {
      ...good,
      components: { a: { platform: 'sensor', unique_id: 'a', state_topic: 'a', device_class: 'enum' } },
    },
  };

  it('accept a message that is right', () => {
    assert.deepEqual(problemsOf(good as unknown as Message), []);
  });
  for (const [name, message] of Object.entries(wrong)) {
    it(`refuse ${name}`, () => {
      assert.notDeepEqual(problemsOf(JSON.parse(JSON.stringify(message))), []);
    });
  }
});
