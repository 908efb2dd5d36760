import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import helper from 'node-red-node-test-helper';
import { requestsOf } from '../nodes/scenarios';
import { deploy } from '../nodes/stage';
import { wav } from './sounds';

describe('the example of announcements that asks a speech server', () => {
  let folder: string;
  let server: Server;
  const asked: [string | undefined, unknown][] = [];

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-announce-examples-'));
    server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      asked.push([request.url, JSON.parse(body)]);
      response.end(wav(100));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    await helper.unload();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it('says a ticket, by Piper and by the interface of OpenAI', async () => {
    const speech = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { press, behind } = await deploy('examples/Say the text of a ticket in the workshop.json', folder, {
      speech,
    });
    const speaker = await behind('Workshop speaker');
    for (const name of ['Ticket, by Piper', 'Ticket, by OpenAI'])
      assert.equal((await press(name)).receipts?.[0]?.outcome, 'accepted');
    const text = 'Ticket 4711: the lathe is out of oil';
    const wanted = { model: 'tts-1', voice: 'alloy', input: text, response_format: 'wav' };
    assert.deepEqual(asked, [
      ['/synthesize', { text }],
      ['/v1/audio/speech', wanted],
    ]);
    assert.ok(requestsOf(speaker).includes('POST /api/controls/tone/start'));
  });
});
