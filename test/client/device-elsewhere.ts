import http from 'node:http';
import https from 'node:https';
import { makeCertificate } from '../fixtures/certificates';
import { listen } from '../fixtures/listening';

/** A program: a device that says yes to everything. It writes its address, and ends with its standard input. */
async function run(scheme: string): Promise<void> {
  const respond: http.RequestListener = (request, response) => {
    request.resume().on('end', () => response.end());
  };
  const server =
    scheme === 'https' ? https.createServer(await makeCertificate(), respond) : http.createServer(respond);
  process.stdout.write(`${scheme}://${await listen(server)}\n`);
  process.stdin.resume().on('end', () => process.exit());
}

void run(process.argv[2] ?? 'http');
