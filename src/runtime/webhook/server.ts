import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeAPI } from 'node-red';
import { describeFault } from '../../client/errors';
import { backgroundClock } from '../../kernel/time/clock';
import { onSettled } from '../device/registry';
import { Reception } from './reception';
import { type Roots, rootOf } from './settings';
import { serveWithoutUpgrade } from './upgrade';

/** Only tests have several servers in one process. */
const receptions = new WeakMap<Server, Reception>();

export function rootsIn({ settings }: Pick<NodeAPI, 'settings'>): Roots {
  const { httpNodeRoot = '/', httpAdminRoot = '/' } = Object(settings) as {
    readonly httpNodeRoot?: string | false;
    readonly httpAdminRoot?: string | false;
  };
  return { node: httpNodeRoot, admin: httpAdminRoot };
}

/**
 * Returns the reception of Node-RED's server; undefined if Node-RED has no server. The reception stays installed
 * at the server, since another package might have wrapped the request listener of the reception.
 */
export function receptionOf(RED: NodeAPI): Reception | undefined {
  const { server } = RED as { readonly server?: Server };
  if (!server) return undefined;
  const reception = receptions.get(server) ?? install(RED, server);
  receptions.set(server, reception);
  return reception;
}

function install(RED: NodeAPI, server: Server): Reception {
  const warn = (line: string) => RED.log.warn(`[algo-webhook] ${line}`);
  const reception = new Reception(
    warn,
    backgroundClock,
    (request) => RED.settings.disableEditor !== true && isOfEditor(request, rootsIn(RED)),
  );
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    reception.handle(request, response, () => {
      for (const listener of others) listener.call(server, request, response);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const isAlone = server.listenerCount('upgrade') === 1;
    if (isAlone || reception.serves(request)) serveWithoutUpgrade(server, request, socket, head);
  });
  const begin = () => reception.beginDeploy();
  RED.events.on('flows:stopping', begin);
  const endSettling = onSettled(RED, () => {
    try {
      reception.settle(placesIn(RED));
    } catch (fault) {
      warn(describeFault(fault));
    }
  });
  server.on('close', () => {
    RED.events.off('flows:stopping', begin);
    endSettling();
  });
  return reception;
}

/**
 * Whether the page of the editor has sent a request, according to the `Referer` header. Compares texts, since
 * a URL parser takes quadratic time for some hosts.
 */
function isOfEditor({ headers: { referer = '', host } }: IncomingMessage, { admin }: Roots): boolean {
  const start = ['http', 'https']
    .map((scheme) => `${scheme}://${host}/`)
    .find((one) => referer.startsWith(one));
  if (admin === false || start === undefined) return false;
  const [path = ''] = referer.slice(start.length - 1).split(/[?#]/, 1);
  return rootOf(path) === rootOf(admin);
}

/** Returns a function that returns the position of a node in the flows. A node in a subflow comes last. */
function placesIn(RED: NodeAPI): (nodeId: string) => number {
  const places = new Map<string, number>();
  RED.nodes.eachNode(({ id }) => void places.set(id, places.size));
  return (nodeId) => places.get(nodeId) ?? Number.MAX_SAFE_INTEGER;
}
