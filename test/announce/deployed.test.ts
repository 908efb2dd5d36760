import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { AnnounceSite, announce, shortOf } from './announce-site';
import { wav } from './sounds';
import type { Speaker } from './speaker';

describe('algo-announce over deploys, and the files on a device', () => {
  let place: AnnounceSite;
  let horn: Speaker;
  beforeEach(async () => {
    place = new AnnounceSite();
    horn = await place.speaker('Horn');
  });
  afterEach(() => place.end());

  it('stops what plays at a deploy of its node, and puts back; what waits is aborted', async () => {
    await place.start(announce({ volume: '-12dB' }), announce({ id: 'other' }));
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    const waiting = place.send({ device: 'Horn', payload: 'gong.wav' });
    await place.until('Horn queued');
    const helper = { id: 'events', type: 'helper', z: 'tab', x: 100, y: 100 };
    await place.redeploy([horn.config(), announce({ volume: '-6dB' }), announce({ id: 'other' }), helper]);
    await place.site.ended(waiting);
    await place.site.until('the volume is back', () => horn.volumes['audio.page.vol'] === '-30dB');
    assert.ok(horn.heard.includes('stop'));
    assert.equal(horn.heard.includes('play gong.wav'), false);
  });

  it('says in the log at a full deploy what was aborted, for the Catch nodes are gone', async () => {
    await place.start(announce());
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    for (const count of [1, 2]) {
      void place.send({ device: 'Horn', payload: 'gong.wav' });
      const queued = () => place.events.filter((event) => event === 'Horn queued').length;
      await place.site.until('it waits', () => queued() === count);
    }
    const events = { id: 'events', type: 'helper', z: 'tab', x: 100, y: 100 };
    await place.redeploy([horn.config(), announce({ volume: '-6dB' }), events], 'full');
    const logged = helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    const lines = logged.filter((line) => line.includes('were aborted'));
    assert.deepEqual(lines, [
      '[algo-announce:announce] 2 messages were aborted; the first: its node was closed before it began: announce/play; nothing was played',
    ]);
  });

  it('puts back after a deploy that closed the device too, without a warning', async () => {
    await place.start(announce({ volume: '-12dB' }));
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    const events = { id: 'events', type: 'helper', z: 'tab', x: 100, y: 100 };
    await place.redeploy([horn.config(), announce({ volume: '-12dB' }), events], 'full');
    await place.site.until('the volume is back', () => horn.volumes['audio.page.vol'] === '-30dB');
    const logged = helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    assert.deepEqual(
      logged.filter((line) => line.includes('puts back')),
      [],
    );
  });

  it('says so if the deploy has removed the device, so that nothing can be put back', async () => {
    await place.start(announce({ volume: '-12dB' }));
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    const events = { id: 'events', type: 'helper', z: 'tab', x: 100, y: 100 };
    await place.redeploy([announce({ volume: '-12dB' }), events], 'full');
    const logged = () => helper.log().args.map(([entry]) => String((entry as { msg?: unknown }).msg));
    await place.site.until('it is said', () => logged().some((line) => line.includes('puts back')));
  });

  it('uploads once for several announcements of one audio at the same time', async () => {
    await place.start(announce(), announce({ id: 'two', priority: 9 }));
    const ways = [
      place.send({ device: 'Horn', payload: wav(30) }),
      place.send({ device: 'Horn', payload: wav(30) }, 'two'),
    ];
    for (const way of ways) await place.site.ended(way);
    assert.equal(horn.heard.filter((words) => words.startsWith('put')).length, 1);
  });

  it('keeps 20 files of its own at most, and deletes those unused for longest; others stay', async () => {
    horn.files.set('algo-of-another.wav', wav(10));
    await place.start(announce());
    const prepare = (ms: number) => place.ask({ operation: 'prepare', device: 'Horn', payload: wav(ms) });
    for (let ms = 1; ms <= 20; ms += 1) await prepare(ms);
    const own = [...horn.files.keys()].filter((name) => /^algo-[0-9a-f]{16}/.test(name));
    assert.equal(own.length, 20);
    // The first is used again, so the second is the oldest.
    await prepare(1);
    horn.look();
    assert.deepEqual(shortOf(await prepare(21)), ['Horn announce/prepare accepted']);
    const [first] = horn.look();
    assert.equal(first, `delete ${own[1]}`);
    assert.equal(horn.files.has(own[0] ?? ''), true);
    assert.equal(horn.files.has('algo-of-another.wav'), true);
    await Promise.all([prepare(22), prepare(23)]);
    const stored = [...horn.files.keys()].filter((name) => /^algo-[0-9a-f]{16}/.test(name));
    assert.equal(stored.length, 20);
  });
});
