import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { books } from '.';
import type { Answer } from './transcript';
import { password, type Received, send } from './wire';

function assertAnswer(got: Received, answer: Answer): void {
  const text = got.body.toString();
  assert.equal(got.status, answer.status, `it answered ${got.status} ${text.slice(0, 200)}`);
  if (answer.words) assert.match(text, answer.words);
  if (answer.status >= 400) return;
  if (answer.varies) {
    const json: Record<string, unknown> = JSON.parse(text);
    for (const [name, value] of Object.entries(answer.json ?? {})) {
      const pattern = answer.varies[name];
      const found = json[name];
      if (!pattern) assert.deepEqual(found, value, name);
      else
        assert.match(typeof found === 'string' ? found : (JSON.stringify(found) ?? 'nothing'), pattern, name);
    }
  } else if (answer.json !== undefined) {
    assert.match(got.headers['content-type'] ?? '', /^application\/json\b/);
    assert.deepEqual(JSON.parse(text), answer.json);
  } else if (answer.body) {
    assert.deepEqual(got.body, answer.body);
  } else if (!answer.words) {
    assert.equal(text, answer.text ?? '');
  }
}

// Free requests are for what a device may learn one day: no device has them now.
const { request: free, ...ofTheDocument } = books;
const transcripts = Object.values(ofTheDocument).flat();

describe('the virtual device against the transcripts', () => {
  const replayed = transcripts.filter(({ request, answer }) => request && answer);
  for (const { title, device, before = [], request, answer } of replayed) {
    it(`${request?.line} on ${device.model} with ${device.firmware}: ${title}`, async () => {
      assert.ok(request && answer);
      const virtual = new VirtualDevice({ ...device, auth: 'standard', password });
      const url = await virtual.start();
      try {
        for (const earlier of before) {
          const got = await send(url, earlier);
          assert.ok(got.status < 300, `${earlier.line} answered ${got.status} ${got.body}`);
        }
        assertAnswer(await send(url, request), answer);
      } finally {
        await virtual.stop();
      }
    });
  }

  it('replayed some', () => {
    const refusals = replayed.filter(({ answer }) => (answer?.status ?? 0) >= 400).length;
    console.log(
      `      ${replayed.length} requests were replayed, ${refusals} of them turned down; ${free?.length} free ones were not`,
    );
    assert.ok(replayed.length > 0 && refusals > 0);
  });
});
