import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeConfig } from '../fixtures/flow';
import { end, listen, ownHost } from '../fixtures/listening';
import { wav } from './sounds';

/** A status, no answer until the request is released, or a broken connection. `lost`: done, but not answered. */
export type Temper = number | 'hold' | 'reset' | 'lost';

interface Asked {
  readonly words: string;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

/**
 * A device with a volume, a text over its screen, tones and files. It asks nobody for a password, and writes all
 * requests down but those for its identity.
 */
export class Speaker {
  readonly heard: string[] = [];
  volumes: Record<string, string> = { 'audio.page.vol': '-30dB', 'audio.vol.spk': '-9dB' };
  text: string | undefined;
  readonly files = new Map<string, Buffer>([
    ['chime.wav', wav(40)],
    ['gong.wav', wav(80)],
    ['long.wav', wav(60_000)],
  ]);
  /** Called with the words of each request. */
  temper: (words: string) => Temper = () => 200;
  onHeard: () => void = () => {};
  /** Called when an upload begins. The device reads on when the promise resolves. */
  onUpload: (() => Promise<unknown>) | undefined;
  /** The number of uploads that were cut off. */
  cutOff = 0;
  readonly #held: Asked[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => this.#onRequest(request, response));
  #port = 0;

  constructor(
    readonly name: string,
    readonly model = '8301',
    readonly firmware = '5.7',
  ) {
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get id(): string {
    return this.name.toLowerCase().replaceAll(' ', '-');
  }

  async open(): Promise<this> {
    const address = await listen(this.#server, this.#port, ownHost);
    this.#port = Number(address.split(':').at(-1));
    return this;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = end(this.#server);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  config(more: Record<string, unknown> = {}): NodeConfig {
    const { id, name, model, firmware } = this;
    const address = `http://${ownHost}:${this.#port}`;
    return { id, type: 'algo-device', name, address, auth: 'none', model, firmware, ...more };
  }

  /** What was heard since the last look. */
  look(): string[] {
    return this.heard.splice(0);
  }

  /** Answers the oldest request that is held. */
  release(status = 200): void {
    const asked = this.#held.shift();
    if (!asked) throw new Error('no request is held');
    this.#answer(asked, status);
  }

  releaseAll(): void {
    this.temper = () => 200;
    while (this.#held.length > 0) this.release();
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    if (request.method === 'PUT' && request.url?.startsWith('/api/files/') && this.onUpload) {
      request.once('data', () => request.pause());
      void this.onUpload().then(() => request.resume());
    }
    // An upload that is cut off leaves the bytes that came, under the final name.
    request.on('aborted', () => {
      const words = wordsOf(request, Buffer.alloc(0));
      if (!words.startsWith('put ')) return;
      this.cutOff += 1;
      this.files.set(words.slice('put '.length), Buffer.concat(chunks));
    });
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const words = wordsOf(request, body);
      if (words !== 'info/about') this.heard.push(words);
      this.#obey({ words, body, response });
      this.onHeard();
    });
    request.on('error', () => {});
  }

  #obey(asked: Asked): void {
    const temper = this.temper(asked.words);
    if (temper === 'hold') this.#held.push(asked);
    else if (temper === 'reset') asked.response.socket?.destroy();
    else if (temper === 'lost') {
      this.#carryOut(asked);
      asked.response.socket?.destroy();
    } else this.#answer(asked, temper);
  }

  #answer(asked: Asked, status: number): void {
    const answer = status === 200 ? this.#carryOut(asked) : { status };
    const { response } = asked;
    if ('content' in answer) response.end(answer.content);
    else if ('status' in answer) response.writeHead(answer.status).end();
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer.json));
  }

  #carryOut({ words, body }: Asked): { json: unknown } | { status: number } | { content: Buffer } {
    const [operation = '', subject = ''] = words.split(' ');
    const given = () => JSON.parse(body.toString()) as Record<string, string>;
    if (operation === 'info/about')
      return { json: { 'Product Name': `Algo ${this.model}`, 'Firmware Version': this.firmware } };
    if (operation === 'info/tonelist') return { json: { tonelist: [...this.files.keys()] } };
    if (operation === 'volume') return { json: { [subject]: this.volumes[subject] } };
    if (operation === 'set') Object.assign(this.volumes, given());
    if (operation === 'text') this.text = given().textContent;
    if (operation === 'no-text') this.text = undefined;
    if (operation === 'play') return { status: this.files.has(subject) ? 200 : 404 };
    if (operation === 'list') return { json: { filelist: [...this.files.keys()] } };
    if (operation === 'put') this.files.set(subject, body);
    if (operation === 'delete') this.files.delete(subject);
    const file = this.files.get(subject);
    if (operation === 'get') return file ? { content: file } : { status: 404 };
    if (operation === 'md5') {
      const md5sum = file && createHash('md5').update(file).digest('hex');
      return md5sum === undefined ? { status: 404 } : { json: { md5sum } };
    }
    return { status: 200 };
  }
}

const simple: Record<string, string> = {
  'GET /api/info/about': 'info/about',
  'GET /api/info/tonelist': 'info/tonelist',
  'GET /api/files/tones': 'list',
  'POST /api/controls/screen-text/stop': 'no-text',
  'POST /api/controls/tone/stop': 'stop',
};

/** A request in a few words. */
function wordsOf({ method = '', url = '' }: IncomingMessage, body: Buffer): string {
  const line = `${method} ${url}`;
  const known = simple[line];
  if (known) return known;
  const name = decodeURIComponent(url.split('/').at(-1) ?? '');
  if (line.startsWith('GET /api/settings/')) return `volume ${name}`;
  if (line.startsWith('GET /api/files/tones/')) return `get ${name}`;
  if (line.startsWith('PUT /api/files/tones/')) return `put ${name}`;
  if (line.startsWith('GET /api/file-md5sum/tones/')) return `md5 ${name}`;
  const given = JSON.parse(body.toString() || '{}') as Record<string, string>;
  if (line === 'PUT /api/settings') return `set ${Object.values(given).join(' ')}`;
  if (line === 'DELETE /api/files/') return `delete ${given.path?.replace('tones/', '')}`;
  if (line === 'POST /api/controls/tone/start') {
    // A tone that does not loop needs no words.
    const isNews = ([key, value]: [string, unknown]) =>
      key !== 'path' && !(key === 'loop' && value === false);
    const more = Object.entries(given).filter(isNews);
    return `play ${given.path}${more.map(([key, value]) => ` ${key}=${JSON.stringify(value)}`).join('')}`;
  }
  if (line === 'POST /api/controls/screen-text/start') return `text ${given.textContent}`;
  return line;
}
