import assert from 'node:assert/strict';
import { GuardedNodeRed, loginOf } from '../fixtures/guarded-node-red';
import type { FlowNode } from '../fixtures/node-red';
import { wording, wordingIn } from '../fixtures/wording';

const adminAuth = loginOf({ boss: '*', looker: 'algo.read' });

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Bells' },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual',
    model: '8301',
    firmware: '5.7',
    auth: 'none',
  },
  { id: 'bells', type: 'algo-device', name: 'Bells', virtual: 'virtual', auth: 'none' },
  {
    id: 'elsewhere',
    type: 'algo-device',
    name: 'Elsewhere',
    address: 'http://127.0.0.1:9',
    auth: 'standard',
  },
];

const from = '2030-09-02';
const bell = { name: 'Lesson', time: '08:00', days: 'mon-fri', audio: 'bell-na.wav', from };

describe("what a scheduler's dialog asks a device", () => {
  let guarded: GuardedNodeRed;

  before(async () => {
    guarded = await GuardedNodeRed.start(flow, { adminAuth });
  });
  after(() => guarded?.nodeRed.stop());

  async function ask(path: string, body: unknown, as = 'boss') {
    const { status, body: answer } = await guarded.post(as, `algo/bells/${path}`, body);
    return { status, answer };
  }

  const preview = { operation: 'preview', parameters: { from, days: 1 } };
  const skip = { operation: 'skip', parameters: { dates: from } };
  const plan = { operation: 'plan', parameters: { tag: 'school', bells: [bell] } };
  const sync = { ...plan, operation: 'sync' };
  const rings = async () => {
    const { answer } = await ask('bells/look', preview);
    const { events } = answer.answer as { events: Record<string, { name: string; skipped: number }[]> };
    return events[from]?.map(({ name, skipped }) => `${name} ${skipped}`);
  };

  const calendar = [
    ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Holiday, a "long" one', 'DTSTART;VALUE=DATE:20300907'],
    ...['END:VEVENT', 'BEGIN:VEVENT', 'SUMMARY:Meeting', 'DTSTART:20300908T090000', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'SUMMARY:Odd', 'DTSTART:soon', 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\r\n');
  const days = { ics: calendar, as: 'exclude', from: '2030-09-01', until: '2030-09-30' };

  it('is what an import would take from a calendar, without a device', async () => {
    const { status, answer } = await ask('calendar', days, 'looker');
    assert.equal(status, 200);
    const { imported, notImported } = answer.answer as Record<string, Record<string, unknown>[]>;
    assert.deepEqual(imported, [
      { date: '2030-09-07', name: 'Holiday, a "long" one' },
      { date: '2030-09-08', name: 'Meeting' },
    ]);
    assert.deepEqual(
      notImported?.map(({ name, line }) => [name, line]),
      [['Odd', 10]],
    );
    const { inside } = answer.localized as { inside: [string, { phrase: string }][] };
    assert.deepEqual(
      inside.map(([english, { phrase }]) => [english, phrase]),
      [
        [notImported?.[0]?.reason, 'icsTime'],
        [wording('reasons:wholeDays', { entries: 'Meeting' }), 'wholeDays'],
      ],
    );
    const none = await ask('calendar', { ...days, match: 'Holliday' });
    const { warnings: hints } = none.answer.answer as { warnings: string[] };
    assert.deepEqual(hints, [wording('reasons:noDayImported')]);
    const cut = await ask('calendar', { ...days, ics: calendar.slice(0, 200), as: 'bells' });
    const { warnings } = cut.answer.answer as { warnings: string[] };
    assert.deepEqual(warnings, [wording('reasons:icsCutOff')]);
    const bells = await ask('calendar', { ...days, as: 'bells', match: 'meet' });
    assert.deepEqual((bells.answer.answer as { bells: { name: string; time: string }[] }).bells, [
      { name: 'Meeting', time: '09:00', days: 'once', audio: '-', from: '2030-09-08', until: '2030-09-08' },
    ]);
  });

  it('is no import of a text that is none, and of a calendar that is too long', async () => {
    for (const [wrong, words] of [
      [{ ...days, ics: 'Dear parents' }, wordingIn('phrases:icsNone')],
      [{ ...days, as: 'lessons' }, /as must be/],
      [{ ...days, match: [3] }, /match/],
      [{ as: 'skip' }, /ics/],
    ] as const) {
      const { status, answer } = await ask('calendar', wrong);
      assert.equal(status, 200);
      assert.match(String(answer.error), words);
      assert.equal(answer.answer, undefined);
    }
    assert.equal((await ask('calendar', [])).status, 400);
    assert.equal((await ask('calendar', { ...days, ics: calendar.padEnd(8_000_001) })).status, 413);
  });

  it('is a plan, which changes nothing, and then the change', async () => {
    for (const change of [sync, skip]) assert.equal((await ask('bells/look', change)).status, 400);
    const { answer } = await ask('bells/look', plan);
    assert.deepEqual((answer.answer as { created: unknown }).created, [bell]);
    assert.deepEqual(await rings(), []);
    const done = await ask('bells/change', sync);
    assert.deepEqual([done.status, done.answer.outcome], [200, 'accepted']);
    assert.deepEqual(await rings(), ['Lesson 0']);
    assert.deepEqual(((await ask('bells/look', plan)).answer.answer as { unchanged: unknown }).unchanged, 1);
  });

  it('is nothing to be warned of where the device is a virtual one', () => {
    assert.doesNotMatch(guarded.nodeRed.log(), /https/);
  });

  it('is a day on which one bell is skipped, and restored', async () => {
    const { answer } = await ask('bells/look', preview);
    const { events } = answer.answer as { events: Record<string, { evid: number }[]> };
    const parameters = { dates: from, evid: events[from]?.[0]?.evid };
    assert.equal((await ask('bells/change', { operation: 'skip', parameters })).answer.outcome, 'accepted');
    assert.deepEqual(await rings(), ['Lesson 1']);
    assert.equal((await ask('bells/change', { operation: 'unskip', parameters })).answer.outcome, 'accepted');
    assert.deepEqual(await rings(), ['Lesson 0']);
  });

  it('is a preview of thousands of bells, which is answered day by day', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => ({
      ...bell,
      name: `Bell ${index}`,
      days: 'daily',
    }));
    const parameters = { tag: 'many', bells: many, from, days: 30 };
    const { status, answer } = await ask('bells/look', { operation: 'preview', parameters });
    assert.deepEqual([status, answer.outcome], [200, 'accepted'], JSON.stringify(answer).slice(0, 500));
    const { events } = answer.answer as { events: Record<string, { name: string }[]> };
    assert.equal(Object.keys(events).length, 30);
    for (const instances of Object.values(events)) {
      assert.equal(instances.filter(({ name }) => name.startsWith('Bell ')).length, 1_500);
    }
    assert.match(String(answer.note), wordingIn('reasons:responseLeftOut'));
  });

  it('names what is wrong with a bell', async () => {
    const wrong = { ...plan, parameters: { tag: 'school', bells: [bell, { ...bell, time: '25:00' }] } };
    const { status, answer } = await ask('bells/look', wrong);
    assert.deepEqual([status, answer.code, answer.answer], [200, 'INVALID_PARAMETER', undefined]);
    assert.match(
      String(answer.error),
      wordingIn('phrases:mustBe', { place: 'bells[1].time', limits: wording('phrases:time') }),
    );
  });

  it('is about deployed devices only, and names no address', async () => {
    for (const id of ['virtual', 'tab', 'http:%2F%2F127.0.0.1', '__proto__', 'nobody']) {
      assert.equal((await ask(`${id}/look`, preview)).status, 404, id);
    }
    const address = { operation: 'preview', parameters: { ...preview.parameters, address: '127.0.0.1' } };
    assert.equal((await ask('bells/look', address)).answer.code, 'INVALID_PARAMETER');
    assert.equal((await ask('elsewhere/look', preview)).answer.code, 'NOT_CONFIGURED');
    assert.equal((await ask('bells/look', { operation: 'constructor', parameters: {} })).status, 400);
    assert.equal((await ask('bells/look', [])).status, 400);
  });

  it('is how a scheduler calls another device, without a secret and without asking it', async () => {
    const call = (id: string, operation: string, parameters: unknown = {}) =>
      ask(`${id}/look`, { operation: 'call', parameters: { operation, parameters } });
    const { status, answer } = await call('elsewhere', 'tone/start', { path: 'chime.wav', loop: false });
    assert.equal(status, 200);
    const { payload, ...entry } = answer.answer as { payload: string };
    assert.deepEqual(entry, {
      method: 'POST',
      target: 'http://127.0.0.1:9',
      path: '/api/controls/tone/start',
      name: 'Play a tone: Elsewhere',
    });
    assert.deepEqual(JSON.parse(payload), { path: 'chime.wav', loop: false });
    const without = (await call('elsewhere', 'strobe/stop')).answer.answer as { payload: string };
    assert.equal(without.payload, '{}');
    const status2 = (await call('elsewhere', 'info/status')).answer.answer as { method: string };
    assert.deepEqual([status2.method, 'payload' in status2], ['GET', false]);
    assert.match(
      String((await call('elsewhere', 'tone/start', { paht: 'x' })).answer.error),
      /path is required/,
    );
    for (const operation of [
      'tone/upload-play',
      'scheduler/sync',
      'request/request',
      'tone/nothing',
      '__proto__/x',
    ])
      assert.equal((await call('elsewhere', operation, { path: 'x' })).answer.answer, undefined, operation);
    assert.match(String((await call('bells', 'strobe/stop')).answer.error), /no address/);
    assert.equal((await call('virtual', 'strobe/stop')).status, 404);
  });

  it('is no more than a person presses', async () => {
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask('bells/change', {})));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 10, String(refused.length));
    assert.equal((await ask('bells/look', preview)).status, 200);
    assert.equal((await ask('bells/change', skip, 'nobody')).status, 401);
  });
});
