import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { checkParameters } from '../../src/catalogue/validate';
import { Device } from '../../src/runtime/device/device';
import { type ActionHooks, freeRequests } from '../../src/runtime/message/hooks';
import type { Receipt } from '../../src/runtime/message/receipt';
import { deliver } from '../../src/runtime/message/steps';
import { strobesByName } from '../../src/runtime/message/strobe-names';
import { toneStopByName } from '../../src/runtime/message/tone-stop';
import { operationNamed } from '../catalogue/check';
import { end, listen } from '../fixtures/listening';
import { authorization, md5 } from '../fixtures/signing';
import { deliveryOf } from '../runtime/message/delivery';
import { books } from './';
import type { Answer, Request, Transcript } from './transcript';
import { type Exchange, password, readForm, splitLine } from './wire';

/** The hooks of the nodes of a resource. */
const hooks: Readonly<Record<string, ActionHooks>> = {
  tone: toneStopByName({
    *entries() {},
    put: async () => {},
    delete: async () => {},
    batch: async (change) => change(),
  }),
  strobe: strobesByName(),
  screen: strobesByName(),
  request: freeRequests(),
};

const transcripts = Object.values(books).flat();
const asked = transcripts.flatMap((transcript) =>
  transcript.ask ? [{ ...transcript, ask: transcript.ask }] : [],
);

interface Recorder {
  readonly address: string;
  readonly heard: Exchange[];
  readonly server: Server;
}

/** A server that only writes down what it hears and answers as it was told. */
async function recorder(answer: Answer): Promise<Recorder> {
  const heard: Exchange[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, path: url, headers, body: Buffer.concat(chunks) });
      if (answer.type) response.setHeader('Content-Type', answer.type);
      else if (answer.json !== undefined) response.setHeader('Content-Type', 'application/json');
      else if (answer.text !== undefined) response.setHeader('Content-Type', 'text/plain');
      else if (answer.body !== undefined) response.setHeader('Content-Type', 'application/octet-stream');
      response.statusCode = answer.status;
      response.end(answer.json === undefined ? (answer.text ?? answer.body) : JSON.stringify(answer.json));
    });
  });
  return { address: `http://${await listen(server)}`, heard, server };
}

/** Lets the package do what a transcript asks, at a device whose model and firmware were set by hand. */
async function doIt(
  { device, ask }: Pick<Transcript, 'device'> & { ask: NonNullable<Transcript['ask']> },
  answer: Answer,
): Promise<{ receipt: Receipt; body: unknown; heard: readonly Exchange[] }> {
  const operation = operationNamed(ask.operation);
  const checked = checkParameters(operation, ask.parameters);
  assert.ok(checked.ok, checked.ok ? '' : checked.findings.join('; '));
  const { address, heard, server } = await recorder(answer);
  const target = new Device(
    'd1',
    { name: 'the device', address, auth: 'standard', certificate: 'any', timeout: '5', ...device },
    password,
    { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} },
  );
  try {
    const [resource = ''] = ask.operation.split('/');
    const { parameters } = ask;
    const more = hooks[resource] ? { hooks: hooks[resource] } : {};
    const delivery = deliveryOf({ device: target, resource, operation, parameters, ...more });
    const receipt = await deliver(delivery);
    return { receipt, body: delivery.answer?.body, heard };
  } finally {
    await target.close();
    await end(server);
  }
}

