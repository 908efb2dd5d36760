import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { everyOperation } from '../catalogue/check';
import { books } from '.';
import { changesOf, equipment, isRead, look, partsOf, shown, traceOf } from './traces';
import type { Answer, Request, Transcript } from './transcript';
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

/** A virtual device that was told what a transcript wants it to know. */
async function withDevice(
  { device, before = [] }: Transcript,
  use: (device: VirtualDevice, url: string) => Promise<void>,
): Promise<void> {
  const virtual = new VirtualDevice({ ...device, ...equipment, auth: 'standard', password });
  const url = await virtual.start();
  try {
    for (const earlier of before) {
      const got = await send(url, earlier);
      assert.ok(got.status < 300, `${earlier.line} answered ${got.status} ${got.body}`);
    }
    await use(virtual, url);
  } finally {
    await virtual.stop();
  }
}

type Replayed = Transcript & { readonly request: Request; readonly answer: Answer };

const replayed = transcripts.filter((one): one is Replayed => Boolean(one.request && one.answer));

describe('the virtual device against the transcripts', () => {
  for (const one of replayed) {
    const { title, device, request, answer } = one;
    it(`${request.line} on ${device.model} with ${device.firmware}: ${title}`, () =>
      withDevice(one, async (virtual, url) => {
        const before = look(virtual);
        assertAnswer(await send(url, request), answer);
        const trace = traceOf(one);
        if (trace) {
          assert.notDeepEqual(partsOf(before, trace), trace, 'this was to be seen before');
          assert.deepEqual(await shown(virtual, trace), trace, 'what is to be seen');
        } else if (isRead(one) || answer.status >= 400) {
          assert.deepEqual(changesOf(before, look(virtual)), [], 'what should have changed nothing');
        }
      }));
  }

  it('replayed some', () => {
    const refusals = replayed.filter(({ answer }) => answer.status >= 400).length;
    console.log(
      `      ${replayed.length} requests were replayed, ${refusals} of them turned down; ${free?.length} free ones were not`,
    );
    assert.ok(replayed.length > 0 && refusals > 0);
  });
});

describe('what may be sent again', () => {
  const changing = replayed.filter((one) => one.ask && traceOf(one));
  const repeatable = changing.filter(({ ask }) => everyOperation.get(ask?.operation ?? '')?.repeatable);

  for (const one of repeatable) {
    it(`${one.ask?.operation} on ${one.device.model}: ${one.title}`, () =>
      withDevice(one, async (virtual, url) => {
        await send(url, one.request);
        const once = look(virtual);
        assertAnswer(await send(url, one.request), one.answer);
        assert.deepEqual(changesOf(once, look(virtual)), [], 'twice is not the same as once');
      }));
  }

  it('is some of it', () => {
    assert.ok(repeatable.length > 0 && repeatable.length < changing.length);
  });
});
