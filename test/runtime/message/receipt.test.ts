import assert from 'node:assert/strict';
import { DeviceError, type ErrorCode } from '../../../src/client/errors';
import {
  errorOf,
  type Outcome,
  type Receipt,
  receiptOf,
  responseOf,
} from '../../../src/runtime/message/receipt';

function receipt(device: string, outcome: Outcome, code?: ErrorCode): Receipt {
  return {
    device,
    address: 'http://127.0.0.1',
    operation: 'door/lock',
    outcome,
    attempts: 1,
    latencyMs: 3,
    at: '2026-11-21T12:00:00.000Z',
    ...(code && { error: { code, reason: code, message: `${code}: ${device}` } }),
  };
}

describe('the time on the wire in a receipt', () => {
  const ended = {
    device: 'Gate',
    address: '',
    operationName: 'settings/put',
    latencyMs: 50,
    notes: undefined,
    by: undefined,
  };
  const written = { statusCode: 200, body: undefined, attempts: 1, wireMs: 7 };
  const lost = new DeviceError('TIMEOUT', 'lost', { sent: true, attempts: 1, wireMs: 30 });
  const receiptWith = (answer?: typeof written, error?: DeviceError) =>
    receiptOf({ ...ended, outcome: 'accepted', answer, error });

  it('is that of the answer, and with `confirmWrite` that of the write', () => {
    assert.equal(receiptWith(written).wireMs, 7);
    assert.equal(receiptWith(written, lost).wireMs, 7);
  });

  it('is that of the request that was given up', () => {
    assert.equal(receiptWith(undefined, lost).wireMs, 30);
  });

  it('is absent when nothing was sent', () => {
    const refused = receiptWith(undefined, new DeviceError('UNREACHABLE', 'off'));
    assert.equal(Object.hasOwn(refused, 'wireMs'), false);
  });
});

describe('the error that receipts amount to', () => {
  it('is none when every target succeeded', () => {
    assert.equal(errorOf([receipt('a', 'accepted'), receipt('b', 'confirmed')]), undefined);
  });

  it('has the code of the first failed target and counts the others', () => {
    const error = errorOf([
      receipt('a', 'accepted'),
      receipt('b', 'failed', 'REFUSED'),
      receipt('c', 'unknown', 'TIMEOUT'),
    ]);
    assert.equal(error?.code, 'REFUSED');
    assert.ok(Object.hasOwn(error, 'code'));
    assert.match(error.message, /^REFUSED: b \(and 1 more of 3 targets/);
  });

  it('ignores a model that lacks the operation while another target succeeded', () => {
    assert.equal(errorOf([receipt('a', 'accepted'), receipt('b', 'skipped', 'NOT_SUPPORTED')]), undefined);
  });

  it('is NOT_SUPPORTED when every target was skipped, and the failure when one failed', () => {
    assert.equal(errorOf([receipt('a', 'skipped', 'NOT_SUPPORTED')])?.code, 'NOT_SUPPORTED');
    const mixed = [receipt('a', 'skipped', 'NOT_SUPPORTED'), receipt('b', 'failed', 'UNREACHABLE')];
    assert.equal(errorOf(mixed)?.code, 'UNREACHABLE');
  });
});

describe('the response in a receipt', () => {
  it('holds no Buffer and nothing empty', () => {
    assert.equal(responseOf(Buffer.from('x')), undefined);
    assert.equal(responseOf(''), undefined);
    assert.equal(responseOf(undefined), undefined);
    assert.deepEqual(responseOf({ a: 1 }), { a: 1 });
  });

  it('holds no login of an event that calls another device, and leaves the answer as it is', () => {
    const header = 'Authorization: Basic YWRtaW46c2VjcmV0\r\nContent-Type: application/json';
    const answer = { events: [{ name: 'Call', api_call: [{ header, path: '/x' }] }, { name: 'Basic bell' }] };
    const before = structuredClone(answer);
    const shown = 'Authorization: Basic ***\r\nContent-Type: application/json';
    assert.deepEqual(responseOf(answer), {
      events: [{ name: 'Call', api_call: [{ header: shown, path: '/x' }] }, { name: 'Basic bell' }],
    });
    assert.deepEqual(answer, before);
    for (const [login, stars] of [
      ['Authorization: Bearer a.b-c_d', 'Authorization: Bearer ***'],
      ['X-Token: s3cret', 'X-Token: ***'],
      ['authorization: basic YWRtaW46eA==', 'authorization: basic ***'],
    ] as const)
      assert.deepEqual(responseOf([login]), [stars]);
  });

  it("is the receipt's own, so that whoever works on the answer changes no receipt", () => {
    const answer = JSON.parse('{"list":["a",{"b":[]}],"__proto__":{"c":1}}');
    const response = responseOf(answer) as typeof answer;
    assert.equal(JSON.stringify(response), '{"list":["a",{"b":[]}],"__proto__":{"c":1}}');
    answer.list[1].b.push('edited');
    answer.list.length = 1;
    assert.equal(JSON.stringify(response.list), '["a",{"b":[]}]');
    assert.equal(Object.getPrototypeOf(response), Object.prototype);
  });
});

describe('an answer of very many values', () => {
  it('is left out of a receipt, whose copies would hold up everybody else', () => {
    const most = new Array(199_999).fill(0);
    assert.deepEqual(responseOf(most), most);
    assert.equal(responseOf([...most, 0]), undefined);
    assert.equal(responseOf({ list: most }), undefined);
    const text = 'x'.repeat(1_000_000);
    assert.equal(responseOf(text), text);
  });
});
