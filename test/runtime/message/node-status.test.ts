import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { localized } from '../../../src/catalogue/localized-message';
import { DeviceError, type ErrorCode } from '../../../src/client/errors';
import type { Receipt } from '../../../src/runtime/message/receipt';
import { type DoneMessage, doneStatus, sendingStatus } from '../../../src/runtime/message/status';
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

function statusOf(outcomes: readonly Receipt['outcome'][], more: Partial<DoneMessage> = {}) {
  return doneStatus(translate, { receipts: outcomes.map(receipt), error: undefined, at, ...more });
}

const failing = (code: ErrorCode, more: Partial<DoneMessage> = {}) =>
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

  it('says when to the second also where it failed, and the reason', () => {
    assert.deepEqual(failing('AUTHENTICATION'), {
      fill: 'red',
      shape: 'ring',
      text: 'it went wrong 14:02:07',
    });
    assert.equal(statusOf(['accepted', 'accepted']).text, '2 of 2 done 14:02:07');
    const later = statusOf(['accepted'], { acceptedKey: 'status.playsLater' });
    assert.equal(later.text, 'plays in 60-90 s 14:02:07');
  });

  it('says the reason in the language of Node-RED, and in English where that lacks it', () => {
    const reason = localized('refusesConnections', { port: '443' });
    const error = new DeviceError('UNREACHABLE', reason, { operationName: 'door/lock', place: '"Gate"' });
    const shownIn = (language: string) => {
      const words = (key: string) => (key === 'status.language' ? language : key);
      const { text } = doneStatus(words, { receipts: [receipt('failed')], error, at });
      return text;
    };
    assert.equal(shownIn('en'), 'connection refused on port 443 14:02:07');
    const inGerman = wording('reasons:refusesConnections', { port: '443' }, 'de');
    assert.equal(shownIn('de'), `${inGerman} 14:02:07`);
    for (const odd of ['xx', '../de', '']) assert.equal(shownIn(odd), shownIn('en'));
  });

  it('says that the outcome is unknown where it is, and why', () => {
    const error = new DeviceError('PROTOCOL', 'it went wrong', { outcome: 'unknown' });
    const { text } = statusOf(['unknown'], { error });
    assert.equal(text, `${wording('shared:status.unknown')} (it went wrong) 14:02:07`);
  });
});
