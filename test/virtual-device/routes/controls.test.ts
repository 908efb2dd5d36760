import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

/** A table of requests: what is sent, and whether it is taken. */
type Case = readonly [what: string, body: object, isTaken: boolean];

function holds(model: string, route: string, cases: readonly Case[]): void {
  for (const [what, body, isTaken] of cases)
    it(`${isTaken ? 'takes' : 'refuses'} ${what}`, () =>
      withDevice({ model }, async ({ sendJson }) => {
        const reply = await sendJson(route, body);
        assert.equal(reply.status, isTaken ? 200 : 400, reply.text);
        if (isTaken) assert.equal(reply.text, '');
      }));
}

/** Which models have a route, from firmware 5.7 on or the one given. */
async function gates(
  route: string,
  body: object | undefined,
  having: readonly string[],
  missing: readonly string[],
): Promise<void> {
  for (const model of [...having, ...missing])
    await withDevice({ model }, async ({ sendJson }) => {
      const { status } = await sendJson(route, body);
      assert.equal(status !== 404, having.includes(model), `${model}: ${status}`);
    });
}

describe('the virtual device: calls (section 4.6)', () => {
  const START = 'POST /api/controls/call/start';
  const call = { extension: '200', tone: 'chime.wav' };
  holds('8301', START, [
    ['a call', call, true],
    ['every field', { ...call, interval: '5', maxdur: '60', dtmf: '1234567,*#ABCD9' }, true],
    ['16 characters of dtmf', { ...call, dtmf: '1234567890123456' }, false],
    ['letters in dtmf', { ...call, dtmf: '1E' }, false],
    ['a number for an extension', { ...call, extension: 200 }, false],
    ['a number for maxdur', { ...call, maxdur: 60 }, false],
    ['no tone', { extension: '200' }, false],
    ['an unknown tone', { ...call, tone: 'x.wav' }, false],
  ]);
  it('ends after maxdur, or when told', () =>
    withDevice({}, async ({ device, clock, sendJson }) => {
      await sendJson(START, { ...call, maxdur: '60' });
      assert.equal(JSON.parse((await sendJson('GET /api/info/status')).text)['Call Status'], 'Connected');
      clock.advance(60_000);
      assert.equal(device.state.call, null);
      await sendJson(START, call);
      assert.deepEqual(device.state.call, call);
      await sendJson('POST /api/controls/call/stop');
      assert.equal(device.state.call, null);
    }));
  it('knows dtmf from 5.7 on', () =>
    withDevice({ firmware: '5.6' }, async ({ sendJson }) => {
      assert.equal((await sendJson(START, { ...call, dtmf: '1' })).status, 400);
    }));
  it('starts and stops on the union of the two lists, pages on speakers', async () => {
    await gates(
      START,
      call,
      ['8180', '8190S', '8063', '8305', '8312', '8410'],
      ['8128', '8450', '8201', '8373'],
    );
    await gates('POST /api/controls/call/stop', undefined, ['8063', '8305', '8301'], ['8128', '8450']);
    await gates(
      'POST /api/controls/call/page',
      { extension: '1' },
      ['8186', '8420'],
      ['8301', '8063', '8201'],
    );
  });
});

describe('the virtual device: relay and 24 V (section 4.7)', () => {
  it('switches the 24 V output', () =>
    withDevice({ model: '8063' }, async ({ device, sendJson }) => {
      assert.equal((await sendJson('POST /api/controls/24v/enable')).status, 200);
      assert.equal(device.state.aux24v, 'enabled');
      await sendJson('POST /api/controls/24v/disable');
      assert.equal(device.state.aux24v, 'disabled');
    }));
  it('switches the relay, for a while or for good', () =>
    withDevice({ model: '8063' }, async ({ device, clock, sendJson }) => {
      await sendJson('POST /api/controls/relay/menable', { duration: 5 });
      assert.equal(device.state.relay, 'enabled');
      clock.advance(5000);
      assert.equal(device.state.relay, 'disabled');
      await sendJson('POST /api/controls/relay/menable', { duration: 5 });
      await sendJson('POST /api/controls/relay/enable');
      clock.advance(60_000);
      assert.equal(device.state.relay, 'enabled');
      await sendJson('POST /api/controls/relay/disable');
      assert.equal(device.state.relay, 'disabled');
      assert.equal((await sendJson('POST /api/controls/relay/menable', { duration: '5' })).status, 400);
    }));
  it('has them on the 8063, menable from 5.6 on', async () => {
    await gates('POST /api/controls/relay/enable', undefined, ['8063'], ['8301', '8039']);
    await withDevice({ model: '8063', firmware: '5.5' }, async ({ sendJson }) => {
      assert.equal((await sendJson('POST /api/controls/relay/menable', { duration: 5 })).status, 404);
    });
  });
});

