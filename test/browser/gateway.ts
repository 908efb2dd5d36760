import { connect, createServer, type Server } from 'node:net';
import { listen } from '../fixtures/listening';

/**
 * One address for one Node-RED after the other: a browser that knows the editor's megabytes by their address need
 * not read and compile them again.
 */
export class Gateway {
  #port = 0;

  private constructor(
    private readonly server: Server,
    private readonly address: string,
  ) {}

  static async open(): Promise<Gateway> {
    const server = createServer((socket) => {
      const behind = connect(gateway.#port, '127.0.0.1');
      socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
      behind.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    });
    const gateway: Gateway = new Gateway(server, await listen(server));
    return gateway;
  }

  /** Leads to this address from now on. Gives the one that leads there. */
  leadTo(address: string): string {
    const url = new URL(address);
    this.#port = Number(url.port);
    url.host = this.address;
    return url.href;
  }

  close(): void {
    this.server.close();
  }
}
