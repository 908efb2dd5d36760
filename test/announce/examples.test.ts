import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleFile } from '../fixtures/examples';
import { stopFlow } from '../fixtures/flow';
import { requestsOf } from '../nodes/scenarios';
import { deploy } from '../nodes/stage';
import { wav } from './sounds';

const example = exampleFile('Say the text of a ticket in the workshop');
const hasSpeechProgram = spawnSync('espeak-ng', ['--version']).status === 0;

describe('the example of announcements that turns a text into speech', () => {
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
  afterEach(() => stopFlow());
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it('says a ticket, by Piper and by the interface of OpenAI', async () => {
    const speech = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { press, behind } = await deploy(example, folder, { speech });
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

  // A skipped test is a failure, and the program is no part of an install.
  if (!hasSpeechProgram) {
    console.log('Left out: the example that speaks by espeak-ng, which this machine does not have');
    return;
  }

  it('says a ticket, by espeak-ng', async () => {
    const { press, behind, next } = await deploy(example, folder);
    const speaker = await behind('Workshop speaker');
    const started = next(({ payload }) => Object(payload).event === 'started');
    assert.equal((await press('Ticket, by espeak-ng')).receipts?.[0]?.outcome, 'accepted');
    // The program writes into a pipe, so its header claims hours.
    const { durationMs } = Object((await started).payload);
    assert.ok(durationMs > 1_000 && durationMs < 20_000, `${durationMs} ms`);
    const [name = '', content] = [...speaker.files].find(([file]) => file.startsWith('tones/algo-')) ?? [];
    assert.match(name, /^tones\/algo-[0-9a-f]{16}\.wav$/);
    assert.equal(content?.toString('latin1', 0, 4), 'RIFF');
  });
});
