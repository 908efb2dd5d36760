import { createServer as createHttp, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { VirtualDevice, VirtualDeviceOptions } from '../../../src/virtual-device/device';
import type { CallEntry } from '../../../src/virtual-device/log/call-entry';
import { end, listen } from '../../fixtures/listening';
import { call as event, post } from '../schedule/bells';
import { type DeviceFixture, withDevice } from '../with-device';

/** A request as the target of a call got it. */
export interface ReceivedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** The address of a server, and what it got. */
export interface Target {
  readonly place: string;
  readonly requests: ReceivedCall[];
}

type Answer = (response: ServerResponse, request: ReceivedCall) => void;

/** Runs a test with a server that writes down each request, and answers 200 and `{}` where the test does not. */
export async function withTarget(
  test: (target: Target) => Promise<void>,
  answer: Answer = (response) => response.end('{}'),
): Promise<void> {
  const requests: ReceivedCall[] = [];
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      requests.push(one);
      answer(response, one);
    });
  });
  const place = await listen(server);
  try {
    await test({ place, requests });
  } finally {
    await end(server);
  }
}

/** Runs a test with a virtual device and such a server, which its calls may have for a target. */
export const withCalls = (
  options: VirtualDeviceOptions,
  test: (calling: DeviceFixture & Target) => Promise<void>,
  answer?: Answer,
): Promise<void> =>
  withTarget((target) => withDevice(options, (fixture) => test({ ...fixture, ...target })), answer);

/** Runs a test with a server that speaks in bytes: `speak` gets each socket after its first bytes came. */
export async function withRawTarget(
  speak: (socket: Socket) => void,
  test: (place: string) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => speak(socket));
  });
  const place = await listen(server);
  try {
    await test(place);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** Resolves to the calls of a device as soon as there are this many. */
export function calls(device: VirtualDevice, count: number): Promise<readonly CallEntry[]> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (device.calls.length < count) return;
      device.off('call', look);
      resolve(device.calls);
    };
    device.on('call', look);
    look();
  });
}

export const entry = { method: 'GET', target: '127.0.0.1', path: '/', header: '' };

/** Lets an event with these entries happen, after ten seconds of the device's time. */
export async function happen(fixture: DeviceFixture, ...entries: readonly object[]): Promise<void> {
  const { start_date: _, start_time: __, ...undated } = event;
  await post(fixture, { events: [{ ...undated, delay: 10, api_call: entries }] });
  fixture.clock.advance(10_000);
}
