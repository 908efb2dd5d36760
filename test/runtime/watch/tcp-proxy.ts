import { once } from 'node:events';
import net from 'node:net';
import { listen } from '../../fixtures/listening';

/** What stands between us and a device. `forbidden` answers as a device does whose interface is switched off. */
export type ProxyMode = 'open' | 'cut' | 'silent' | 'forbidden' | 'broken';

const answers: Partial<Record<ProxyMode, string>> = {
  forbidden: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n',
  broken: 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n',
};

/** The network before a device: a port that leads to it, or not. */
export class TcpProxy {
  #mode: ProxyMode = 'open';
  readonly #sockets = new Set<net.Socket>();
  readonly #server = net.createServer((socket) => this.#accept(socket));

  constructor(private readonly port: number) {}

  /** Resolves to the address. */
  async start(): Promise<string> {
    return `http://${await listen(this.#server)}`;
  }

  /** Connections that are open end with the change. */
  set mode(mode: ProxyMode) {
    this.#mode = mode;
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.mode = 'cut';
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: net.Socket): void {
    this.#keep(socket);
    const answer = answers[this.#mode];
    if (answer) socket.on('data', () => socket.write(answer));
    if (this.#mode === 'cut') socket.destroy();
    if (this.#mode !== 'open') return;
    const beyond = net.connect(this.port, '127.0.0.1');
    this.#keep(beyond);
    socket.pipe(beyond).pipe(socket);
    socket.on('close', () => beyond.destroy());
    beyond.on('close', () => socket.destroy());
  }

  #keep(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
