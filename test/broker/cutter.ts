import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../fixtures/listening';

/** MQTT's packet type of an acknowledgement. */
const puback = 4;

/**
 * Between a client and a broker: lets acknowledgements of the broker vanish, and cuts the connection instead; cuts the
 * link, or lets it stall as a radio link does: nothing arrives, and neither end notices.
 */
export class Cutter {
  /** So many acknowledgements are cut. */
  cuts = 0;
  #isCut = false;
  #isStalled = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));
  port = 0;

  static async to(port: number): Promise<Cutter> {
    const cutter = new Cutter(port);
    cutter.port = Number((await listen(cutter.#server)).split(':').at(-1));
    return cutter;
  }

  private constructor(private readonly target: number) {}

  async end(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  goOn(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(client: Socket): void {
    client.on('error', () => {});
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const broker = connect(this.target, '127.0.0.1');
    for (const socket of [client, broker]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        broker.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => broker.write(chunk));
    if (this.#isStalled) for (const socket of [client, broker]) socket.pause();
    let rest = Buffer.alloc(0);
    broker.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (
        let length = lengthOf(rest);
        length !== undefined && length <= rest.length;
        length = lengthOf(rest)
      ) {
        const packet = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (this.cuts > 0 && (packet[0] ?? 0) >> 4 === puback) {
          this.cuts -= 1;
          client.destroy();
          return;
        }
        client.write(packet);
      }
    });
  }
}

/** Of the first packet, its head included; undefined where that is not known yet. */
function lengthOf(bytes: Buffer): number | undefined {
  let length = 0;
  for (let index = 1; index <= 4; index += 1) {
    const byte = bytes[index];
    if (byte === undefined) return undefined;
    length += (byte & 127) * 128 ** (index - 1);
    if (byte < 128) return 1 + index + length;
  }
  return undefined;
}
