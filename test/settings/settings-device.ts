import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { NodeConfig } from '../fixtures/flow';
import { end, listen, ownHost } from '../fixtures/listening';

/** One request, as the next write or read gets it. */
export type Fault =
  /** The device has stored the values, but its answer is lost. */
  | 'lost-after'
  /** The device has stored nothing, and there is no answer. */
  | 'lost-before'
  /** The device has stored the first value only, and its answer is lost. */
  | 'half'
  | 'refused'
  /** The device refuses, but has stored the first value. */
  | 'refused-half';

/** A device that has settings and nothing else. It keeps no secret. */
export class SettingsDevice {
  /** The requests, in order: `GET name`, `PUT name,name`, `reload`. */
  readonly requests: string[] = [];
  readonly settings = new Map<string, string>();
  /** The faults of the next writes, in order. */
  readonly faults: Fault[] = [];
  /** Called before a request is carried out. */
  onRequest: (request: string) => void = () => {};
  /** Returns the value that the device stores in place of the written one. */
  stores: (name: string, value: string) => string = (_name, value) => value;
  /** Whether a written value is read only after a reload, and how many reads later. */
  readsLate = 0;
  /** How many reads break the connection. */
  lostReads = 0;
  readonly #late = new Map<string, { readonly before: string; reads: number }>();
  readonly #server = createServer((request, response) => this.#receive(request, response));
  #address = '';

  constructor(readonly name: string) {}

  async open(): Promise<void> {
    this.#address = await listen(this.#server, 0, ownHost);
  }

  async close(): Promise<void> {
    await end(this.#server);
  }

  config(more: Record<string, unknown> = {}): NodeConfig {
    const about = { address: `http://${this.#address}`, model: '8301', firmware: '5.7', auth: 'none' };
    return { id: `${this.name} node`, type: 'algo-device', name: this.name, ...about, ...more };
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const name = decodeURIComponent(url.split('/').at(-1) ?? '');
      const text = Buffer.concat(chunks).toString();
      if (method === 'PUT') this.#write(JSON.parse(text), response);
      else if (method === 'GET') this.#read(name, response);
      else this.#reload(name, response);
    });
  }

  #read(name: string, response: ServerResponse): void {
    this.#note(`GET ${name}`);
    if (this.lostReads > 0) {
      this.lostReads -= 1;
      response.socket?.destroy();
      return;
    }
    const late = this.#late.get(name);
    if (late && late.reads > 0) {
      late.reads -= 1;
      response.end(JSON.stringify({ [name]: late.before }));
      return;
    }
    const value = this.settings.get(name);
    if (value === undefined) response.statusCode = 404;
    response.end(value === undefined ? '' : JSON.stringify({ [name]: value }));
  }

  #write(values: Record<string, string>, response: ServerResponse): void {
    const names = Object.keys(values);
    this.#note(`PUT ${names.join(',')}`);
    const fault = this.faults.shift();
    const stored =
      fault === 'lost-before' || fault === 'refused'
        ? []
        : fault?.endsWith('half')
          ? names.slice(0, 1)
          : names;
    for (const name of stored) {
      if (this.readsLate > 0)
        this.#late.set(name, { before: this.settings.get(name) ?? '', reads: this.readsLate });
      this.settings.set(name, this.stores(name, values[name] ?? ''));
    }
    if (fault === 'refused' || fault === 'refused-half') response.statusCode = 400;
    if (fault === undefined || fault.startsWith('refused')) response.end();
    else response.socket?.destroy();
  }

  #reload(name: string, response: ServerResponse): void {
    this.#note(name);
    response.end('{}');
  }

  #note(request: string): void {
    this.onRequest(request);
    this.requests.push(request);
  }
}
