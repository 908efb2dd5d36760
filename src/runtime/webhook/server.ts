import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeAPI } from 'node-red';
import { describeFault } from '../../client/errors';
import { backgroundClock } from '../../time/clock';
import { HostAddresses } from './callers';
import { Reception } from './reception';
import { type Roots, rootOf } from './settings';
import { serveWithoutUpgrade } from './upgrade';

export interface WebhookServer {
  readonly reception: Reception;
  readonly addresses: HostAddresses;
}

/** The reception and the address cache of each server. Only tests have several servers in one process. */
const opened = new WeakMap<Server, WebhookServer>();

/** For each Node-RED, a function that ends the listening to its deploys. */
const followed = new WeakMap<object, () => void>();

export function rootsIn({ settings }: Pick<NodeAPI, 'settings'>): Roots {
  const { httpNodeRoot = '/', httpAdminRoot = '/' } = Object(settings) as {
    readonly httpNodeRoot?: string | false;
    readonly httpAdminRoot?: string | false;
  };
  return { node: httpNodeRoot, admin: httpAdminRoot };
}

/**
 * Returns the reception and the address cache of Node-RED's server; undefined if Node-RED has no server. The
 * reception stays installed at the server, since another package might have wrapped the request listener of
 * the reception.
 */
export function webhooksOf(RED: NodeAPI): WebhookServer | undefined {
  const { server } = RED as { readonly server?: Server };
  if (!server) return undefined;
  const found = opened.get(server) ?? install(RED, server);
  followDeploys(RED, found.reception);
  return found;
}

function install(RED: NodeAPI, server: Server): WebhookServer {
  const reception = new Reception(
    (line) => RED.log.warn(`[algo-webhook] ${line}`),
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
  const found = { reception, addresses: new HostAddresses() };
  opened.set(server, found);
  return found;
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

function followDeploys(RED: NodeAPI, reception: Reception): void {
  followed.get(RED.events)?.();
  const settle = () => {
    try {
      reception.settle(placesIn(RED));
    } catch (fault) {
      RED.log.warn(`[algo-webhook] ${describeFault(fault)}`);
    }
  };
  const begin = () => reception.beginDeploy();
  RED.events.on('flows:stopping', begin);
  RED.events.on('flows:started', settle);
  followed.set(RED.events, () => {
    RED.events.off('flows:stopping', begin);
    RED.events.off('flows:started', settle);
  });
}

/** Returns a function that returns the position of a node in the flows. A node in a subflow comes last. */
function placesIn(RED: NodeAPI): (nodeId: string) => number {
  let places: Map<string, number> | undefined;
  return (nodeId) => {
    if (!places) {
      const found = new Map<string, number>();
      RED.nodes.eachNode(({ id }) => void found.set(id, found.size));
      places = found;
    }
    return places.get(nodeId) ?? Number.MAX_SAFE_INTEGER;
  };
}
