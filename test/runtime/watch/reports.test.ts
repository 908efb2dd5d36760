import assert from 'node:assert/strict';
import { copyOf, type Reading } from '../../../src/runtime/watch/reading';
import { Status } from '../../../src/runtime/watch/status';
import { volatileFields } from '../../../src/runtime/watch/status-fields';

const reading = (body: unknown, second = 0): Reading => ({
  body,
  at: second * 1000,
  monotonic: second * 1000,
});

const choice = { watched: [], ignored: volatileFields, counters: false, initial: true } as const;

describe('what is reported of a status', () => {
  it('is each reading where that is wanted, and each message owns its payload', () => {
    const [one, other] = [0, 1].map(() => new Status({ ...choice, report: 'every' }));
    const body = { A: ['1', { B: '2' }] };
    const messages = [one, one, other].map((status) => status?.report(reading(body), false).messages[0]);
    for (const message of messages) {
      const payload = (message ?? assert.fail()).payload as { A: unknown[] };
      assert.deepEqual(payload, { A: ['1', { B: '2' }] });
      payload.A.push('mine');
    }
    assert.deepEqual(body, { A: ['1', { B: '2' }] });
  });

  it('takes names that every object has for what they are', () => {
    const status = new Status({ ...choice, report: 'changes' });
    status.report(reading({ A: '1' }), false);
    const [message] = status.report(reading({ A: '1', constructor: 'x' }), false).messages;
    assert.deepEqual(message?.changes, { constructor: { from: null, to: 'x' } });
  });
});

describe('a copy of JSON', () => {
  it('shares nothing, whatever the names', () => {
    const json: unknown = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"c":true},"d":"e"}');
    const copy = copyOf(json);
    assert.equal(JSON.stringify(copy), '{"a":[1,{"b":null}],"__proto__":{"c":true},"d":"e"}');
    assert.notEqual((copy as { a: unknown }).a, (json as { a: unknown }).a);
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  });
});
