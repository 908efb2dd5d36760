import assert from 'node:assert/strict';
import { answerOf, fitting } from '../../src/sites/receipts';
import { maxMessageBytes, type ResultMessage, readMessage, type WireReceipt } from '../../src/sites/wire';

const receiptOf = (device: string, outcome = 'accepted'): WireReceipt => ({
  device,
  address: 'http://192.168.100.100:8080',
  operation: 'strobe/start',
  outcome,
  attempts: 1,
  latencyMs: 12,
  at: '2026-11-22T08:00:00.000Z',
  ...(outcome === 'failed' && { error: { code: 'UNREACHABLE', reason: 'x', message: 'x'.repeat(200) } }),
});
const resultOf = (receipts: readonly WireReceipt[]): ResultMessage => ({
  v: 2,
  instance: 'a',
  at: '',
  receipts,
});
const devices = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    receiptOf(`Room ${index}`, index === 700 ? 'failed' : 'accepted'),
  );

/** As the centre reads it. */
function overBroker(result: ResultMessage): ResultMessage {
  const text = JSON.stringify(fitting(result));
  assert.ok(Buffer.byteLength(text) <= maxMessageBytes, `${text.length}`);
  const read = readMessage('result', text);
  assert.ok(read, 'the centre does not read it');
  return read;
}

describe('a result that is too long for the broker', () => {
  it('is cut to what became of each of 1,500 devices, and says so', () => {
    const { receipts, truncated } = answerOf('north', overBroker(resultOf(devices(1_500))));
    assert.equal(truncated, true);
    assert.equal(receipts.length, 1_500);
    assert.deepEqual(receipts[0], {
      device: 'Room 0',
      operation: 'strobe/start',
      outcome: 'accepted',
      attempts: 1,
      site: 'north',
    });
    assert.equal(receipts[700]?.error?.code, 'UNREACHABLE');
    assert.match(receipts[700]?.error?.message ?? '', /: strobe\/start; UNREACHABLE$/);
  });

  it('counts the best where even that is too long', () => {
    const { outcome, receipts } = answerOf('north', overBroker(resultOf(devices(9_000))));
    assert.equal(outcome, 'failed');
    assert.equal(receipts[0]?.device, 'Room 700');
    const more = Number(receipts.at(-1)?.device.match(/^(\d+) more$/)?.[1]);
    assert.equal(receipts.length - 1 + more, 9_000);
  });

  it('is as it was where it fits, and is cut where an answer is too deep', () => {
    const result = resultOf(devices(10));
    assert.equal(fitting(result), result);
    let response: unknown = 1;
    for (let level = 0; level < 100; level += 1) response = [response];
    assert.equal(overBroker(resultOf([{ ...receiptOf('A'), response }])).truncated, true);
  });

  it('is read by the centre at every depth of an answer, and whole up to a limit', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { more: deep(levels - 1) });
    const isCut = Array.from(
      { length: 40 },
      (_, levels) => overBroker(resultOf([{ ...receiptOf('A'), response: deep(levels) }])).truncated === true,
    );
    const first = isCut.indexOf(true);
    assert.deepEqual([first, isCut.lastIndexOf(false)], [30, 29]);
  });

  it('is read by the centre at every size around the limit', () => {
    const whole = Buffer.byteLength(JSON.stringify(resultOf([receiptOf('A')])));
    for (let spare = -40_000; spare <= 40_000; spare += 500) {
      const note = 'ä'.repeat((maxMessageBytes - whole + spare) / 2);
      overBroker(resultOf([{ ...receiptOf('A'), note }]));
    }
  });
});
