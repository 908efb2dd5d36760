import http from 'node:http';
import https from 'node:https';
import { Deadline } from '../../../kernel/time/deadline';
import type { FoundDevice } from '../../answers';
import { modelIn } from '../../device/identity';
import { titleOfMaker } from '../landing';

const maxPageLength = 4_000;
const maxHeadLength = 8_192;
const maxInterimResponses = 10;

interface LookLimits {
  readonly connectMs: number;
  readonly pageMs: number;
}

const defaultLimits: LookLimits = { connectMs: 1_500, pageMs: 3_000 };

interface PageAddress {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/**
 * Reads the public start page of an address, first over https, then over http. Never rejects, and sends no
 * password.
 * @param port the only port to try; default: 443, then 80
 * @returns undefined if no page title contains the word "Algo"
 */
export async function lookAt(
  host: string,
  port: number | undefined,
  signal: AbortSignal,
  limits = defaultLimits,
): Promise<FoundDevice | undefined> {
  for (const secure of [true, false]) {
    if (signal.aborted) return undefined;
    const pageAddress = { secure, host, port: port ?? (secure ? 443 : 80) };
    const product = titleOfMaker(await pageAt(pageAddress, signal, limits));
    if (product === undefined) continue;
    const model = modelIn(product);
    const address = port === undefined ? host : `${host}:${port}`;
    return { address, secure, product, ...(model !== undefined && { model }) };
  }
  return undefined;
}

/**
 * Returns the characters of the page that arrive within the time limits, at most `maxPageLength`. Does not
 * follow redirections.
 */
function pageAt(
  { secure, host, port }: PageAddress,
  signal: AbortSignal,
  limits: LookLimits,
): Promise<string> {
  return new Promise((resolve) => {
    const request = (secure ? https : http).request({
      host,
      port,
      path: '/',
      agent: false,
      headers: { accept: 'text/html', connection: 'close' },
      maxHeaderSize: maxHeadLength,
      signal,
      // Skips the check of the certificate, since the request contains no secret.
      rejectUnauthorized: false,
    });
    let page = '';
    const end = () => request.destroy();
    const connecting = new Deadline(end, limits.connectMs);
    const whole = new Deadline(end, limits.pageMs);
    const settle = () => {
      connecting.clear();
      whole.clear();
      resolve(page);
    };
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => connecting.clear());
      socket.once('close', settle);
    });
    // Ends the request after too many interim responses (1xx): an endless series of such responses would block
    // the event loop.
    let interimResponses = 0;
    request.on('information', () => {
      interimResponses += 1;
      if (interimResponses > maxInterimResponses) end();
    });
    request.once('response', (response) => {
      response.setEncoding('latin1');
      response.on('data', (text: string) => {
        page = (page + text).slice(0, maxPageLength);
        if (page.length === maxPageLength) end();
      });
      response.on('error', end);
      response.once('end', end);
    });
    request.on('error', () => {});
    // If the request ends before the request has a socket, no socket emits `close`.
    request.once('close', () => {
      if (!request.socket) settle();
    });
    request.end();
  });
}
