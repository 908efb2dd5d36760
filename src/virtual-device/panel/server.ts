import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VirtualDevice } from '../device';
import { isOwnHost } from '../wire/host';
import { answerHtml, answerText, servePanel } from './serve';
import { anyViewer, isOfOtherSite } from './viewer';
import { escaped, languageFor, languageQuery, pageIn, translateIn } from './words';

const loopback = '127.0.0.1';

export class PanelServer {
  readonly #devices: readonly VirtualDevice[];
  readonly #server: Server;

  constructor(devices: readonly VirtualDevice[]) {
    this.#devices = devices;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async start(port: number): Promise<string> {
    this.#server.listen(port, loopback);
    await once(this.#server, 'listening');
    return `http://${loopback}:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnHost(request.headers.host, loopback) || isOfOtherSite(request))
      return answerText(response, 403, 'Open this page at http://127.0.0.1 and the port.');
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const [, number, rest] = /^\/(\d{1,4})\/(.*)$/.exec(path) ?? [];
    const device = number === undefined ? undefined : this.#devices[Number(number) - 1];
    if (device && rest !== undefined) return servePanel(device, rest, request, response, anyViewer);
    // All links of the page are relative to its folder, so the URL must end with a slash.
    if (this.#devices[Number(/^\/(\d{1,4})$/.exec(path)?.[1]) - 1]) {
      response.writeHead(302, { Location: `${path.slice(1)}/${languageQuery(request.url)}` }).end();
      return;
    }
    if (path !== '/') return answerText(response, 404, 'The device does not exist.');
    if (this.#devices.length === 1) {
      response.writeHead(302, { Location: `1/${languageQuery(request.url)}` }).end();
      return;
    }
    answerHtml(response, listOf(this.#devices, request));
  }
}

function listOf(devices: readonly VirtualDevice[], request: IncomingMessage): string {
  const language = languageFor(request);
  const query = languageQuery(request.url);
  const items = devices.map(({ model, firmware, address }, index) => {
    const name = escaped(translateIn(language, 'list.device', { model, firmware }));
    return `<li><a href="${index + 1}/${query}">${name}</a> ${address}</li>`;
  });
  const page = `<!doctype html>
<html lang="{{language}}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{list.title}}</title>
<h1>{{list.title}}</h1>
<ol>${items.join('\n')}</ol>
</html>
`;
  return pageIn(language, page);
}
