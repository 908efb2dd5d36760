import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VirtualDevice } from '../device';
import { faultKinds } from '../faults/fault';
import type { LogEntry } from '../log/entry';
import { models } from '../product/models';
import { panelHeaders, type Viewer } from './viewer';

/** How often a panel hears of changes at most, in milliseconds: a storm of requests must not drown it. */
const paceMs = 100;

/** Bytes that may wait for a panel that does not read; then it is let go, and comes back by itself. */
const maxWaitingBytes = 4 * 1024 * 1024;

const maxLogEntries = 200;

/** How often a silent stream says that it is still there, in milliseconds: proxies end what is silent. */
const defaultHeartbeatMs = 15_000;

/**
 * Tells a panel, by server-sent events, what the device does, until one of them is gone or the viewer may not
 * stay; that is asked with every beat, in milliseconds.
 */
export function streamEvents(
  device: VirtualDevice,
  request: IncomingMessage,
  response: ServerResponse,
  viewer: Viewer,
  beatMs = defaultHeartbeatMs,
): void {
  response.writeHead(200, {
    ...panelHeaders,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const stream = new EventStream(device, response, viewer, beatMs);
  request.once('close', () => stream.leave());
  response.once('close', () => stream.leave());
  stream.begin();
}

/** What one panel is told. */
class EventStream {
  readonly #device: VirtualDevice;
  readonly #response: ServerResponse;
  readonly #viewer: Viewer;
  readonly #beat: NodeJS.Timeout;
  #requests: LogEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #onChange = (): void => this.#note();
  readonly #onRequest = (entry: LogEntry): void => {
    this.#requests.push(entry);
    this.#note();
  };
  readonly #onHappened = (words: string): void => this.#tell('happened', words);
  readonly #onStopped = (): void => this.end();

  constructor(device: VirtualDevice, response: ServerResponse, viewer: Viewer, beatMs: number) {
    this.#device = device;
    this.#response = response;
    this.#viewer = viewer;
    this.#beat = setInterval(() => this.#stay(), beatMs);
    device.on('request', this.#onRequest).on('change', this.#onChange).on('control', this.#onChange);
    device.on('happened', this.#onHappened).on('trouble', this.#onHappened).on('stopped', this.#onStopped);
  }

  /** Tells what does not change, what has been, and what is. */
  begin(): void {
    this.#response.write('retry: 1000\n\n');
    this.#tell('hello', {
      mayChange: this.#viewer.mayChange,
      models: models.map(({ number, productName }) => ({ number, name: productName })),
      faultKinds,
      log: this.#device.log.slice(-maxLogEntries),
    });
    this.#tell('snapshot', this.#device.snapshot());
  }

  /** Hears nothing more of the device. */
  leave(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    const device = this.#device;
    device.off('request', this.#onRequest).off('change', this.#onChange).off('control', this.#onChange);
    device.off('happened', this.#onHappened).off('trouble', this.#onHappened).off('stopped', this.#onStopped);
  }

  /** What is told after an end would take the host process down, and a panel that does not read never ends. */
  end(): void {
    this.leave();
    if (this.#response.writableLength === 0) this.#response.end();
    else this.#response.destroy();
  }

  #stay(): void {
    if (this.#viewer.mayStay()) this.#response.write(': still here\n\n');
    else this.end();
  }

  #note(): void {
    this.#timer ??= setTimeout(() => this.#flush(), paceMs);
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#requests.length > 0) this.#tell('requests', this.#requests.slice(-maxLogEntries));
    this.#requests = [];
    this.#tell('snapshot', this.#device.snapshot());
  }

  #tell(event: string, data: unknown): void {
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy();
    else this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
