import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import { journalOf } from '../../src/runtime/journal/shared-journal';
import type { Receipt } from '../../src/runtime/message/receipt';
import { runningNodeRed, type TestMessage } from '../fixtures/flow';
import { act, receiptsOf } from '../fixtures/site';
import { wording } from '../fixtures/wording';
import { AnnounceSite, announce, short, shortOf } from './announce-site';
import { middle, mp3, wav } from './sounds';
import type { Speaker } from './speaker';

interface State {
  readonly device: string;
  readonly playing: { readonly id: string };
  readonly waiting: readonly unknown[];
}

const durationOf = (message: TestMessage | undefined) =>
  (message?.payload as { durationMs?: number } | undefined)?.durationMs ?? 0;

describe('algo-announce', () => {
  let place: AnnounceSite;
  let horn: Speaker;
  beforeEach(async () => {
    place = new AnnounceSite();
    horn = await place.speaker('Horn');
  });
  afterEach(() => place.end());

  it('stores audio once, and plays it with volume and chime; then all is as before', async () => {
    await place.start(announce({ volume: '-12dB', chime: 'chime.wav' }));
    const way = await place.ask({ device: 'Horn', payload: wav(50) });
    assert.deepEqual(shortOf(way), ['Horn announce/play accepted']);
    const { announcement } = way.sent[0] ?? {};
    assert.equal(typeof announcement, 'string');
    await place.until('done');
    const file = [...horn.files.keys()].find((name) => /^algo-[0-9a-f]{16}\.wav$/.test(name));
    assert.ok(file);
    assert.deepEqual(horn.look(), [
      ...[`put ${file}`, `md5 ${file}`, 'get chime.wav', 'volume audio.page.vol', 'set -12dB'],
      ...['play chime.wav', `play ${file}`, 'volume audio.page.vol', 'set -30dB'],
    ]);
    assert.deepEqual(place.events, ['Horn started', 'Horn finished', 'done']);
    const [started, finished, done] = place.site.inbox('events');
    assert.deepEqual(started?.payload, {
      ...{ id: announcement, event: 'started', durationMs: 90, reason: null, code: null, device: 'Horn' },
    });
    assert.equal(started?.topic, 'Horn');
    assert.ok(durationOf(finished) >= 90);
    assert.deepEqual(done?.payload, {
      ...{ id: announcement, event: 'done', durationMs: null },
      ...{ reason: null, code: null },
    });

    await place.ask({ device: 'Horn', payload: wav(50) });
    await place.site.until(
      'the second end',
      () => place.events.filter((event) => event === 'done').length > 1,
    );
    assert.deepEqual(horn.look().slice(0, 2), ['list', 'volume audio.page.vol']);
  });

  it('plays tones of the device, one after the other, with the interval', async () => {
    await place.start(announce({ audio: 'gong.wav', audioType: 'str', repeat: 2, interval: 0.05 }));
    await place.ask({ device: 'Horn' });
    await place.until('done');
    assert.deepEqual(horn.look(), ['get gong.wav', 'play gong.wav', 'play gong.wav']);
    await place.ask({ device: 'Horn' });
    await place.site.until(
      'the second end',
      () => place.events.filter((event) => event === 'done').length > 1,
    );
    assert.deepEqual(horn.look(), ['play gong.wav', 'play gong.wav']);
  });

  for (const status of [400, 401, 403, 404, 405]) {
    it(`assumes 5 s for a tone that cannot be read (${status}), and says so`, async () => {
      horn.temper = (words) => (words.startsWith('get') ? status : 200);
      await place.start(announce({ chime: 'chime.wav' }));
      const [receipt] = receiptsOf(await place.ask({ device: 'Horn', payload: wav(20) }));
      assert.equal(receipt?.outcome, 'accepted');
      const reason = wording('reasons:fileRefused');
      assert.equal(
        receipt?.note,
        wording('reasons:lengthAssumed', { tone: 'chime.wav', reason, seconds: 5 }),
      );
      const [started] = place.site.inbox('events');
      assert.equal(durationOf(started), 5_020);
      await place.ask({ operation: 'stop', device: 'Horn' });
    });
  }

  it('assumes 5 s for a tone that is no sound, and says why', async () => {
    horn.files.set('chime.wav', Buffer.from('hello'));
    await place.start(announce({ chime: 'chime.wav' }));
    const [receipt] = receiptsOf(await place.ask({ device: 'Horn', payload: wav(20) }));
    const reason = wording('reasons:noSound');
    assert.equal(receipt?.note, wording('reasons:lengthAssumed', { tone: 'chime.wav', reason, seconds: 5 }));
    await place.ask({ operation: 'stop', device: 'Horn' });
  });

  it('speaks to the end where the header of the audio has the wrong bytes per second', async () => {
    horn.files.set('chime.wav', wav(20, { bytesPerSecond: 128_000 }));
    await place.start(announce({ chime: 'chime.wav', volume: '-12dB' }));
    await place.ask({ device: 'Horn', payload: wav(30, { bytesPerSecond: 128_000, claimed: 0 }) });
    await place.until('done');
    assert.equal(durationOf(place.site.inbox('events')[0]), 50);
  });

  it('reads a tone once, also where another tone or another device is written meanwhile', async () => {
    const yard = await place.speaker('Yard');
    await place.start(announce(), {
      ...{ id: 'files', type: 'algo-files', operation: 'put', target: 'msg', parametersType: 'msg' },
    });
    horn.temper = (words) => (words === 'get gong.wav' ? 'hold' : 200);
    const first = place.send({ device: 'Horn', payload: 'gong.wav' });
    await place.site.until('the tone is read', () => horn.heard.includes('get gong.wav'));
    const written = place.send(
      { device: 'Horn', payload: { path: 'tones/chime.wav', content: wav(20) } },
      'files',
    );
    await place.ask({ device: 'Yard', payload: { path: 'tones/gong.wav', content: wav(20) } }, 'files');
    horn.releaseAll();
    for (const way of [first, written]) await place.site.ended(way);
    await place.until('done');
    await place.ask({ device: 'Horn', payload: 'gong.wav' });
    assert.equal(horn.heard.filter((words) => words === 'get gong.wav').length, 1);
    assert.ok(yard.heard.some((words) => words.startsWith('put ')));
    await place.ask({ operation: 'stop', device: 'Horn' });
  });

  it('reads a tone again after this package has written it', async () => {
    await place.start(announce(), {
      ...{ id: 'files', type: 'algo-files', operation: 'put', target: 'msg', parametersType: 'msg' },
    });
    await place.ask({ device: 'Horn', payload: 'gong.wav' });
    await place.until('done');
    await place.ask({ device: 'Horn', payload: { path: 'tones/gong.wav', content: wav(20) } }, 'files');
    await place.ask({ device: 'Horn', payload: 'gong.wav' });
    await place.site.until(
      'the second end',
      () => place.events.filter((event) => event === 'done').length > 1,
    );
    const heard = horn.look();
    assert.equal(heard.filter((words) => words === 'get gong.wav').length, 2);
  });

  it('knows the length of a tone of more than 10 minutes', async () => {
    // One byte per second.
    horn.files.set('news.wav', wav(44, { blockAlign: 1, sampleRate: 1 }));
    await place.start(announce());
    const [receipt] = receiptsOf(await place.ask({ device: 'Horn', payload: 'news.wav' }));
    assert.equal(receipt?.note, undefined);
    assert.equal(durationOf(place.site.inbox('events')[0]), 704_000);
    await place.ask({ operation: 'stop', device: 'Horn' });
  });

  it('tries the volume again as long as retryFor says', async () => {
    let tries = 0;
    horn.temper = (words) => {
      if (!words.startsWith('volume')) return 200;
      tries += 1;
      return tries < 3 ? 'reset' : 200;
    };
    await place.start(announce({ volume: '-12dB', retryFor: 5 }));
    assert.deepEqual(shortOf(await place.ask({ device: 'Horn', payload: 'gong.wav' })), [
      'Horn announce/play accepted',
    ]);
    await place.until('done');
    assert.ok(horn.heard.includes('set -12dB'));
  });

  it('changes nothing before the journal has what to put back', async () => {
    const wall = await place.speaker('Wall', '8410');
    await place.start(announce({ volume: '-12dB' }), announce({ id: 'other' }));
    const journal = journalOf(runningNodeRed()) as { put: SharedJournal['put'] };
    const { put } = journal;
    let write = () => {};
    const isAsked = new Promise<void>((resolve) => {
      journal.put = (key, value) => {
        if (!key.startsWith('announce/back/')) return put.call(journal, key, value);
        resolve();
        return new Promise<void>((written) => {
          write = written;
        });
      };
    });
    try {
      const way = place.send({ device: 'Horn', payload: 'gong.wav' });
      await isAsked;
      await place.ask({ device: 'Wall', payload: 'chime.wav' }, 'other');
      assert.ok(wall.heard.includes('play chime.wav'));
      assert.equal(horn.heard.includes('set -12dB'), false);
      journal.put = put;
      write();
      await place.site.ended(way);
      assert.ok(horn.heard.includes('set -12dB'));
      await place.until('Horn finished');
    } finally {
      journal.put = put;
      write();
    }
  });

  it('sends further parameters of the tone', async () => {
    const toneParameters = '{"mcast":true,"playback":"true","state":{"mode":"sender"}}';
    await place.start(announce({ toneParameters }));
    await place.ask({ device: 'Horn', payload: 'gong.wav' });
    assert.ok(horn.heard.includes('play gong.wav mcast=true playback="true" state={"mode":"sender"}'));
  });

  it('shows the text on displays only, and takes it away', async () => {
    const wall = await place.speaker('Wall', '8410');
    const old = await place.speaker('Old', '8410', '5.6');
    await place.start(announce({ text: 'payload.text', textType: 'msg', audio: 'payload.tone' }));
    const message = { device: ['Horn', 'Wall', 'Old'], payload: { text: 'Bus 12', tone: 'gong.wav' } };
    const [first, second, third] = receiptsOf(await place.ask(message));
    assert.match(first?.note ?? '', /screen/);
    assert.equal(second?.note, undefined);
    assert.match(third?.note ?? '', /firmware 5\.7/);
    assert.equal(wall.text, 'Bus 12');
    await place.until('done');
    assert.deepEqual(horn.look(), ['get gong.wav', 'play gong.wav']);
    assert.deepEqual(old.look(), ['get gong.wav', 'play gong.wav']);
    assert.deepEqual(wall.look(), ['get gong.wav', 'text Bus 12', 'play gong.wav', 'no-text']);
  });

  it('writes the volume of an intercom to its own setting', async () => {
    const door = await place.speaker('Door', '8201');
    await place.start(announce({ volume: '5' }));
    await place.ask({ device: 'Door', payload: 'gong.wav' });
    await place.until('done');
    assert.ok(door.heard.includes('volume audio.vol.spk'));
    assert.ok(door.heard.includes('set -15dB'));
    assert.equal(door.volumes['audio.vol.spk'], '-9dB');
  });

  it('skips what has neither sound nor screen, and refuses a Buffer where no file can be stored', async () => {
    await place.speaker('Console', '8450');
    await place.speaker('Intercom', '8039');
    await place.start(announce());
    const way = await place.ask({ device: ['Horn', 'Console', 'Intercom'], payload: wav(30) });
    assert.deepEqual(shortOf(way), [
      'Horn announce/play accepted',
      'Console announce/play skipped NOT_SUPPORTED',
      'Intercom announce/play failed NOT_SUPPORTED',
    ]);
    await place.until('done');
    assert.deepEqual(
      place.events.filter((event) => !event.startsWith('Horn')).sort(),
      ['Console skipped NOT_SUPPORTED', 'Intercom failed NOT_SUPPORTED', 'done'].sort(),
    );
    const skipped = place.site.inbox('events').find(({ topic }) => topic === 'Console');
    const { reason, code } = (skipped?.payload ?? {}) as Record<string, unknown>;
    assert.deepEqual([reason, code], ['not supported by the 8450', 'NOT_SUPPORTED']);
  });

  for (const [what, properties, message] of [
    ['a Buffer that is no audio', {}, { payload: Buffer.from('hello') }],
    ['no audio', {}, {}],
    ['an object', {}, { payload: {} }],
    ['a path instead of a tone', {}, { payload: '../x.wav' }],
    ['audio of more than 10 minutes', {}, { payload: wav(600_100) }],
    ['a repeat out of range', { repeat: 11 }, { payload: 'gong.wav' }],
    ['an interval out of range', { interval: 601 }, { payload: 'gong.wav' }],
    ['a volume that is no multiple of 3', { volume: '-10dB' }, { payload: 'gong.wav' }],
    ['a level out of range', { volume: 11 }, { payload: 'gong.wav' }],
    ['a setting that is none of the audio', { volumeSetting: 'api.admin.pwd' }, { payload: 'gong.wav' }],
    ['a priority out of range', { priority: 11 }, { payload: 'gong.wav' }],
    ['an unknown overlap', { overlap: 'mix' }, { payload: 'gong.wav' }],
    ['another parameter of a tone', { toneParameters: '{"loop":true}' }, { payload: 'gong.wav' }],
    ['an unknown operation', {}, { operation: 'start', payload: 'gong.wav' }],
  ] as const) {
    it(`refuses ${what}, and sends nothing`, async () => {
      await place.start(announce(properties));
      const { sent, caught } = await place.ask({ device: 'Horn', ...message });
      assert.equal(
        caught[0]?.error?.code ?? (caught[0]?.error as { message?: string })?.message,
        'INVALID_PARAMETER',
      );
      assert.deepEqual([sent.length, horn.look(), place.events], [0, [], []]);
    });
  }

  it('stops what plays, takes out what waits, and tells what plays and waits', async () => {
    await place.start(announce({ volume: '-12dB' }));
    // The priority of a message counts only if the node says so.
    const way = await place.ask({ device: 'Horn', payload: 'long.wav', priority: 9 });
    const late = await place.ask({ device: 'Horn', payload: 'gong.wav', ttl: 0.01 });
    assert.deepEqual(shortOf(late), ['Horn announce/play expired EXPIRED']);
    const waiting = place.send({ device: 'Horn', payload: 'gong.wav' });
    await place.site.until('a second one waits', () => place.events.at(-1) === 'Horn queued');
    const { sent } = await place.ask({ operation: 'state', device: 'Horn' });
    const { announcement } = way.sent[0] ?? {};
    const [state] = (sent[0]?.payload ?? []) as State[];
    assert.equal(state?.device, 'Horn');
    assert.deepEqual(state?.playing, { id: announcement, node: 'announce', priority: 5 });
    assert.equal(state?.waiting.length, 1);
    for (const [device, known] of [
      [['Horn', 'Nobody'], ['Horn']],
      ['Nobody', undefined],
    ] as const) {
      const asked = await place.ask({ operation: 'state', device });
      const told = asked.sent[0]?.payload as State[] | undefined;
      assert.deepEqual(
        told?.map((one) => one.device),
        known,
      );
      assert.equal(asked.caught[0]?.error?.code, 'NOT_CONFIGURED');
    }
    horn.look();
    assert.deepEqual(shortOf(await place.ask({ operation: 'stop', device: 'Horn' })), [
      'Horn announce/stop accepted',
    ]);
    assert.deepEqual(shortOf(await place.site.ended(waiting)), ['Horn announce/play superseded SUPERSEDED']);
    assert.deepEqual(horn.look(), ['stop', 'volume audio.page.vol', 'set -30dB']);
    assert.deepEqual(
      place.events.filter((event) => event.startsWith('Horn')),
      [
        ...['Horn started', 'Horn queued', 'Horn failed EXPIRED', 'Horn queued', 'Horn failed SUPERSEDED'],
        'Horn stopped',
      ],
    );
  });

  it('stops what a message asked for whose audio was still being read when one without audio came', async () => {
    await place.start(announce());
    const read = place.send({ device: 'Horn', payload: mp3(Array(100).fill(middle)) });
    place.send({ device: 'Horn', payload: 7 });
    await place.ask({ operation: 'stop', device: 'Horn' });
    assert.deepEqual(shortOf(await place.site.ended(read)), ['Horn announce/play superseded SUPERSEDED']);
  });

  for (const split of [false, true])
    it(`takes its own stop for no failure while a request waits for its turn (split ${split})`, async () => {
      const look = act('settings/get', { target: 'msg', given: { name: 'audio.mic.vol' } });
      await place.start(announce({ volume: '-12dB', split }), look);
      horn.temper = (words) => (words.startsWith('volume') ? 'hold' : 200);
      const way = place.send({ device: ['Horn', 'Nobody'], payload: 'gong.wav' });
      await place.site.until('it reads the volume', () => horn.heard.includes('volume audio.page.vol'));
      const looking = place.send({ device: 'Horn' }, 'settings/get');
      horn.release();
      await place.site.until('the device is busy', () => horn.heard.includes('volume audio.mic.vol'));
      // Now the announcement waits to write the volume.
      const stopping = place.send({ operation: 'stop', device: 'Horn' });
      await place.ask({ operation: 'state', device: 'Horn' });
      horn.releaseAll();
      for (const one of [looking, stopping, way]) await place.site.ended(one);
      const [receipt, nobody] = receiptsOf(way);
      assert.deepEqual([receipt?.outcome, receipt?.error?.code], ['superseded', 'SUPERSEDED']);
      assert.match(receipt?.error?.message ?? '', /^(?:DeviceError: )?stopped before it began/);
      assert.equal(nobody?.outcome, 'failed');
      assert.deepEqual(
        way.caught.map(({ error }) => error?.code),
        ['NOT_CONFIGURED'],
      );
      assert.equal(horn.heard.includes('set -12dB'), false);
    });

  it('passes on a message whose announcement its own stop has taken out', async () => {
    await place.start(announce());
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    const waiting = place.send({ device: 'Horn', payload: 'gong.wav' });
    await place.until('Horn queued');
    await place.ask({ operation: 'stop', device: 'Horn' });
    const { sent, caught } = await place.site.ended(waiting);
    assert.deepEqual([sent.length, caught.length], [1, 0]);
    assert.deepEqual(sent[0]?.receipts?.map(short), ['Horn announce/play superseded SUPERSEDED']);
    assert.ok(place.events.includes('Horn failed SUPERSEDED'));
  });

  it('takes it for a failure that another announcement has replaced one that waited', async () => {
    const more = { id: 'urgent', overlap: 'replace', audioType: 'str', audio: 'long.wav' };
    await place.start(announce(), announce(more));
    horn.temper = (words) => (words === 'play gong.wav' ? 'hold' : 200);
    const replaced = place.send({ device: 'Horn', payload: 'gong.wav' });
    await place.site.until('it is about to play', () => horn.heard.includes('play gong.wav'));
    const other = place.send({ device: 'Horn' }, 'urgent');
    await place.ask({ operation: 'state', device: 'Horn' }, 'urgent');
    horn.release(404);
    await place.site.ended(other);
    const { caught, sent } = await place.site.ended(replaced);
    assert.deepEqual([sent.length, caught.map(({ error }) => error?.code)], [0, ['SUPERSEDED']]);
  });

  it('keeps showing how many targets failed, until it announces again', async () => {
    const yard = await place.speaker('Yard');
    yard.temper = (words) => (words.startsWith('play') ? 404 : 200);
    await place.start(announce({ audio: 'gong.wav', audioType: 'str', target: 'msg' }));
    let last = '';
    helper.getNode('announce').status = (status) => {
      const { fill, text = '' } = Object(status) as { fill?: string; text?: string };
      last = `${fill} ${text}`;
      place.site.look();
    };
    await place.ask({ device: ['Horn', 'Yard'] });
    await place.until('done');
    await place.site.until('the failure is shown', () => last.startsWith('red status.several'));
    await place.ask({ device: 'Horn' });
    await place.site.until('it is idle', () => last === 'grey status.idle');
  });

  it('prepares: stores audio, or looks for the tone, and plays nothing', async () => {
    await place.start(announce());
    const prepare = async (payload: unknown) =>
      shortOf(await place.ask({ operation: 'prepare', device: 'Horn', payload }));
    assert.deepEqual(await prepare(wav(30)), ['Horn announce/prepare accepted']);
    assert.deepEqual(await prepare(wav(30)), ['Horn announce/prepare confirmed']);
    assert.deepEqual(await prepare('gong.wav'), ['Horn announce/prepare confirmed']);
    assert.deepEqual(await prepare('none.wav'), ['Horn announce/prepare failed REFUSED']);
    assert.equal(
      horn.look().some((words) => words.startsWith('play')),
      false,
    );
  });

  it('says in each receipt how many requests were sent, also if the audio could not be stored', async () => {
    await place.start(announce());
    const attemptsOf = async (operation: string, payload: unknown) =>
      receiptsOf(await place.ask({ operation, device: 'Horn', payload })).map(({ attempts }) => attempts);
    assert.deepEqual(await attemptsOf('prepare', 'gong.wav'), [1]);
    horn.temper = (words) => (words.startsWith('put') ? 400 : 200);
    assert.deepEqual(await attemptsOf('prepare', wav(30)), [1]);
    assert.deepEqual(await attemptsOf('play', wav(30)), [1]);
  });

  it('prepares no device that has neither sound nor screen, which is skipped', async () => {
    await place.speaker('Console', '8450');
    await place.start(announce());
    const way = await place.ask({ operation: 'prepare', device: ['Horn', 'Console'], payload: 'gong.wav' });
    assert.deepEqual(shortOf(way), [
      'Horn announce/prepare confirmed',
      'Console announce/prepare skipped NOT_SUPPORTED',
    ]);
    assert.deepEqual([way.sent.length, way.caught.length], [1, 0]);
  });

  it('only reads a device with dry run, and tells no events', async () => {
    await place.startWith([horn.config({ dryRun: true }), announce({ volume: '-12dB' })]);
    assert.deepEqual(shortOf(await place.ask({ device: 'Horn', payload: wav(30) })), [
      'Horn announce/play dry-run',
    ]);
    assert.deepEqual([horn.look(), place.events], [[], []]);
  });

  it('uploads again what was cut off', async () => {
    horn.temper = (words) => (words.startsWith('put') ? 'lost' : 200);
    await place.start(announce());
    const way = await place.ask({ device: 'Horn', payload: wav(30) });
    assert.deepEqual(shortOf(way), ['Horn announce/play failed PROTOCOL']);
    horn.temper = () => 200;
    horn.look();
    await place.ask({ device: 'Horn', payload: wav(30) });
    assert.match(horn.look().join(), /^put/);
  });

  it('tells the receipt of a request that fails after the start', async () => {
    let isFirst = true;
    horn.temper = (words) => {
      if (!words.startsWith('play') || isFirst) {
        isFirst &&= !words.startsWith('play');
        return 200;
      }
      return 400;
    };
    await place.start(announce({ repeat: 2, interval: 0, audio: 'tone', audioType: 'flow' }));
    helper.getNode('announce').context().flow.set('tone', 'gong.wav');
    assert.deepEqual(shortOf(await place.ask({ device: 'Horn' })), ['Horn announce/play accepted']);
    await place.until('done');
    const log = place.site.inbox('log').map(({ payload }) => payload as Receipt);
    const told = log.filter(({ error }) => error).map(({ operation, outcome }) => [operation, outcome]);
    assert.deepEqual(told, [['tone/start', 'failed']]);
    assert.match(place.events.at(-2) ?? '', /^Horn failed/);
  });

  it('takes an MP3 file', async () => {
    await place.start(announce());
    await place.ask({ device: 'Horn', payload: mp3(Array(4).fill(middle)) });
    await place.until('done');
    assert.match(horn.look().at(-1) ?? '', /^play algo-[0-9a-f]{16}\.mp3$/);
  });

  it('sends one message for each target with split', async () => {
    await place.speaker('Hall');
    await place.start(announce({ split: true }));
    const { sent } = await place.ask({ device: ['Horn', 'Hall'], payload: 'gong.wav' });
    assert.deepEqual(sent.map(({ receipts }) => receipts?.[0]?.device).sort(), ['Hall', 'Horn']);
    assert.equal(new Set(sent.map(({ announcement }) => announcement)).size, 1);
  });
});
