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
  let requests: LogEntry[] = [];
  let calls: CallEntry[] = [];
  let timer: NodeJS.Timeout | undefined;

  const send = (event: string, data: unknown): void => {
    if (response.writableLength > maxWaitingBytes) response.destroy();
    else response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const flush = (): void => {
    timer = undefined;
    if (requests.length > 0) send('requests', requests.slice(-maxLogEntries));
    if (calls.length > 0) send('calls', calls.slice(-maxLogEntries));
    requests = [];
    calls = [];
    send('snapshot', device.snapshot());
  };
  const onChange = (): void => {
    timer ??= setTimeout(flush, paceMs);
  };
  const onRequest = (entry: LogEntry): void => {
    requests.push(entry);
    onChange();
  };
  const onCall = (entry: CallEntry): void => {
    calls.push(entry);
    onChange();
  };
  const onHappened = (words: string): void => send('happened', words);
  const leave = (): void => {
    clearTimeout(timer);
    clearInterval(heartbeat);
    device.off('request', onRequest).off('call', onCall).off('change', onChange).off('control', onChange);
    device.off('happened', onHappened).off('trouble', onHappened).off('stopped', end);
  };
  // Removes the listeners first, since a write after the end would end the process.
  const end = (): void => {
    leave();
    if (response.writableLength === 0) response.end();
    else response.destroy();
  };
  const heartbeat = setInterval(() => {
    if (viewer.mayRead()) response.write(': still here\n\n');
    else end();
  }, beatMs);

  device.on('request', onRequest).on('call', onCall).on('change', onChange).on('control', onChange);
  device.on('happened', onHappened).on('trouble', onHappened).on('stopped', end);
  request.once('close', leave);
  response.once('close', leave);
  response.writeHead(200, {
    ...panelHeaders,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  send('hello', {
    mayChange: viewer.mayChange,
    models: models.map(({ number, productName }) => ({ number, name: productName })),
    faultKinds,
    log: device.log.slice(-maxLogEntries),
    calls: device.calls.slice(-maxLogEntries),
  });
  send('snapshot', device.snapshot());
}
