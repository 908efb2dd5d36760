import assert from 'node:assert/strict';
import { action, alertNode, states } from '../fixtures/alert-node';
import { act, receiptsOf } from '../fixtures/site';
import { AnnounceSite, announce, shortOf } from './announce-site';
import { wav } from './sounds';
import type { Speaker } from './speaker';

/** A tone that is started once, on the device that the message names. */
const tone = act('tone/start', { target: 'msg', given: { path: 'gong.wav', loop: false } });

describe('algo-announce beside alerts and other nodes', () => {
  let place: AnnounceSite;
  let horn: Speaker;
  beforeEach(async () => {
    place = new AnnounceSite();
    horn = await place.speaker('Horn', '8190');
  });
  afterEach(() => place.end());

  const heardSince = (words: string) => horn.heard.slice(horn.heard.indexOf(words) + 1);

  it('ends when another node plays a tone, and puts the volume back directly after it', async () => {
    await place.start(announce({ volume: '-12dB', repeat: 10 }), tone);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    await place.ask({ device: 'Horn' }, 'tone/start');
    await place.until('done');
    assert.deepEqual(heardSince('play gong.wav').slice(0, 2), ['volume audio.page.vol', 'set -30dB']);
    assert.deepEqual(place.events, ['Horn started', 'Horn stopped another node has used the device', 'done']);
  });

  for (const name of ['tone/stop', 'call/start', 'call/page', 'emergency/start'])
    it(`ends at ${name}`, async () => {
      await place.start(announce({ volume: '-12dB' }), act(name, { target: 'msg' }));
      await place.ask({ device: 'Horn', payload: 'long.wav' });
      await place.ask({ device: 'Horn' }, name);
      await place.until('done');
      assert.equal(horn.volumes['audio.page.vol'], '-30dB');
      assert.equal(horn.heard.filter((words) => words === 'play long.wav').length, 1);
    });

  it('puts the volume back before all that waits at the device', async () => {
    const look = act('settings/get', { target: 'msg', given: { name: 'audio.mic.vol' } });
    await place.start(announce({ volume: '-12dB' }), tone, look);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    horn.temper = (words) => (words === 'play gong.wav' ? 'hold' : 200);
    const other = place.send({ device: 'Horn' }, 'tone/start');
    await place.site.until('the tone is sent', () => horn.heard.includes('play gong.wav'));
    const waiting = [1, 2, 3].map(() => place.send({ device: 'Horn' }, 'settings/get'));
    horn.release();
    for (const way of [other, ...waiting]) await place.site.ended(way);
    const looked = Array(3).fill('volume audio.mic.vol');
    assert.deepEqual(heardSince('play gong.wav'), ['volume audio.page.vol', 'set -30dB', ...looked]);
  });

  it('keeps what waits no longer than a second if the volume cannot be put back', async () => {
    const look = act('settings/get', { target: 'msg', given: { name: 'audio.mic.vol' } });
    await place.start(announce({ volume: '-12dB' }), tone, look);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    horn.temper = (words) => (words === 'volume audio.page.vol' ? 'hold' : 200);
    await place.ask({ device: 'Horn' }, 'tone/start');
    await place.ask({ device: 'Horn' }, 'settings/get');
    assert.deepEqual(heardSince('play gong.wav'), ['volume audio.page.vol', 'volume audio.mic.vol']);
    horn.releaseAll();
    await place.until('done');
    assert.equal(horn.volumes['audio.page.vol'], '-30dB');
  });

  it('is skipped where an alert holds the tone, whatever its priority, and names the alert', async () => {
    const alert = alertNode([action('tone/start')], { name: 'Fire', priority: 0 });
    await place.start(states, announce({ priority: 10 }), alert);
    await place.ask({ device: 'Horn' }, alert.id);
    const way = await place.ask({ device: 'Horn', payload: 'gong.wav' });
    const [receipt] = receiptsOf(way);
    assert.deepEqual([receipt?.outcome, receipt?.error], ['skipped', undefined]);
    assert.match(receipt?.note ?? '', /"Fire"/);
    assert.deepEqual([way.sent.length, way.caught.length], [1, 0]);
    assert.match(place.events[0] ?? '', /^Horn skipped .*"Fire"/);
    await place.ask({ operation: 'clear' }, alert.id);
    assert.deepEqual(shortOf(await place.ask({ device: 'Horn', payload: 'gong.wav' })), [
      'Horn announce/play accepted',
    ]);
  });

  it('ends when an alert begins, and what waits is skipped', async () => {
    const alert = alertNode([action('tone/start')], { name: 'Fire' });
    await place.start(states, announce({ volume: '-12dB', repeat: 5 }), alert);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    const waiting = place.send({ device: 'Horn', payload: 'gong.wav' });
    await place.until('Horn queued');
    await place.ask({ device: 'Horn' }, alert.id);
    assert.match(
      shortOf(await place.site.ended(waiting))[0] ?? '',
      /^Horn announce\/play skipped \(.*"Fire"/,
    );
    await place.site.until('both ends', () => place.events.filter((event) => event === 'done').length === 2);
    const after = heardSince('play long.wav');
    assert.deepEqual(after.slice(-3), ['volume audio.page.vol', 'set -30dB', 'play gong.wav loop=true']);
    assert.match(place.events.find((event) => event.startsWith('Horn stopped')) ?? '', /"Fire"/);
    await place.ask({ operation: 'clear' }, alert.id);
  });

  it('shows no text where an alert has the screen, and never removes the text of an alert', async () => {
    const wall = await place.speaker('Wall', '8410');
    const alert = alertNode([action('screen/text-start')], { name: 'Fire' });
    await place.start(states, announce({ text: 'Bus 12' }), alert);
    await place.ask({ device: 'Wall' }, alert.id);
    const [receipt] = receiptsOf(await place.ask({ device: 'Wall', payload: 'gong.wav' }));
    assert.equal(receipt?.outcome, 'accepted');
    assert.match(receipt?.note ?? '', /"Fire"/);
    await place.until('done');
    assert.deepEqual(wall.look(), ['text Fire', 'get gong.wav', 'play gong.wav']);
    await place.ask({ operation: 'clear' }, alert.id);

    await place.ask({ device: 'Wall', payload: 'long.wav' });
    await place.ask({ device: 'Wall' }, alert.id);
    wall.look();
    await place.ask({ operation: 'stop', device: 'Wall' });
    assert.deepEqual(wall.look(), ['stop']);
    assert.equal(wall.text, 'Fire');
    await place.ask({ operation: 'clear' }, alert.id);
  });

  it('removes its text when an alert takes the screen under it, but no text that the alert shows', async () => {
    const wall = await place.speaker('Wall', '8410');
    const screen = alertNode([action('screen/start')], { name: 'Fire' });
    const text = alertNode([action('screen/text-start')], { name: 'Storm' });
    await place.start(states, announce({ text: 'Bus 12' }), screen, text);
    await place.ask({ device: 'Wall', payload: 'long.wav' });
    await place.ask({ device: 'Wall' }, screen.id);
    await place.site.until('the text is off', () => wall.text === undefined);
    await place.ask({ operation: 'clear' }, screen.id);
    await place.ask({ operation: 'stop', device: 'Wall' });
    await place.until('done');

    // It still plays when the alert begins, on a busy machine too.
    wall.files.set('slow.wav', wav(3_000));
    await place.ask({ device: 'Wall', payload: 'slow.wav' });
    await place.ask({ device: 'Wall' }, text.id);
    await place.site.until('it ends', () => place.events.filter((event) => event === 'done').length === 2);
    assert.equal(wall.text, 'Fire');
    assert.match(place.events.at(-2) ?? '', /^Wall finished/);
    await place.ask({ operation: 'clear' }, text.id);
  });
});
