import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VirtualDevice } from '../device';
import { faultKinds } from '../faults/fault';
import type { CallEntry } from '../log/call-entry';
import type { LogEntry } from '../log/entry';
import { models } from '../product/models';
import { panelHeaders, type Viewer } from './viewer';

/** Minimum interval between two updates of a panel in milliseconds, a throttle for bursts of requests. */
const paceMs = 100;

/**
 * Maximum number of unsent bytes for a panel that does not read. Beyond the limit, the server closes the
 * connection, and the panel reconnects.
 */
const maxWaitingBytes = 4 * 1024 * 1024;

const maxLogEntries = 200;

/** Interval of the heartbeat in milliseconds. Without a heartbeat, proxies close silent connections. */
const defaultHeartbeatMs = 15_000;

/**
 * Sends the activity of a device to a panel as server-sent events. The stream ends with the device, the
 * connection or the viewer's permission; each heartbeat checks the permission.
 * @param beatMs interval of the heartbeat, in milliseconds
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

class EventStream {
  readonly #device: VirtualDevice;
  readonly #response: ServerResponse;
  readonly #viewer: Viewer;
  readonly #beat: NodeJS.Timeout;
  #requests: LogEntry[] = [];
  #calls: CallEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #onChange = (): void => this.#record();
  readonly #onRequest = (entry: LogEntry): void => {
    this.#requests.push(entry);
    this.#record();
  };
  readonly #onCall = (entry: CallEntry): void => {
    this.#calls.push(entry);
    this.#record();
  };
  readonly #onHappened = (words: string): void => this.#notify('happened', words);
  readonly #onStopped = (): void => this.end();

  constructor(device: VirtualDevice, response: ServerResponse, viewer: Viewer, beatMs: number) {
    this.#device = device;
    this.#response = response;
    this.#viewer = viewer;
    this.#beat = setInterval(() => this.#stay(), beatMs);
    device.on('request', this.#onRequest).on('call', this.#onCall);
    device.on('change', this.#onChange).on('control', this.#onChange);
    device.on('happened', this.#onHappened).on('trouble', this.#onHappened).on('stopped', this.#onStopped);
  }

  begin(): void {
    this.#response.write('retry: 1000\n\n');
    this.#notify('hello', {
      mayChange: this.#viewer.mayChange,
      models: models.map(({ number, productName }) => ({ number, name: productName })),
      faultKinds,
      log: this.#device.log.slice(-maxLogEntries),
      calls: this.#device.calls.slice(-maxLogEntries),
    });
    this.#notify('snapshot', this.#device.snapshot());
  }

  leave(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    const device = this.#device;
    device.off('request', this.#onRequest).off('call', this.#onCall);
    device.off('change', this.#onChange).off('control', this.#onChange);
    device.off('happened', this.#onHappened).off('trouble', this.#onHappened).off('stopped', this.#onStopped);
  }

  /** Removes the listeners first, since a write after the end would end the process. */
  end(): void {
    this.leave();
    if (this.#response.writableLength === 0) this.#response.end();
    else this.#response.destroy();
  }

  #stay(): void {
    if (this.#viewer.mayRead()) this.#response.write(': still here\n\n');
    else this.end();
  }

  #record(): void {
    this.#timer ??= setTimeout(() => this.#flush(), paceMs);
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#requests.length > 0) this.#notify('requests', this.#requests.slice(-maxLogEntries));
    if (this.#calls.length > 0) this.#notify('calls', this.#calls.slice(-maxLogEntries));
    this.#requests = [];
    this.#calls = [];
    this.#notify('snapshot', this.#device.snapshot());
  }

  #notify(event: string, data: unknown): void {
    if (this.#response.writableLength > maxWaitingBytes) this.#response.destroy();
    else this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