describe('the virtual device: streams (section 4.5)', () => {
  it('listens to a stream until it is told to stop', () =>
    withDevice({}, async ({ device, sendJson }) => {
      assert.equal((await sendJson('POST /api/controls/rx/start', { port: '5002' })).status, 200);
      assert.deepEqual(device.state.rx, { port: '5002' });
      assert.equal((await sendJson('POST /api/controls/rx/stop')).status, 200);
      assert.equal(device.state.rx, null);
      for (const port of [5002, '0', '65536', 'x'])
        assert.equal((await sendJson('POST /api/controls/rx/start', { port })).status, 400, String(port));
    }));
  it('does not on the 8450', () => gates('POST /api/controls/rx/stop', undefined, ['8128'], ['8450']));
});

describe('the virtual device: strobes (section 4.10)', () => {
  const START = 'POST /api/controls/strobe/start';
  const flash = (pattern: number, ledlvl: string, more: object = {}) => ({
    pattern,
    color1: 'red',
    ledlvl,
    ...more,
  });
  for (const [model, patterns, unnamed, levels, absentLevel] of [
    ['8128', [0, 1, 3, 5, 7, 8, 11, 12, 13, 14, 15], [2, 4, 6, 9, 10, 16], ['0', '56', '255'], '1'],
    ['8138', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15], [10, 16], ['0', '56', '255'], '2'],
    ['8190S', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [10, 15], ['1', '2', '3'], '255'],
    ['8420', [0, 2, 3, 9, 14, 15], [1, 16], ['0', '56', '255'], '3'],
  ] as const)
    it(`has the patterns and brightness of the ${model}`, () =>
      withDevice({ model }, async ({ sendJson }) => {
        for (const pattern of patterns)
          assert.equal((await sendJson(START, flash(pattern, levels[0]))).status, 200, `pattern ${pattern}`);
        // Which numbers are valid is not documented.
        for (const pattern of unnamed)
          assert.equal((await sendJson(START, flash(pattern, levels[0]))).status, 200, `pattern ${pattern}`);
        for (const level of levels) assert.equal((await sendJson(START, flash(0, level))).status, 200, level);
        assert.equal((await sendJson(START, flash(0, absentLevel))).status, 400);
        const second = await sendJson(START, flash(0, levels[0], { color2: 'blue' }));
        assert.equal(second.status, ['8138', '8420'].includes(model) ? 200 : 400);
      }));
  holds('8138', START, [
    ['every field', flash(0, '56', { color2: 'amber', duration: 10 }), true],
    ['no color', { pattern: 0, ledlvl: '0' }, false],
    ['another color', { pattern: 0, ledlvl: '0', color1: 'white' }, false],
    ['brightness as a number', { pattern: 0, ledlvl: 0, color1: 'red' }, false],
    ['a pattern as a string', { pattern: '0', ledlvl: '0', color1: 'red' }, false],
    ['a fractional duration', flash(0, '0', { duration: 1.5 }), false],
  ]);
  it('goes out after duration, when told, and by the pattern Off', () =>
    withDevice({ model: '8410' }, async ({ device, clock, sendJson }) => {
      await sendJson(START, flash(7, '255', { duration: 10 }));
      clock.advance(9_999);
      assert.deepEqual(device.state.strobe, { pattern: 7, color1: 'red', ledlvl: '255', duration: 10 });
      clock.advance(1);
      assert.equal(device.state.strobe, null);
      await sendJson(START, flash(7, '255'));
      await sendJson('POST /api/controls/strobe/stop');
      assert.equal(device.state.strobe, null);
      await sendJson(START, flash(7, '255'));
      await sendJson(START, flash(15, '255'));
      assert.equal(device.state.strobe, null);
    }));
  it('has duration from 5.7 on', () =>
    withDevice({ model: '8128', firmware: '5.6' }, async ({ sendJson }) => {
      assert.equal((await sendJson(START, flash(0, '0', { duration: 1 }))).status, 400);
    }));
  it('exists on five models', () =>
    gates(START, flash(0, '0'), ['8128', '8138', '8190S', '8410', '8420'], ['8190', '8301', '8063']));
});

