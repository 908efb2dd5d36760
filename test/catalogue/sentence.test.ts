import assert from 'node:assert/strict';
import { localized, localizedPhrase, type Text } from '../../src/catalogue/localized-message';
import { type Phrase, partsOfFinding } from '../../src/catalogue/phrases';
import { adviceOf, type Reason, reasons } from '../../src/catalogue/reasons';
import { faultOf, sentenceOf } from '../../src/catalogue/sentence';

/** The texts that no reason may contain: the device, its address, the operation, a code, words of the device. */
const kept = {
  device: 'the-device',
  address: 'the-address',
  host: 'the-host',
  url: 'the-url',
  write: 'the-url-to-write',
  operation: 'the/operation',
  code: 'THE_CODE',
  words: 'the-words',
  names: 'the-names',
  fingerprint: 'the-fingerprint',
  got: 'the-value',
};

/** Values as long as they can be. */
const long = {
  port: '65535',
  seconds: '3600',
  count: '200000',
  size: '32 MiB',
  model: '8190S',
  first: '5.7.1',
  version: 'v24.21.0',
  property: 'certificate',
  choices: 'standard, basic, none',
  name: 'audio.page.vol',
  most: '604800',
  date: 'Nov 29 09:17:14 2026 GMT',
  levels: '0, 56, 255',
  row: '1000',
};

/** Frames and details, which are no reasons, and sentences of the editor and of calendars. */
const noReasons: readonly Reason[] = [
  ...([
    'next',
    'listed',
    'both',
    'atPlace',
    'ofOperation',
    'ofPlace',
    'inItsWords',
    'scheduleUnclear',
    'calendarNotRead',
    // The reason of a target that was not tried is the failure of another device.
    'notTried',
    'knownNowhere',
    'passwordsLeftOut',
  ] as const),
  ...(['noReachableAddress', 'otherWallClock', 'noPlace', 'andMore', 'otherResource'] as const),
];

describe('the reason of a failure', () => {
  const details = new Set(Object.values(adviceOf));
  const keys = (Object.keys(reasons) as Reason[]).filter(
    (key) => !details.has(key) && !noReasons.includes(key),
  );

  it('is short, and names neither device, address, operation nor code, whatever the failure', () => {
    assert.ok(keys.length > 150);
    for (const key of keys) {
      const { reason } = faultOf(localized(key, { ...long, ...kept }));
      const words = String(reason);
      assert.ok(words.length > 0 && words.length <= 100, `${key}: ${words}`);
      for (const one of Object.values(kept)) assert.ok(!words.includes(one), `${key}: ${words}`);
    }
  });

  it('is followed by what the operation and the device are, and by its details', () => {
    const at = { operation: 'strobe/start', place: '"Gate" (https://gate)' };
    const sentence = (text: Text) => String(sentenceOf(faultOf(text), at));
    assert.equal(
      sentence(localized('refusesConnections', { port: '443' })),
      'connection refused on port 443: strobe/start at "Gate" (https://gate); is the device on and is the address correct?',
    );
    assert.equal(
      sentence(localized('noConnectionWithin', { seconds: '5' })),
      'no connection within 5 s: strobe/start at "Gate" (https://gate); is the device on and is the address correct?',
    );
    const inner = localized('otherName', { names: 'gate.example' });
    assert.match(
      sentence(localized('untrusted', { reason: inner, fingerprint: 'AB:CD' })),
      /^certificate is issued for a different name: strobe\/start .*; .*AB:CD.*; .*gate\.example$/,
    );
  });

  it('of a parameter has no value that was given', () => {
    for (const [phrase, [reason, detail]] of Object.entries(partsOfFinding)) {
      const values = {
        place: 'pattern',
        limits: 'a number',
        names: 'a, b',
        because: 'here',
        got: '"secret"',
      };
      const fault = faultOf(localizedPhrase(phrase as Phrase, values));
      assert.equal(String(fault.reason), String(localizedPhrase(reason, values)));
      assert.deepEqual(fault.details.map(String), [String(localizedPhrase(detail, values))]);
      assert.ok(!String(fault.reason).includes('secret'));
    }
  });

  it('is cut where it is longer than 100 characters; the sentence then has all of it', () => {
    const text = `x${'y'.repeat(150)}`;
    const fault = faultOf(text);
    assert.equal(String(fault.reason).length, 100);
    assert.equal(
      String(sentenceOf(fault, { operation: 'door/lock' })),
      `${fault.reason}: door/lock; ${text}`,
    );
  });
});
