import type { NodeConfig } from '../fixtures/flow';

/** A time to live, in seconds, that no job exceeds on a busy machine. Only a test of the expiry has a shorter one. */
export const ample = 600;

const onTab = { z: 'tab', x: 100, y: 100 };

/** Core's MQTT nodes, of the Node-RED that the tests run with. */
export function coreMqtt(): unknown {
  const nodes = require.resolve('@node-red/nodes/package.json', {
    paths: [require.resolve(process.env.ALGO_NODE_RED || 'node-red')],
  });
  return require(nodes.replace('package.json', 'core/network/10-mqtt.js'));
}

/** A broker node. Each is a connection of its own. */
export function broker(id: string, port: number, more: Record<string, unknown> = {}): NodeConfig {
  return {
    id,
    type: 'mqtt-broker',
    name: '',
    broker: '127.0.0.1',
    port: String(port),
    clientid: '',
    autoConnect: true,
    usetls: false,
    protocolVersion: '5',
    keepalive: '60',
    cleansession: true,
    ...more,
  };
}

/** A site's instance; its jobs go to `jobs`, its states to `states`. */
export function site(id: string, more: Record<string, unknown> = {}): NodeConfig {
  return {
    ...onTab,
    id,
    type: 'algo-site',
    broker: 'site broker',
    site: 'north',
    wires: [['jobs'], ['states']],
    ...more,
  };
}

/** The centre; what comes late goes to `late`. */
export function remote(id: string, job: object, more: Record<string, unknown> = {}): NodeConfig {
  const own = {
    broker: 'centre broker',
    sites: ['north'],
    devices: ['A'],
    ttl: ample,
    operation: 'told by the job',
  };
  return { ...onTab, id, type: 'algo-remote', job, wires: [['out'], ['late']], ...own, ...more };
}

/** What keeps what reaches it. */
export function inbox(id: string): NodeConfig {
  return { ...onTab, id, type: 'helper' };
}

/** A job that must not be done twice, told apart by its file. */
export const play = { operation: 'tone/start', parametersType: 'msg', parameters: 'payload' };

/** A job that may be done twice. */
export const flash = { operation: 'strobe/stop' };
