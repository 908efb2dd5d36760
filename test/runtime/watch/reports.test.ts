import assert from 'node:assert/strict';
import { copyOf, type Reading } from '../../../src/runtime/watch/reading';
import { RelayInput } from '../../../src/runtime/watch/relay-input';
import { Status } from '../../../src/runtime/watch/status';
import { volatileFields } from '../../../src/runtime/watch/status-fields';

const reading = (body: unknown, second = 0): Reading => ({
  body,
  at: second * 1000,
  monotonic: second * 1000,
});

const choice = { watched: [], ignored: volatileFields, counters: false, initial: true } as const;

describe('what is reported of a relay input', () => {
  const input = (raw: unknown, second: number) => reading({ 'input.relay.status': raw }, second);

  it('is nothing for the same words again, but the record for who asks', () => {
    const relay = new RelayInput({ input: 'relay', edge: 'both', debounceMs: 0, initial: true });
    assert.equal(relay.report(input('idle', 0), false).messages.length, 1);
    for (const second of [1, 2]) {
      const { messages, changed, status } = relay.report(input('idle', second), false);
      assert.deepEqual(
        { messages, changed, status },
        { messages: [], changed: false, status: { key: 'state.idle' } },
      );
    }
    assert.deepEqual(relay.report(input('idle', 3), true).messages, []);
    assert.deepEqual(relay.answer().payload, {
      state: 'idle',
      description: '',
      raw: 'idle',
      since: '1970-01-01T00:00:00.000Z',
    });
  });

  it('is told by the words, one or a list', () => {
    const relay = new RelayInput({ input: 'relay', edge: 'both', debounceMs: 0, initial: true });
    relay.report(input(['idle', 'door'], 0), false);
    assert.equal(relay.report(input(['idle', 'door'], 1), false).changed, false);
    assert.equal(relay.report(input(['active', 'door'], 2), false).changed, true);
  });

  it('is no edge while a state bounces, however the words repeat', () => {
    const relay = new RelayInput({ input: 'relay', edge: 'both', debounceMs: 2000, initial: true });
    const isChanged = ['idle', 'active', 'idle', 'idle', 'active', 'active', 'active', 'active'].map(
      (raw, second) => relay.report(input(raw, second), false).changed,
    );
    assert.deepEqual(isChanged, [false, false, false, false, false, false, true, false]);
  });
});

describe('what is reported of a status', () => {
  it('is what differs from the record that was reported, not from the last reading', () => {
    const status = new Status({ ...choice, report: 'changes' });
    status.report(reading({ 'Date / Time': '1', A: '1' }), false);
    assert.deepEqual(status.report(reading({ 'Date / Time': '2', A: '1' }), false).messages, []);
    const [message] = status.report(reading({ 'Date / Time': '3', A: '2' }), false).messages;
    assert.deepEqual(message, {
      payload: { 'Date / Time': '3', A: '2' },
      changes: { A: { from: '1', to: '2' } },
      parsed: {},
    });
    assert.equal(status.report(reading({ 'Date / Time': '4', A: '2' }), false).changed, false);
  });

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
