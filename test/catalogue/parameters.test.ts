import assert from 'node:assert/strict';
import { patternNames } from '../../src/catalogue/strobe-patterns';
import { findings, sent } from './check';

const file = 'a path in the file manager such as tones/chime.wav, without "." and ".." and empty parts';

describe('parameters', () => {
  describe('that lose nothing on the way to the type of the wire', () => {
    // Forms that no transcript has.
    const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['tone/stop', { path: undefined }, {}],
      ['audio/noise-update', { level: -12 }, { level: '-12' }],
      ['settings/put', { 'audio.noise.use': 1 }, { 'audio.noise.use': '1' }],
      [
        'strobe/start',
        { pattern: 'rotate fast', color1: 'red', ledlvl: 'HIGH' },
        { pattern: 'Rotate Fast', color1: 'red', ledlvl: 'high' },
      ],
      [
        'screen/start',
        { type: 'template', template: 'reminder', text3: '', strobeFlash: 'OFF' },
        { type: 'template', template: 'reminder', text3: '', strobeFlash: 'Off' },
      ],
      ['files/list', { path: '/tones/' }, { path: 'tones' }],
      ['files/get', { path: '/tones/50% off #1 ü.wav' }, { path: 'tones/50% off #1 ü.wav' }],
      ['files/delete', { path: '/tones/a.wav' }, { path: 'tones/a.wav' }],
      ['files/put', { path: 'a.txt', content: 'ü' }, { path: 'a.txt', content: Buffer.from([0xc3, 0xbc]) }],
    ];
    for (const [operationName, given, expected] of cases) {
      it(`${operationName} takes ${JSON.stringify(given)}`, () =>
        assert.deepEqual(sent(operationName, given), expected));
    }
  });

  it('are not sent when they are only asked for', () => {
    assert.deepEqual(sent('settings/restore', { confirm: true }), {});
  });

  it('keep the very bytes of a content', () => {
    const content = Buffer.from('RIFF');
    assert.equal(sent('tone/upload-play', { content, loop: true }).content, content);
  });

  describe('that are wrong are named, with what they may be and what came', () => {
    const cases: [string, Record<string, unknown>, string[]][] = [
      ['door/lock', {}, ['doorid is required: one of netdc1, local']],
      ['door/lock', { doorid: 'Local' }, ['doorid must be one of netdc1, local; got "Local"']],
      ['door/lock', { doorid: 'local', door: 1 }, ['door is not a parameter; known parameters: doorid']],
      ['tone/stop', { path: null }, ['path must be text that is not empty; got null']],
      [
        'tone/start',
        { path: 'a.wav', loop: false, duration: 1.5 },
        ['duration must be a whole number of seconds, 0 or more; got 1.5'],
      ],
      [
        'tone/start',
        { path: 'a.wav', loop: false, state: { group: 26, type: 'poly', zone: 1 } },
        [
          'state.zone is not a parameter; known parameters: mode, address, port, type, group',
          'state.group must be a whole number from 1 to 25; got 26',
        ],
      ],
      [
        'audio/mcast-update',
        { mode: 'sender', address: '224.0.2.60', port: '0', group: 3 },
        [
          'type is required: one of poly, rtp',
          'port must be a port number from 1 to 65535; got "0"',
          'type is required when group is given: one of poly, rtp',
        ],
      ],
      [
        'tone/upload-play',
        { content: 'RIFF' },
        ['content must be a Buffer (set the http request node to return a binary buffer); got "RIFF"'],
      ],
      ['files/put', { path: 'a', content: 7 }, ['content must be a Buffer or text; got 7']],
      ['info/about', { x: 1 }, ['x is not a parameter; no parameters exist here']],
      ['settings/restore', {}, ['confirm is required: true']],
      [
        'settings/put',
        { 'api.admin.pwd': ['s3cr3t'] },
        ['api.admin.pwd must be text or a number (write on and off as "1" and "0"); got ***'],
      ],
      ['settings/put', {}, ['a parameter is required: give the name and the value of at least one']],
      [
        'settings/put',
        { 'audio.mic.mute': true },
        ['audio.mic.mute must be text or a number (write on and off as "1" and "0"); got true'],
      ],
      [
        'settings/put',
        { 'a/b': '1' },
        ['a/b cannot be sent; it must be the name of a setting such as audio.page.vol, without a slash'],
      ],
      [
        'settings/put',
        JSON.parse('{"__proto__":"1"}'),
        [
          '__proto__ cannot be sent; it must be the name of a setting such as audio.page.vol, without a slash',
        ],
      ],
      [
        'settings/get',
        { name: 'hasOwnProperty' },
        ['name must be the name of a setting such as audio.page.vol, without a slash; got "hasOwnProperty"'],
      ],
      [
        'call/start',
        { extension: '1', tone: 'a.wav', dtmf: '1234567890123456' },
        [
          'dtmf must be at most 15 characters consisting of digits, *, #, A to D, and commas for pauses of 500 ms; got "1234567890123456"',
        ],
      ],
      [
        'strobe/start',
        { pattern: 0, color1: 'navy', ledlvl: '4' },
        [
          'color1 must be one of red, blue, green, amber; got "navy"',
          'ledlvl must be one of low, medium, high, 0, 56, 255, 1, 2, 3; got "4"',
        ],
      ],
      [
        'strobe/start',
        { pattern: 'disco', color1: 'red', ledlvl: 'low' },
        [`pattern must be a whole number, 0 or more, or one of ${patternNames.join(', ')}; got "disco"`],
      ],
      ['files/get', { path: 'tones/' }, [`path must be ${file}; got "tones/"`]],
      ['files/get', { path: 'a\nb' }, [`path must be ${file}; got "a\\nb"`]],
      ['files/md5sum', {}, [`path is required: ${file}`]],
    ];
    for (const [operationName, given, expected] of cases) {
      it(`${operationName} refuses ${JSON.stringify(given)}`, () =>
        assert.deepEqual([...findings(operationName, given)].sort(), [...expected].sort()));
    }
  });
});
