import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from '../fixtures/listening';

const begin = Buffer.from('POST /api/schedules ');

/** Passes connections on to a device, and cuts the one with a change of its schedule at a given byte. */
export class Cutter {
  /** Bytes of the change and of its answer that were passed on. */
  passed = { asked: 0, answered: 0 };
  /** After so many bytes, of the request or of its answer, the connection is cut; once. */
  cut: { readonly asked: number } | { readonly answered: number } | undefined;
  /** Nobody is let through after that. */
  isLast = false;
  #isShut = false;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(private readonly to: string) {
    this.#server = createServer((client) => this.#serve(client));
  }

  async start(): Promise<string> {
    return `http://${await listen(this.#server)}`;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(client: Socket): void {
    if (this.#isShut) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(this.to);
    const device = connect(Number(port), hostname);
    let isChange = false;
    const end = () => {
      client.destroy();
      device.destroy();
    };
    for (const socket of [client, device]) {
      this.#sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    const pass = (way: 'asked' | 'answered', chunk: Buffer, to: Socket) => {
      const most =
        isChange && this.cut && way in this.cut ? (this.cut as Record<string, number>)[way] : undefined;
      const left = most === undefined ? chunk.length : Math.min(chunk.length, most - this.passed[way]);
      if (isChange) this.passed[way] += left;
      to.write(chunk.subarray(0, left), () => {
        if (most === undefined || this.passed[way] < most) return;
        this.cut = undefined;
        this.#isShut = this.isLast;
        end();
      });
    };
    client.on('data', (chunk) => {
      if (chunk.subarray(0, begin.length).equals(begin)) {
        isChange = true;
        this.passed = { asked: 0, answered: 0 };
      } else if (/^[A-Z]+ \//.test(chunk.subarray(0, 8).toString('latin1'))) isChange = false;
      pass('asked', chunk, device);
    });
    device.on('data', (chunk) => pass('answered', chunk, client));
  }
}
