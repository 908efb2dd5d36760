import assert from 'node:assert/strict';
import { call } from '../../../src/catalogue/call';
import { wordingIn } from '../../fixtures/wording';
import { Day, inputText } from './day';

describe('readings', () => {
  let day: Day;

  afterEach(() => day.end());

  const sent = (output: 1 | 2) => day.events.filter((event) => event.output === output);

  it('are shared at the shortest interval, and no two are under way at a time', async () => {
    day = await Day.begin({});
    for (const interval of [60, 20, 30]) day.deploy('algo-relay-input', { interval });
    await day.until('00:10');
    assert.equal(sent(1).length, 3);
    assert.equal(day.readings.length, 30);
  });

  it('come early after an action that changed something', async () => {
    day = await Day.begin({});
    day.deploy('algo-status', { interval: 3600 });
    await day.until('00:01');
    await day.device.call(call.operations[0], { extension: '100', tone: 'bell-na.wav' });
    await day.until('00:01:02');
    assert.deepEqual(sent(1)[1]?.message?.changes, { 'Call Status': { from: 'Idle', to: 'Connected' } });
  });

  it('end with the last node, and are as they were for the others', async () => {
    day = await Day.begin({});
    const [one, other] = [day.deploy('algo-relay-input'), day.deploy('algo-relay-input')];
    await day.until('00:05');
    const before = day.readings.length;
    one.emit('close', false, () => {});
    await day.until('00:10');
    assert.equal(day.readings.length - before, 5);
    other.emit('close', false, () => {});
    assert.equal(day.clock.pending, 0);
  });

  it('report every reading, or each field, where that is wanted', async () => {
    day = await Day.begin({});
    day.deploy('algo-status', { report: 'every' });
    day.deploy('algo-status', {
      report: 'fields',
      fields: 'Relay Input Status, Call Status',
      initial: false,
    });
    await day.until('00:02:30');
    assert.equal(sent(1).length, 3);
    day.virtual.setInput('relay', 'active');
    await day.until('00:03:30');
    const [field] = sent(1).filter(({ message }) => message?.field);
    assert.equal(sent(1).length, 5);
    const [from, to] = [inputText('idle'), inputText('active')];
    assert.equal(field?.message?.payload, to);
    assert.deepEqual(field?.message?.changes, { 'Relay Input Status': { from, to } });
  });

  it('of one node are not delayed by messages to another', async () => {
    day = await Day.begin({});
    day.deploy('algo-relay-input');
    const other = day.deploy('algo-relay-input', { interval: 600 });
    await day.until('00:01:30');
    const before = day.readings.length;
    for (let second = 120; second <= 600; second += 30) {
      await day.until(`00:${Math.floor(second / 60)}:${second % 60}`);
      await day.send(other, { operation: 'pause' });
    }
    assert.ok(day.readings.length - before >= 8, String(day.readings.length - before));
  });

  it('share nothing that a flow could change', async () => {
    day = await Day.begin({});
    for (const report of ['changes', 'every', 'fields']) day.deploy('algo-status', { report });
    await day.until('00:01');
    for (const { message } of sent(1)) Object.assign(message?.changes ?? assert.fail(), { mine: 1 });
    const before = sent(1).length;
    day.deploy('algo-status', { initial: true });
    await day.until('00:02:30');
    const later = sent(1).slice(before);
    assert.ok(later.length >= 2);
    for (const { message } of later) assert.deepEqual(message?.changes, {});
  });

  it('tell when the device was last seen before an absence, also where single answers came meanwhile', async () => {
    day = await Day.begin({});
    day.deploy('algo-relay-input', { interval: 10 });
    await day.until('00:10:08');
    day.proxy.mode = 'cut';
    await day.until('00:20');
    const seen = day.readings.length;
    day.proxy.mode = 'open';
    while (day.readings.length === seen) await day.until(timeOf(day.second + 1));
    day.proxy.mode = 'cut';
    await day.until('00:30');
    day.proxy.mode = 'open';
    await day.until('00:35');
    const payloads = sent(2).map(({ message }) => message?.payload);
    assert.deepEqual(
      payloads.map((payload) => payload?.connection),
      ['lost', 'restored'],
    );
    for (const payload of payloads) assert.match(String(payload?.lastSeen), /T00:(?:09:5|10:0)\d/);
  });

  it('are not sent for what a known model lacks, which is said once', async () => {
    day = await Day.begin({ model: '8301' });
    day.deploy('algo-console-events');
    await day.until('02:00');
    assert.deepEqual(day.readings, []);
    assert.equal(day.events.length, 1);
    assert.match(String(day.events[0]?.error), wordingIn('reasons:modelUnsupported', { model: 8301 }));
  });

  it('find a lost device again, also one that has nothing to read', async () => {
    day = await Day.begin({ model: '8301' });
    day.proxy.mode = 'cut';
    day.deploy('algo-console-events');
    await day.until('00:10');
    day.proxy.mode = 'open';
    await day.until('00:20');
    assert.deepEqual(
      sent(2).map(({ message }) => message?.payload.connection),
      ['lost', 'restored'],
    );
    assert.match(String(day.events[2]?.error), wordingIn('reasons:refuses', { status: 404 }));
  });

  it('say nothing of what is lacking while paused, and are asked for again by resume', async () => {
    day = await Day.begin({ model: '8450', firmware: '5.5', newFirmware: '5.6' });
    const node = day.deploy('algo-console-events');
    await day.until('00:01');
    assert.equal(day.events.length, 1);
    await day.send(node, { operation: 'pause' });
    await day.sendJson('POST /api/controls/upgrade/start');
    await day.until('00:10');
    await day.send(node, { operation: 'resume' });
    await day.until('00:15');
    assert.ok(day.readings.length > 0);
    assert.equal(day.events.length, 1);
  });

  it('begin when new firmware brings what was lacking', async () => {
    day = await Day.begin({ model: '8450', firmware: '5.5', newFirmware: '5.6' });
    day.deploy('algo-console-events');
    await day.until('00:30');
    assert.match(String(day.events[0]?.error), wordingIn('reasons:firmwareUnsupported', { first: '5.6' }));
    assert.deepEqual(day.readings, []);
    await day.sendJson('POST /api/controls/upgrade/start');
    await day.until('00:40');
    await day.sendJson('POST /api/controls/console/button/activate', { id: 'red' });
    await day.until('00:45');
    assert.equal(sent(1).length, 1);
    assert.equal(day.events.length, 2);
  });
});

/** Seconds of the day as `hh:mm:ss`. */
function timeOf(second: number): string {
  return new Date(second * 1000).toISOString().slice(11, 19);
}