function assertSigned(heard: Exchange, multipart: boolean): void {
  const given = heard.headers.authorization ?? '';
  const date = heard.headers.date ?? '';
  assert.match(date, /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
  const type = heard.headers['content-type'];
  const content = type !== undefined && !multipart ? { body: heard.body, type } : undefined;
  const nonce = given.split(':')[1] ?? '';
  const uri = heard.path.split('?')[0] ?? '';
  const seconds = Date.parse(date) / 1000;
  assert.equal(given, authorization({ method: heard.method, uri, content, seconds, nonce }, password));
  assert.match(nonce, /^[^:]+$/);
  assert.equal(heard.headers['content-md5'], content && md5(content.body), 'Content-MD5');
}

function assertWire(heard: Exchange, request: Request): void {
  assert.deepEqual({ method: heard.method, path: heard.path }, splitLine(request.line));
  assertSigned(heard, request.parts !== undefined);
  const type = heard.headers['content-type'];
  if (request.parts) {
    assert.match(type ?? '', /^multipart\/form-data; boundary=/);
    const parts = readForm(heard.body, type ?? '').map(({ name, type, body }) =>
      type === 'application/json' ? { name, type, json: JSON.parse(body.toString()) } : { name, type, body },
    );
    const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
    assert.deepEqual(parts.sort(byName), [...request.parts].sort(byName));
  } else if (request.body) {
    assert.equal(type, request.type ?? 'application/octet-stream');
    assert.deepEqual(heard.body, request.body);
  } else if (request.json !== undefined) {
    assert.equal(type, 'application/json');
    assert.deepEqual(JSON.parse(heard.body.toString()), request.json);
  } else {
    assert.equal(heard.body.length, 0, `there is a body: ${heard.body}`);
    assert.equal(type, undefined);
  }
}

describe('what the package sends, against the transcripts', () => {
  const good = asked.filter(({ request }) => request);
  for (const { title, device, ask, request, answer = { status: 200 } } of good) {
    it(`${ask.operation}: ${title}`, async () => {
      assert.ok(request);
      const { receipt, body, heard } = await doIt({ device, ask }, answer);
      assert.equal(heard.length, 1, `${heard.length} requests: ${JSON.stringify(receipt)}`);
      const [exchange] = heard;
      assert.ok(exchange);
      assertWire(exchange, request);
      assert.equal(receipt.outcome, 'accepted');
      assert.equal(receipt.statusCode, answer.status);
      assert.deepEqual(body, answer.json ?? answer.text ?? answer.body);
    });
  }

  it('replayed some', () => {
    console.log(`      ${good.length} requests were sent`);
    assert.ok(good.length > 0);
  });
});

describe('what the package refuses, against the transcripts', () => {
  const invalid = asked.filter(({ refusal }) => refusal?.code === 'INVALID_PARAMETER');
  for (const { title, device, ask, refusal } of invalid) {
    it(title, async () => {
      const { field = '', mentions = [] } = refusal ?? {};
      const checked = checkParameters(operationNamed(ask.operation), ask.parameters);
      if (checked.ok) {
        // Some values are wrong for one model only; that shows when the device is known.
        const { receipt, heard } = await doIt({ device, ask }, { status: 200 });
        const { error } = receipt;
        assert.equal(heard.length, 0, 'it is let through');
        assert.equal(error?.code, 'INVALID_PARAMETER');
        const missing = [field, ...mentions].filter((words) => !error?.message.includes(words));
        assert.deepEqual(missing, [], error?.message);
        return;
      }
      const fitting = checked.findings.filter(
        (finding) =>
          finding.startsWith(field) &&
          !/^\w/.test(field && finding.slice(field.length)) &&
          mentions.every((words) => finding.includes(words)),
      );
      const wanted = `no finding begins with ${field} and mentions ${mentions.join(', ')}`;
      assert.ok(fitting.length > 0, `${wanted}: ${JSON.stringify(checked.findings)}`);
    });
  }

  const unsupported = asked.filter(({ refusal }) => refusal?.code === 'NOT_SUPPORTED');
  for (const { title, device, ask, refusal } of unsupported) {
    it(title, async () => {
      const { receipt, heard } = await doIt({ device, ask }, { status: 200 });
      assert.equal(heard.length, 0, 'nothing is sent');
      const { error, attempts } = receipt;
      assert.equal(attempts, 0);
      assert.equal(error?.code, 'NOT_SUPPORTED', JSON.stringify(receipt));
      for (const words of refusal?.mentions ?? []) {
        assert.ok(error?.message.includes(words), `${words} is not in: ${error?.message}`);
      }
    });
  }

  it('refused some', () => {
    console.log(`      ${invalid.length} were refused as invalid, ${unsupported.length} as not supported`);
    assert.ok(invalid.length > 0 && unsupported.length > 0);
  });
});
