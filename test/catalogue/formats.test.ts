import assert from 'node:assert/strict';
import { colorNames } from '../../src/catalogue/color-names';
import { formats, isAcceptable } from '../../src/catalogue/formats';
import type { Format } from '../../src/catalogue/operation';

/** For each format, texts that it takes and texts that it does not. */
const cases: Record<Format, { takes: string[]; refuses: string[] }> = {
  seconds: { takes: ['0', '5', '3600'], refuses: ['', '-1', '1.5', '5 s', '1e3'] },
  port: { takes: ['1', '5004', '65535'], refuses: ['', '0', '65536', '080', '5004 '] },
  decibel: { takes: ['65', '-12', '-12dB', '45.5 dB'], refuses: ['', 'loud', '12db', '--3', 'dB'] },
  dtmf: { takes: ['123', ',,12#', '*9D'], refuses: ['', '12E', '1 2', 'a'] },
  color: {
    takes: ['navy', 'rebeccapurple', '#1a2b3c', '#1A2B3C'],
    refuses: ['', 'Navy', 'reddish', '#abc', '1a2b3c', 'rgb(0,0,0)'],
  },
  'hex-color': { takes: ['#00ff00', '#00FF00'], refuses: ['', 'green', '#0f0', '00ff00'] },
  date: {
    takes: ['2026-05-31', '2028-02-29'],
    refuses: ['', '2026-02-29', '2026-13-01', '26-05-31', '2026-5-31', '31.05.2026', '2026-06-31'],
  },
  dates: {
    takes: ['', '2026-05-31', '2026-05-31,2026-06-01'],
    refuses: ['2026-05-31,', '2026-05-31, 2026-06-01', '2026-05-31;2026-06-01', '2026-02-29,2026-05-31'],
  },
  'start-date': { takes: ['', '2026-05-31'], refuses: ['today', '2026-02-29'] },
  time: { takes: ['00:00', '23:59', '07:30:15'], refuses: ['', '24:00', '7:30', '07-30:15', '07:60'] },
  rrule: {
    takes: [
      '',
      'FREQ=DAILY',
      'INTERVAL=2;FREQ=WEEKLY;BYDAY=MO,FR',
      'FREQ=MONTHLY;BYDAY=1MO,-1FR;COUNT=10',
      'FREQ=YEARLY;UNTIL=20271231T235959Z',
      'FREQ=DAILY;UNTIL=20271231',
    ],
    refuses: [
      'FREQ=HOURLY',
      'freq=daily',
      'INTERVAL=2',
      'FREQ=DAILY; COUNT=3',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;FREQ=WEEKLY',
      'FREQ=WEEKLY;BYDAY=MONDAY',
      'FREQ=DAILY;BYHOUR=7',
      'RRULE:FREQ=DAILY',
      'FREQ=DAILY=X',
      'FREQ=DAILY;',
    ],
  },
  json: { takes: ['{}', '"x"', '[1]', ' 7 ', ''], refuses: ['{', "{'a':1}", 'x'] },
  'target-path': {
    takes: ['/api/controls/tone/stop', 'api/x?y=1'],
    refuses: ['', 'https://192.0.2.7/api', '//192.0.2.7/api', '/a b'],
  },
  'request-path': {
    takes: [
      '/api/info/about',
      '/api/schedules?events=&days=2',
      '/api/files/',
      '/a%20b',
      '/.well-known',
      '/a..b',
    ],
    refuses: [
      '',
      'api',
      '//evil.example/api',
      'https://evil.example',
      '/a b',
      '/a#b',
      '/a\\b',
      '/../x',
      '/a/%2e%2E',
      '/a/.?b',
      '/é',
    ],
  },
  'setting-name': {
    takes: ['audio.page.vol', 'a%b', 'sip.u1.user'],
    refuses: [
      '',
      'a/b',
      '/a',
      '.',
      '..',
      '%2e%2E',
      'a%2fb',
      'a\nb',
      '__proto__',
      'hasOwnProperty',
      'toString',
    ],
  },
  'file-path': {
    takes: ['a', 'tones/chime.wav', 'tones/50% off #1 ü?.wav', 'a/..b', 'a/...'],
    refuses: [
      '',
      '/a',
      'a/',
      'a//b',
      '.',
      'a/./b',
      '../a',
      'a/..',
      'a/%2e%2e/b',
      'a/.%2E/b',
      '..%2Fa',
      'a%2f%2Fb',
      'a\u0000b',
      'a%00b',
      'a\u007fb',
      'a\ud800b',
    ],
  },
  'folder-path': { takes: ['tones', 'a/b'], refuses: ['', '/tones', 'tones/', '..', 'a//b'] },
};

describe('formats', () => {
  for (const [format, { takes, refuses }] of Object.entries(cases)) {
    it(`take and refuse as ${format}`, () => {
      assert.ok(takes.length > 0 && refuses.length > 0);
      const taken = [...takes, ...refuses].filter((text) => isAcceptable(format as Format, text));
      assert.deepEqual(taken, takes);
    });
  }

  it('are all tried here', () => assert.deepEqual(Object.keys(cases).sort(), Object.keys(formats).sort()));

  it('know the names of 148 colors', () => {
    assert.equal(colorNames.size, 148);
    for (const name of ['aliceblue', 'grey', 'gray', 'lightgoldenrodyellow', 'yellowgreen']) {
      assert.ok(colorNames.has(name), name);
    }
  });
});
