import net from 'node:net';
import { listen } from '../../listening';

/** A server at every address of this computer that holds each connection until it is told to let go. */
export class Holder {
  open = 0;
  most = 0;
  total = 0;
  readonly #held = new Set<net.Socket>();
  readonly #server = net.createServer((socket) => this.#take(socket));
  #told = () => {};

  async start(): Promise<number> {
    return Number((await listen(this.#server, 0, '0.0.0.0')).split(':')[1]);
  }

  #take(socket: net.Socket): void {
    this.open += 1;
    this.total += 1;
    this.most = Math.max(this.most, this.open);
    this.#held.add(socket);
    socket.on('error', () => {}).resume();
    socket.once('close', () => this.#forget(socket));
    this.#told();
  }

  #forget(socket: net.Socket): void {
    if (this.#held.delete(socket)) this.open -= 1;
    this.#told();
  }

  /** It counts as closed before the other side can know. */
  letGo(): void {
    for (const socket of this.#held) {
      this.#forget(socket);
      socket.destroy();
    }
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  stop(): Promise<unknown> {
    this.letGo();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
