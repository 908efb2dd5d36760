import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './certificates';

/** A program: a device that says yes to everything. It writes its address, and ends with its standard input. */
async function run(scheme: string): Promise<void> {
  const respond: http.RequestListener = (request, response) => {
    request.resume().on('end', () => response.end());
  };
  const server =
    scheme === 'https' ? https.createServer(await makeCertificate(), respond) : http.createServer(respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  process.stdin.resume().on('end', () => process.exit());
}

void run(process.argv[2] ?? 'http');
