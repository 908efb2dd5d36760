import assert from 'node:assert/strict';
import { books } from '.';
import { fields, operations, templates } from './fields';
import { hmac, md5 } from './wire';

/** The dotted names in an object; lists are looked through. */
function namesIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, prefix));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...namesIn(inner, `${prefix}${name}.`),
  ]);
}

const transcripts = Object.values(books).flat();
const sent = transcripts.filter(({ ask, request }) => ask && request);

describe('the transcripts as they were typed', () => {
  it('name each operation of the contract, and nothing else', () => {
    const asked = new Set(sent.map(({ ask }) => ask?.operation));
    assert.equal(operations.length, 55);
    assert.deepEqual([...asked].sort(), ['request', ...operations].sort());
  });

  it('refuse something of each operation', () => {
    const refused = new Set(transcripts.filter(({ refusal }) => refusal).map(({ ask }) => ask?.operation));
    assert.deepEqual([...refused].sort(), distinct(sent.map(({ ask }) => ask?.operation)).sort());
  });

  it('give each field of each operation', () => {
    for (const [operation, names] of Object.entries(fields)) {
      const given = new Set(
        sent.filter(({ ask }) => ask?.operation === operation).flatMap(({ ask }) => namesIn(ask?.parameters)),
      );
      assert.deepEqual(
        names.split(' ').filter((name) => !given.has(name)),
        [],
        operation,
      );
    }
  });

  it('show each template', () => {
    assert.equal(templates.length, 21);
    const shown = sent.map(({ ask }) => ask?.parameters.template).filter((name) => name !== undefined);
    assert.deepEqual(distinct(shown).sort(), [...templates].sort());
  });

  it('refuse at least sixty times before the wire, and send 150 requests', () => {
    const refusals = transcripts.filter(({ refusal }) => refusal).length;
    const requests = transcripts.filter(({ request }) => request).length;
    const turnedDown = transcripts.filter(({ answer }) => (answer?.status ?? 0) >= 400).length;
    console.log(`      ${transcripts.length} transcripts, ${requests} requests (${turnedDown} turned down)`);
    console.log(`      ${sent.length} sent for a flow, ${refusals} refused before the wire`);
    assert.ok(refusals >= 60 && requests >= 150 && turnedDown >= 60);
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
