import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { end, listen, ownHost } from '../listening';
import type { NodeConfig } from '../nodes/flow';

/** A request as a device got it. */
export interface Heard {
  readonly device: string;
  /** The last two parts of its path: `door/unlock`. */
  readonly deed: string;
  readonly parameters: Record<string, unknown>;
}

/** What a device makes of a request: a status, no answer until it is released, or a connection that breaks. */
export type Temper = number | 'hold' | 'reset';

/** What the reads that tests use are answered with. */
const readings: Record<string, (device: FakeDevice) => unknown> = {
  'info/about': ({ name, model, firmware }) => ({
    'Product Name': `Algo ${model} ${name}`,
    'Firmware Version': firmware,
  }),
  'info/tonelist': ({ name }) => ({ tonelist: [`${name}.wav`] }),
  'info/input.relay.status': () => ({ 'input.relay.status': 'idle' }),
  'event/status': () => ({ active: [] }),
  'info/status': ({ name, status }) => ({ 'Device Name': name, 'Call Status': status }),
};

/** Where devices of this process have listened. */
const ports = new Set<number>();

/** A device that keeps no secret, does what the test wants with each request, and writes all of them down. */
export class FakeDevice {
  readonly heard: Heard[] = [];
  temper: (heard: Heard) => Temper = () => 200;
  /** What its status says of calls. */
  status = 'Idle';
  /** Most requests at once, and most connections at once, so far. */
  mostUnderWay = 0;
  mostConnections = 0;
  underWay = 0;
  /** Of its node. Never its name: Node-RED takes that for a circle. */
  id: string;
  readonly #held: { readonly heard: Heard; readonly response: ServerResponse }[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => this.#onRequest(request, response));
  #port = 0;

  constructor(
    readonly name: string,
    public model: string,
    readonly firmware: string,
    private readonly tell: (heard?: Heard) => void,
  ) {
    this.id = name.toLowerCase().replaceAll(' ', '-');
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      this.mostConnections = Math.max(this.mostConnections, this.#sockets.size);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get address(): string {
    return `http://${ownHost}:${this.#port}`;
  }

  /** What it was told and asked, in order, but for the question who it is. */
  get deeds(): string[] {
    return this.heard.map(({ deed }) => deed).filter((deed) => deed !== 'info/about');
  }

  /** Deeds that have no answer yet. */
  get held(): string[] {
    return this.#held.map(({ heard }) => heard.deed);
  }

  /** Lets it listen, at the port that it had before, else at one that none had: what is owed to one is sent there. */
  async open(): Promise<void> {
    const address = await listen(this.#server, this.#port, ownHost);
    const port = Number(address.split(':').at(-1));
    if (port !== this.#port && ports.has(port)) {
      await end(this.#server);
      return this.open();
    }
    ports.add(port);
    this.#port = port;
  }

  /** From now on connections are refused. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Answers the oldest request that is held, or the oldest with this deed. */
  release(deed?: string, status = 200): void {
    const index = this.#held.findIndex(({ heard }) => deed === undefined || heard.deed === deed);
    const [held] = index < 0 ? [] : this.#held.splice(index, 1);
    assert.ok(held, `${this.name} holds no ${deed ?? 'request'}`);
    this.#answer(held.heard, held.response, status);
  }

  /** Answers all that is held, and holds nothing any more. */
  releaseAll(): void {
    this.temper = () => 200;
    while (this.#held.length > 0) this.release();
  }

  /** Breaks the connection of the oldest request that is held. */
  drop(): void {
    this.#held.shift()?.response.socket?.destroy();
  }

  /** The node that means this device; nothing needs to be asked about it. */
  config(more: Record<string, unknown> = {}): NodeConfig {
    const { id, name, address, model, firmware } = this;
    return { id, type: 'algo-device', name, address, auth: 'none', model, firmware, ...more };
  }

  /** The same as a row of a group. */
  row(more: Record<string, unknown> = {}): Record<string, unknown> {
    return { name: this.name, address: this.address, tags: '', ...more };
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    response.on('close', () => {
      this.underWay -= 1;
      this.tell();
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const deed = new URL(request.url ?? '', 'http://device').pathname.split('/').slice(-2).join('/');
      const parameters = text.startsWith('{') ? JSON.parse(text) : {};
      const heard = { device: this.name, deed, parameters };
      this.heard.push(heard);
      const temper = this.temper(heard);
      if (temper === 'hold') this.#held.push({ heard, response });
      else if (temper === 'reset') response.socket?.destroy();
      else this.#answer(heard, response, temper);
      this.tell(heard);
    });
  }

  #answer({ deed }: Heard, response: ServerResponse, status: number): void {
    const reading = status === 200 ? readings[deed]?.(this) : undefined;
    response.statusCode = status;
    if (reading) response.setHeader('Content-Type', 'application/json');
    response.end(reading ? JSON.stringify(reading) : undefined);
  }
}
