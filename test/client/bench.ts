import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Operation } from '../../src/catalogue/operation';
import { DeviceClient, type DeviceSettings, type Environment } from '../../src/client/client';
import type { DeviceError } from '../../src/client/errors';
import { listen } from '../listening';

/** A request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Counts the connections: requests with the same number came over the same socket. */
  readonly connection: number;
}

type Responder = (seen: Seen, response: http.ServerResponse, request: http.IncomingMessage) => void;

/** Undici 8 needs Node 22.19. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** The versions of undici that this Node can run. */
export const libraries =
  major > 22 || (major === 22 && minor >= 19) ? (['undici', 'undici-8'] as const) : (['undici'] as const);

/** Real servers and clients of one test, all on port 0, all closed by `clear`. */
export class Bench {
  readonly seen: Seen[] = [];
  connections = 0;
  /** So many were open at one time, as the server sees it. */
  mostOpen = 0;
  readonly #sockets = new Set<net.Socket>();
  readonly #servers: net.Server[] = [];
  readonly #clients: DeviceClient[] = [];

  constructor(private readonly library: (typeof libraries)[number] = 'undici') {}

  /** An HTTP server. Resolves to its URL. */
  async http(respond: Responder, host = '127.0.0.1'): Promise<string> {
    const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) =>
      this.#record(request, response, respond),
    );
    return `http://${await this.listen(server, host)}`;
  }

  /** An HTTPS server. Resolves to its URL. */
  async https(options: https.ServerOptions, respond: Responder, host = '127.0.0.1'): Promise<string> {
    const server = https.createServer({ keepAliveTimeout: 0, ...options }, (request, response) =>
      this.#record(request, response, respond),
    );
    return `https://${await this.listen(server, host)}`;
  }

  /** A TCP server. Resolves to host:port. */
  async tcp(onSocket: (socket: net.Socket) => void): Promise<string> {
    return this.listen(
      net.createServer((socket) => {
        socket.on('error', () => {});
        onSocket(socket);
        socket.resume();
      }),
    );
  }

  async listen(server: net.Server, host = '127.0.0.1'): Promise<string> {
    this.#servers.push(server);
    server.on('connection', (socket: net.Socket & { number?: number }) => {
      socket.number = ++this.connections;
      this.#sockets.add(socket);
      this.mostOpen = Math.max(this.mostOpen, this.#sockets.size);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    return listen(server, 0, host);
  }

  /** Resolves when no client has a socket open; never, while one has. */
  async disconnected(): Promise<void> {
    await Promise.all([...this.#sockets].map(closed));
  }

  /** Cuts every connection, as a device does that closes what is idle. Resolves when they are gone. */
  async cutConnections(): Promise<void> {
    const gone = [...this.#sockets].map(closed);
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(gone);
  }

  client(
    address: string,
    settings: Partial<DeviceSettings> = {},
    environment: Partial<Environment> = {},
  ): DeviceClient {
    const client = new DeviceClient(
      {
        name: 'Main entrance',
        address,
        auth: 'standard',
        password: 'algo',
        certificate: 'verify',
        timeoutMs: 5_000,
        ...settings,
      },
      { loadUndici: () => require(this.library), ...environment },
    );
    this.#clients.push(client);
    return client;
  }

  async clear(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(
      this.#servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))),
    );
    this.seen.length = 0;
    this.connections = 0;
    this.mostOpen = 0;
  }

  #record(request: http.IncomingMessage, response: http.ServerResponse, respond: Responder): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const socket = request.socket as net.Socket & { number?: number; _parent?: { number?: number } };
      const seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        connection: socket.number ?? socket._parent?.number ?? 0,
      };
      this.seen.push(seen);
      respond(seen, response, request);
    });
    request.on('error', () => {});
  }
}

/** Unlike `once`, an error that precedes the close does not matter. */
function closed(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const base = {
  id: 'test',
  title: '',
  description: '',
  section: '',
  firmware: '3.3',
  products: 'all',
  fields: {},
  required: [],
} as const;

/** An operation that may be done twice. */
export const unlock: Operation = {
  ...base,
  route: 'POST /api/controls/door/unlock',
  repeatable: true,
  urgent: false,
  answer: 'none',
};

/** An operation that must not be done twice. */
export const munlock: Operation = {
  ...base,
  route: 'POST /api/controls/door/munlock',
  repeatable: false,
  urgent: false,
  answer: 'none',
};

/** An operation that never waits. */
export const lock: Operation = {
  ...base,
  route: 'POST /api/controls/door/lock',
  repeatable: true,
  urgent: true,
  answer: 'none',
};

/** A read. */
export const about: Operation = {
  ...base,
  route: 'GET /api/info/about',
  repeatable: true,
  urgent: false,
  answer: 'json',
};

/** The error of a call that has to fail. */
export async function failureOf(call: Promise<unknown>): Promise<DeviceError> {
  const result = await call.then(
    (answer) => ({ answer }),
    (error: DeviceError) => ({ error }),
  );
  if ('error' in result) return result.error;
  throw new Error(`It should have failed, but answered ${JSON.stringify(result.answer)}`);
}
