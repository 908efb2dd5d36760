import assert from 'node:assert/strict';
import { hmac, md5 } from '../fixtures/signing';
import { books } from '.';
import { fieldsOf, promised, templates } from './promised';
import { namesIn, type Transcript } from './transcript';

const operations = Object.keys(promised);
const transcripts = Object.values(books).flat();
const sent = transcripts.filter(({ ask, request }) => ask && request);

describe('the transcripts as they were typed', () => {
  it('send and refuse each operation that is promised', () => {
    const missing = (those: readonly Transcript[]) => {
      const asked = new Set(those.map(({ ask }) => ask?.operation));
      return operations.filter((operationName) => !asked.has(operationName));
    };
    assert.deepEqual(missing(sent), []);
    assert.deepEqual(missing(transcripts.filter(({ refusal }) => refusal)), []);
    const others = distinct(sent.map(({ ask }) => ask?.operation)).filter(
      (operationName) => !operations.includes(String(operationName)),
    );
    console.log(`      not promised yet: ${others.join(', ') || 'nothing'}`);
  });

  it('give each field of each operation', () => {
    for (const operation of operations) {
      const given = new Set(
        sent.filter(({ ask }) => ask?.operation === operation).flatMap(({ ask }) => namesIn(ask?.parameters)),
      );
      assert.deepEqual(
        fieldsOf(operation).filter((name) => !given.has(name)),
        [],
        operation,
      );
    }
  });

  it('show each template', () => {
    const shown = sent.map(({ ask }) => ask?.parameters.template).filter((name) => name !== undefined);
    assert.deepEqual(distinct(shown).sort(), [...templates].sort());
  });

  it('are many', () => {
    const refusals = transcripts.filter(({ refusal }) => refusal).length;
    const requests = transcripts.filter(({ request }) => request).length;
    const turnedDown = transcripts.filter(({ answer }) => (answer?.status ?? 0) >= 400).length;
    console.log(`      ${transcripts.length} transcripts, ${requests} requests (${turnedDown} turned down)`);
    console.log(`      ${sent.length} sent for a flow, ${refusals} refused before the wire`);
    assert.ok(refusals > 0 && requests > 0 && turnedDown > 0);
  });

  it('either send or refuse, and say where that is written', () => {
    for (const { title, section, ask, request, answer, refusal } of transcripts) {
      assert.match(section, /^\d(\.\d+)*a?$/, title);
      assert.equal(Boolean(request), Boolean(answer), title);
      assert.equal(Boolean(request), !refusal, title);
      assert.ok(request ?? ask, title);
    }
  });
});

describe('the signature of the transcripts', () => {
  const body = '{"path":"page-notif.wav", "loop":false}';

  it('is the published one for a body', () => {
    assert.equal(md5(Buffer.from(body)), '6e43c05d82f71e77c586e29edb93b129');
    assert.equal(
      hmac('algo', [
        'POST',
        '/api/controls/tone/start',
        '6e43c05d82f71e77c586e29edb93b129',
        'application/json',
        '1601312252',
        '49936',
      ]),
      '2e109d7aeed54a1cb04c6b72b1d854f442cf1ca15eb0af32f2512dd77ab6b330',
    );
  });

  it('is the published one without a body', () => {
    assert.equal(
      hmac('algo', ['GET', '/api/settings/audio.page.vol', '1601312835', '881767496']),
      'c5b349415bce0b9e1b8122829d32fbe0a078791b311c4cf40369c7ab4eb165a8',
    );
  });
});

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values)];
}
