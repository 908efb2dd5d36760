import assert from 'node:assert/strict';
import { callEntryOf } from '../../../src/virtual-device/calls/call-entry';

const call = { method: 'POST', target: '192.0.2.1', path: '/bell', header: '', payload: '' };

/** Returns what the log shows of an answer that repeats the headers of the call. */
function answerOf(body: string): string | undefined {
  return callEntryOf(call, undefined, { status: 200, body, isCut: false }, 0).answer;
}

describe('the log of a call, whose answer repeats secrets', () => {
  it('masks a signature that is cut off', () => {
    const before = 'x'.repeat(1_900);
    const answer = answerOf(`${before} hmac admin:nonce:${'ab'.repeat(32)} and more`);
    assert.equal(answer?.slice(before.length), ' hmac *** and more');
    const cut = answerOf(`${'x'.repeat(1_950)} hmac admin:nonce:${'ab'.repeat(32)}`);
    assert.equal(cut?.slice(1_950), ' hmac ***');
  });

  it('masks tokens in headers and in JSON', () => {
    for (const text of ['X-Token: s3cr3t', '{"x-token":"s3cr3t"}', 'Authorization: Bearer s3cr3t'])
      assert.doesNotMatch(answerOf(text) ?? 's3cr3t', /s3cr3t/, text);
  });
});
