import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { VirtualDevice } from '../../src/virtual-device/device';
import { ownHost } from '../fixtures/listening';
import { authorization } from '../fixtures/signing';

/** What a fuzzing run saw. */
export interface Findings {
  sent: number;
  answered: number;
  /** Requests that a device carried out though nobody had signed them for it. */
  readonly letThrough: string[];
  /** Answers of 500 and the like: a bug of the device. */
  readonly bugs: string[];
}

/** Numbers from 0 up to 1 that a seed decides. */
function randomFrom(seed: number): () => number {
  let state = seed % 2147483647 || 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const PATHS = [
  '/api/info/about',
  '/api/settings/audio.page.vol',
  '/api/settings',
  '/api/controls/door/munlock',
  '/api/controls/tone/start',
  '/api/controls/tone/upload-play',
  '/api/controls/screen/start',
  '/api/controls/strobe/start',
  '/api/schedules?events=&days=3',
  '/api/schedules',
  '/api/files/tones/a%20b.wav',
  '/api/files/download',
  '/api/file-md5sum/..%2f..%2fetc/passwd',
  '/api/controls/reload',
  '//evil/%ff%zz',
  '*',
  'http://other.example/api/info/about',
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'BREW', 'get', ''];
const TYPES = [
  'application/json',
  'audio/wav',
  'multipart/form-data; boundary=b',
  'text/plain',
  '',
  'x'.repeat(300),
];
const BODIES = [
  '',
  '{}',
  '{"doorid":"local","duration":"5"}',
  '{"path":"gong.wav","loop":true}',
  '{"__proto__":{"x":1},"constructor":null}',
  '{"events":[{"rrule":"FREQ=DAILY;COUNT=99999","start_date":"0001-01-01"}]}',
  '['.repeat(5000),
  '--b\r\nContent-Disposition: form-data; name="tone"; filename="x"\r\n\r\nRIFF\r\n--b--\r\n',
  'RIFF\u0000\u0000\u0000\u0000WAVE',
];

/** Makes requests that nobody may get through with: unsigned, or signed with another password. */
export function requestsFrom(seed: number): () => Buffer {
  const random = randomFrom(seed);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const noise = (maxBytes: number) =>
    Buffer.from(Array.from({ length: random() * maxBytes }, () => random() * 256));
  const headerFor = (method: string, path: string, body: string, type: string, date: Date): string => {
    const content = body ? { body, type } : undefined;
    const uri = String(path.split('?')[0]);
    const signed = { method, uri, content, seconds: date.getTime() / 1000, nonce: '1' };
    return any([
      authorization(signed, 'not the password'),
      `hmac admin:1:${'0'.repeat(64)}`,
      'hmac :::',
      'Basic YWRtaW46YQ==',
      '',
    ]);
  };
  const mutate = (bytes: Buffer): Buffer => {
    for (let i = 0; i < 1 + random() * 4; i += 1) bytes[Math.floor(random() * bytes.length)] = random() * 256;
    return bytes;
  };
  return () => {
    const [method, path, body, type] = [any(METHODS), any(PATHS), any(BODIES), any(TYPES)];
    const date = new Date(Math.floor(Date.now() / 1000) * 1000);
    const length = random() < 0.9 ? Buffer.byteLength(body) : any([0, 1, -1, 1e9, Number.NaN]);
    const framing = random() < 0.9 ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked';
    const head = [
      `${method} ${path} HTTP/1.${any([1, 1, 1, 0, 9])}`,
      'Host: localhost',
      `Date: ${any([date.toUTCString(), 'yesterday', ''])}`,
      `Authorization: ${headerFor(method, path, body, type, date)}`,
      `Content-Type: ${type}`,
      `Content-MD5: ${createHash('md5')
        .update(body)
        .digest(any(['hex', 'base64']))}`,
      framing,
      ...(random() < 0.1 ? [`X-${noise(20).toString('hex')}: ${'y'.repeat(random() * 20_000)}`] : []),
    ];
    const whole = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    const kind = random();
    if (kind < 0.05) return noise(400);
    if (kind < 0.2) return mutate(whole);
    return kind < 0.3 ? whole.subarray(0, random() * whole.length) : whole;
  };
}

/** A reset of a socket that is ending already would leave its handle open for good, and busy. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Waits for an answer, or the end of the connection, or a moment in which nothing comes. */
function outcome(socket: Socket, patienceMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', finish);
      resolve(text);
    };
    const onData = (chunk: string): void => {
      text += chunk;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const end = text.indexOf('\r\n\r\n');
      if (end >= 0 && text.length >= end + 4 + length) finish();
    };
    // However busy the machine is: what was sent is read, done and answered before the patience ends.
    const turn = (left: number): void => void (left > 0 ? setImmediate(turn, left - 1) : finish());
    const timer = setTimeout(turn, patienceMs, 20);
    socket.on('data', onData).once('close', finish);
  });
}

/**
 * Sends that many requests, from several connections at once, whole, in pieces and broken off.
 * The device must be locked with another password than "not the password", or not at all.
 */
export async function fuzz(
  device: VirtualDevice,
  { seed, requests, isLocked }: { seed: number; requests: number; isLocked: boolean },
): Promise<Findings> {
  const next = requestsFrom(seed);
  const findings: Findings = { sent: 0, answered: 0, letThrough: [], bugs: [] };
  const onRequest: Parameters<typeof device.on<'request'>>[1] = ({
    outcome: result,
    method,
    path,
    reason,
  }) => {
    if (result === 'done' && isLocked) findings.letThrough.push(`${method} ${path}`);
    if (result === 'failed') findings.bugs.push(`${method} ${path}: ${reason}`);
  };
  device.on('request', onRequest);
  const { port } = new URL(device.address);
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), ownHost).setEncoding('latin1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const work = async (): Promise<void> => {
    let socket = await open();
    while (findings.sent < requests) {
      findings.sent += 1;
      const bytes = next();
      const half = Math.floor(bytes.length / 2);
      const isSlow = findings.sent % 50 === 0;
      if (isSlow) {
        socket.write(bytes.subarray(0, half));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      socket.write(isSlow ? bytes.subarray(half) : bytes);
      const text = await outcome(socket, 30);
      if (text) findings.answered += 1;
      if (/^HTTP\/1\.1 5/.test(text)) findings.bugs.push(text.slice(0, 200));
      if (isLocked && /^HTTP\/1\.1 2/.test(text)) findings.letThrough.push(text.slice(0, 200));
      const isWhole = /^HTTP\/1\.1 [34]/.test(text) && !/connection: close/i.test(text);
      if (isWhole && !socket.destroyed && findings.sent % 7 !== 0) continue;
      // A reset leaves no port behind that waits for its end.
      reset(socket);
      socket = await open();
    }
    reset(socket);
  };
  await Promise.all(Array.from({ length: 16 }, work));
  device.off('request', onRequest);
  return findings;
}
