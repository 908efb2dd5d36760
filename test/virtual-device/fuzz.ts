import { connect } from 'node:net';
import type { VirtualDevice } from '../../src/virtual-device/device';
import { Chance } from '../catalogue/random';
import { authorization, md5 } from '../fixtures/signing';

/** What a fuzzing run saw. */
export interface Findings {
  sent: number;
  answered: number;
  /** Requests that a device carried out though nobody had signed them for it. */
  readonly letThrough: string[];
  /** Answers of 500 and the like: a bug of the device. */
  readonly bugs: string[];
}

const paths = [
  ...['/api/info/about', '/api/settings/audio.page.vol', '/api/settings', '/api/controls/reload'],
  ...['/api/controls/door/munlock', '/api/controls/tone/start', '/api/controls/tone/upload-play'],
  ...['/api/controls/screen/start', '/api/controls/strobe/start', '/api/schedules?events=&days=3'],
  ...['/api/schedules', '/api/files/tones/a%20b.wav', '/api/files/download'],
  ...['/api/file-md5sum/..%2f..%2fetc/passwd', '//evil/%ff%zz', '*', 'http://other.example/api/info/about'],
];
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'BREW', 'get', ''];
const types = ['application/json', 'audio/wav', 'multipart/form-data; boundary=b', '', 'x'.repeat(300)];
const bodies = [
  ...['', '{}', '{"doorid":"local","duration":"5"}', '{"path":"gong.wav","loop":true}', '['.repeat(5000)],
  '{"__proto__":{"x":1},"constructor":null}',
  '{"events":[{"rrule":"FREQ=DAILY;COUNT=99999","start_date":"0001-01-01"}]}',
  '--b\r\nContent-Disposition: form-data; name="tone"; filename="x"\r\n\r\nRIFF\r\n--b--\r\n',
];

/** A request that nobody may get through with: unsigned, or signed with another password; often not even whole. */
function requestBy(chance: Chance): Buffer {
  const below = (limit: number) => Math.floor(chance.next() * limit);
  const [method, path, body, type] = [
    chance.one(methods),
    chance.one(paths),
    chance.one(bodies),
    chance.one(types),
  ];
  const date = new Date(Math.floor(Date.now() / 1000) * 1000);
  const content = body ? { body, type } : undefined;
  const uri = path.split('?', 1)[0] ?? '';
  const signed = { method, uri, content, seconds: date.getTime() / 1000, nonce: '1' };
  const logins = [authorization(signed, 'wrong'), `hmac admin:1:${'0'.repeat(64)}`, 'hmac :::', 'Basic YTpi'];
  const length = chance.percent(90) ? Buffer.byteLength(body) : chance.one([0, 1, -1, 1e9, Number.NaN]);
  const head = [
    `${method} ${path} HTTP/1.${chance.one([1, 1, 1, 0, 9])}`,
    'Host: localhost',
    `Date: ${chance.one([date.toUTCString(), 'yesterday', ''])}`,
    `Authorization: ${chance.one([...logins, ''])}`,
    `Content-Type: ${type}`,
    `Content-MD5: ${md5(body)}`,
    chance.percent(90) ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked',
    ...(chance.percent(10) ? [`X-Long: ${'y'.repeat(below(20_000))}`] : []),
  ];
  const whole = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  if (chance.percent(5)) return Buffer.from(Array.from({ length: below(400) }, () => below(256)));
  if (chance.percent(15)) whole[below(whole.length)] = below(256);
  return chance.percent(10) ? whole.subarray(0, below(whole.length)) : whole;
}

/** Sends these bytes, and returns the answer once the device has closed the connection. */
function answerTo(bytes: Buffer, { hostname, port }: URL): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    connect(Number(port), hostname)
      .setEncoding('latin1')
      .on('data', (chunk: string) => {
        text += chunk;
      })
      .on('error', () => undefined)
      .on('close', () => resolve(text))
      .end(bytes);
  });
}

/**
 * Sends that many requests, from several connections at the same time: whole, changed and incomplete. The device must be locked
 * with another password than "wrong", or not at all.
 */
export async function fuzz(
  device: VirtualDevice,
  { seed, requests, isLocked }: { seed: number; requests: number; isLocked: boolean },
): Promise<Findings> {
  const chance = new Chance(seed);
  const findings: Findings = { sent: 0, answered: 0, letThrough: [], bugs: [] };
  const onRequest: Parameters<typeof device.on<'request'>>[1] = ({ outcome, method, path, reason }) => {
    if (outcome === 'done' && isLocked) findings.letThrough.push(`${method} ${path}`);
    if (outcome === 'failed') findings.bugs.push(`${method} ${path}: ${reason}`);
  };
  device.on('request', onRequest);
  const work = async (): Promise<void> => {
    while (findings.sent < requests) {
      findings.sent += 1;
      const text = await answerTo(requestBy(chance), new URL(device.address));
      if (text) findings.answered += 1;
      if (/^HTTP\/1\.1 5/.test(text)) findings.bugs.push(text.slice(0, 200));
      if (isLocked && /^HTTP\/1\.1 2/.test(text)) findings.letThrough.push(text.slice(0, 200));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  device.off('request', onRequest);
  return findings;
}