describe('the virtual device: the console (section 4.11)', () => {
  const active = async (sendJson: (route: string) => Promise<{ text: string }>): Promise<unknown> =>
    JSON.parse((await sendJson('GET /api/console/event/status')).text);
  it('starts an event per button, and stops those that are meant', () =>
    withDevice(
      { model: '8450', buttons: { fire: 'emergency', hall: 'pageTone', all: 'pageMic' } },
      async ({ sendJson }) => {
        const press = (id: string) => sendJson('POST /api/controls/console/button/activate', { id });
        const stop = async (type: string) => {
          const reply = await sendJson('POST /api/controls/console/event/stop', { type });
          assert.match(reply.headers['content-type'] ?? '', /^text\/plain/);
          return reply.text;
        };
        for (const id of ['fire', 'hall', 'all']) assert.equal((await press(id)).text, '');
        assert.equal((await press('nobody')).status, 400);
        assert.deepEqual(await active(sendJson), {
          active: [{ type: 'emergency' }, { type: 'pageTone' }, { type: 'pageMic' }],
        });
        assert.equal(await stop('nonEmergency'), 'Stopped 2 event(s).');
        assert.equal(await stop('call'), 'Stopped 0 event(s).');
        assert.deepEqual(await active(sendJson), { active: [{ type: 'emergency' }] });
        assert.equal(await stop('all'), 'Stopped 1 event(s).');
        assert.deepEqual(await active(sendJson), { active: [] });
        assert.equal((await sendJson('POST /api/controls/console/event/stop', { type: 'some' })).status, 400);
      },
    ));
  it('takes any identifier when no buttons are configured', () =>
    withDevice({ model: '8450' }, async ({ sendJson }) => {
      assert.equal((await sendJson('POST /api/controls/console/button/activate', { id: 'x1' })).status, 200);
      assert.deepEqual(await active(sendJson), { active: [{ type: 'pageTone' }] });
      const status = JSON.parse((await sendJson('GET /api/info/status')).text);
      assert.equal(status.Console, 'Paging with Tone Active');
    }));
  it('is an 8450', () => gates('GET /api/console/event/status', undefined, ['8450'], ['8301', '8420']));
});

describe('the virtual device: emergency alerts (section 4.12)', () => {
  const START = 'POST /api/controls/emergency-alert/start';
  holds('8128', START, [
    ['announcement 1', { announcement: 1 }, true],
    ['announcement 10', { announcement: 10 }, true],
    ['announcement 0', { announcement: 0 }, false],
    ['announcement 11', { announcement: 11 }, false],
    ['an announcement in words', { announcement: '1' }, false],
    ['none', {}, false],
  ]);
  it('plays until it is stopped', () =>
    withDevice({}, async ({ device, sendJson }) => {
      await sendJson(START, { announcement: 3 });
      assert.equal(device.state.emergency, 3);
      await sendJson('POST /api/controls/emergency-alert/stop');
      assert.equal(device.state.emergency, null);
    }));
  it('exists on four classes of products', () =>
    gates(START, { announcement: 1 }, ['8186', '8301', '8138', '8410'], ['8063', '8450', '8201']));
});
