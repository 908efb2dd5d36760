import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VirtualDevice } from '../device';
import { faultKinds } from '../faults/fault';
import type { LogEntry } from '../log/entry';
import { models } from '../product/models';
import { panelHeaders } from './headers';
import type { Viewer } from './viewer';

/** How often a panel hears of changes at most, in milliseconds: a storm of requests must not drown it. */
const paceMs = 100;

/** Bytes that may wait for a panel that does not read; then it is let go, and comes back by itself. */
const mostWaiting = 4 * 1024 * 1024;

const longestLog = 200;

/** How often a silent stream says that it is still there, in milliseconds: proxies end what is silent. */
const usualBeatMs = 15_000;

/**
 * Tells a panel, by server-sent events, what the device does, until one of them is gone or the viewer may not
 * stay; that is asked with every beat.
 */
export function streamEvents(
  device: VirtualDevice,
  request: IncomingMessage,
  response: ServerResponse,
  viewer: Viewer,
  beatMs = usualBeatMs,
): void {
  response.writeHead(200, {
    ...panelHeaders,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const tell = (event: string, data: unknown): void => {
    if (response.writableLength > mostWaiting) response.destroy();
    else response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  let requests: LogEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    if (requests.length > 0) tell('requests', requests.slice(-longestLog));
    requests = [];
    tell('snapshot', device.snapshot());
  };
  const note = (): void => {
    timer ??= setTimeout(flush, paceMs);
  };
  const onRequest = (entry: LogEntry): void => {
    requests.push(entry);
    note();
  };
  const onHappened = (words: string): void => tell('happened', words);
  device.on('request', onRequest).on('change', note).on('control', note);
  const leave = (): void => {
    clearTimeout(timer);
    clearInterval(beat);
    device.off('request', onRequest).off('change', note).off('control', note);
    device.off('happened', onHappened).off('trouble', onHappened).off('stopped', onStopped);
  };
  /** What is told after an end would take the host process down, and a panel that does not read never ends. */
  const onStopped = (): void => {
    leave();
    if (response.writableLength === 0) response.end();
    else response.destroy();
  };
  const beat = setInterval(() => {
    if (viewer.mayStay()) response.write(': still here\n\n');
    else onStopped();
  }, beatMs);
  device.on('happened', onHappened).on('trouble', onHappened).on('stopped', onStopped);
  request.once('close', leave);
  response.once('close', leave);
  response.write('retry: 1000\n\n');
  tell('hello', {
    mayChange: viewer.mayChange,
    models: models.map(({ number, productName }) => ({ number, name: productName })),
    faultKinds: faultKinds,
    log: device.log.slice(-longestLog),
  });
  tell('snapshot', device.snapshot());
}
