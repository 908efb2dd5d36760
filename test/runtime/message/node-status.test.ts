import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { localized } from '../../../src/catalogue/localized-message';
import { DeviceError, type ErrorCode, errorCodes } from '../../../src/client/errors';
import type { Receipt } from '../../../src/runtime/message/receipt';
import { type Done, doneStatus, sendingStatus } from '../../../src/runtime/message/status';
import { wording } from '../../fixtures/wording';

const words: { status: Record<string, string> } = JSON.parse(
  readFileSync('locales/en-US/shared.json', 'utf8'),
);

/** The words of the locale file, as Node-RED puts values into them. */
function translate(key: string, values: Record<string, string> = {}): string {
  const [, name = ''] = key.split('.');
  return (words.status[name] ?? key).replace(/__(\w+)__/g, (_, value: string) => values[value] ?? '');
}

/** A moment of the clock on this computer's wall. */
const at = new Date(2026, 10, 22, 14, 2, 7);

const receipt = (outcome: Receipt['outcome']) => ({ outcome }) as Receipt;

function statusOf(outcomes: readonly Receipt['outcome'][], more: Partial<Done> = {}) {
  return doneStatus(translate, { receipts: outcomes.map(receipt), error: undefined, at, ...more });
}

const failing = (code: ErrorCode, more: Partial<Done> = {}) =>
  statusOf(['failed'], { error: new DeviceError(code, 'it went wrong'), ...more });

describe('the status under a node', () => {
  it('names the operation in fewer than 20 characters, whatever a message calls it', () => {
    assert.equal(sendingStatus(translate, 'munlock').text, 'munlock…');
    assert.equal(sendingStatus(translate, 'a-very-long-operation-id').text, 'a-very-long-operat…');
  });

  it('says how it went and when, so that the second of two presses is seen', () => {
    assert.deepEqual(statusOf(['accepted']), { fill: 'green', shape: 'dot', text: 'accepted 14:02:07' });
    assert.equal(statusOf(['confirmed']).text, 'confirmed 14:02:07');
    assert.notEqual(
      statusOf(['accepted'], { at: new Date(at.getTime() + 1_000) }).text,
      statusOf(['accepted']).text,
    );
  });

  it('says when to the second also where the words are long, and where it failed', () => {
    assert.deepEqual(failing('AUTHENTICATION'), {
      fill: 'red',
      shape: 'ring',
      text: `${wording('shared:status.AUTHENTICATION')} 14:02:07`,
    });
    assert.equal(failing('TIMEOUT').text, `${wording('shared:status.TIMEOUT')} 14:02:07`);
    assert.equal(statusOf(['accepted', 'accepted']).text, '2 of 2 done 14:02:07');
    const later = statusOf(['accepted'], { acceptedKey: 'status.playsLater' });
    assert.equal(later.text, 'plays in 60-90 s 14:02:07');
  });

  it('has fewer than 20 characters before the time in every case', () => {
    const all = errorCodes.map((code) => failing(code)).concat(statusOf(Array(500).fill('accepted')));
    for (const { text = '' } of all) assert.match(text, /^.{3,19} 14:02:07$/);
  });

  it('says what to write where an address lacks its s', () => {
    const reason = localized('wantsTls', { url: 'https://10.0.0.1' });
    const error = new DeviceError('PROTOCOL', localized('next', { before: 'It failed', next: reason }));
    assert.equal(statusOf(['failed'], { error }).text, 'use https:// 14:02:07');
    assert.equal(failing('PROTOCOL').text, 'invalid response 14:02:07');
  });

  it('says that the outcome is unknown where it is', () => {
    const unknown = (code: ErrorCode) =>
      statusOf(['unknown'], { error: new DeviceError(code, 'it went wrong', { outcome: 'unknown' }) }).text;
    for (const code of ['PROTOCOL', 'ABORTED', 'UNREACHABLE'] as const)
      assert.equal(unknown(code), `${wording('shared:status.unknown')} 14:02:07`, code);
    assert.equal(unknown('TIMEOUT'), `${wording('shared:status.TIMEOUT')} 14:02:07`);
  });

  it('names the parameter that is wrong', () => {
    const wrong = (wrongField: string) => failing('INVALID_PARAMETER', { wrongField }).text;
    assert.equal(wrong('duration'), 'check duration 14:02:07');
    assert.equal(wrong('state.address'), 'check state.address 14:02:07');
    assert.equal(wrong('clockSecondsAnalogColor'), 'check clockSeconds… 14:02:07');
    assert.equal(failing('INVALID_PARAMETER').text, 'invalid parameter 14:02:07');
    assert.equal(failing('UNREACHABLE', { wrongField: 'duration' }).text, 'unreachable 14:02:07');
  });
});
