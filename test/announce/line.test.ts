import assert from 'node:assert/strict';
import { Preparer } from '../../src/runtime/announce/preparing';
import { buffer, display, playScene, speaker } from './scene';

const loud = { nodes: [{ volume: '-12dB', volumeThere: '-12dB' }] };
const play = (more: object = {}) => ({ kind: 'play', ...more }) as const;
const alert = (at: number, forMs = 30_000, number = 0) =>
  ({ kind: 'alert', at, alert: number, forMs }) as const;
const other = (at: number, op: string, subject = 'x-other.wav', device: number = speaker) =>
  ({ kind: 'other', at, op, subject, device }) as const;
/** The requests of announcements of this kind that fail: their answers are lost, or refused, or late. */
const lose = (op: string, more: object = {}) =>
  ({ kind: 'lose', op, count: 1, done: true, ...more }) as const;
const refuse = (op: string, more: object = {}) => ({ kind: 'refuse', op, count: 1, ...more }) as const;
const slow = (op: string, byMs: number, more: object = {}) =>
  ({ kind: 'slow', op, count: 1, done: true, byMs, ...more }) as const;
/** Nothing happens, but faults end only after it; in each scene after a minute at the earliest. */
const until = (at: number) => ({ kind: 'state', at }) as const;

describe('the announcements at a device', () => {
  const begins = ['0 speaker read', '0 speaker write -12dB', '0 speaker plays tone-1.wav'];
  const started = ['0 a1 speaker receipt accepted', '0 a1 speaker started 10000'];
  const back = (second: number) => [`${second} speaker read`, `${second} speaker write -30dB`];

  it('play with volume, text, chime and pauses, and leave all as before', async () => {
    const nodes = [{ ...loud.nodes[0], chime: 'chime.wav', repeat: 2, interval: 5 }];
    assert.deepEqual(await playScene({ nodes }, play({ targets: [display], text: 'Bus 12' })), [
      ...['0 display read', '0 display write -12dB', '0 display text on', '0 display plays chime.wav'],
      ...['0 a1 display receipt accepted', '0 a1 display started 25800', '0 display plays tone-1.wav'],
      ...['15 display plays tone-1.wav', '25 display read', '25 display write -30dB', '25 display text off'],
      ...['25 a1 display finished 25800', '25 a1 done'],
    ]);
  });

  it('write no volume that is there already, whatever its spelling', async () => {
    const lines = await playScene({ ...loud, devices: [{ volume: '-12 DB' }] }, play());
    assert.deepEqual(lines.slice(0, 2), ['0 speaker read', '0 speaker plays tone-1.wav']);
    assert.deepEqual(lines.slice(-2), ['10 a1 speaker finished 10000', '10 a1 done']);
  });

  it('play with the volume as it is, and without the chime or the text, if the device rejects them', async () => {
    for (const op of ['settings/get', 'settings/put']) {
      const lines = await playScene(loud, refuse(op), play());
      assert.ok(lines.includes('10 a1 speaker finished 10000'), op);
    }
    const nodes = [{ chime: 'chime.wav' }];
    const step = play({ targets: [display], text: 'Bus 12' });
    const lines = await playScene({ nodes }, refuse('screen/text-start', { device: display }), step);
    assert.ok(lines.includes('10 a1 display finished 10800'));
    assert.equal(lines.includes('10 display text off'), false);
    const without = await playScene({ nodes, devices: [{ lacks: ['chime.wav'] }] }, play());
    assert.ok(without.includes('0 a1 speaker started 10000'));
  });

  it('leave a volume that a person has set meanwhile', async () => {
    const lines = await playScene(loud, play(), other(3_000, 'settings/put', '-7dB'));
    assert.deepEqual(lines.slice(-3), ['10 speaker read', '10 a1 speaker finished 10000', '10 a1 done']);
  });

  it('play nothing after a sound without an answer, which occupies the device for its length', async () => {
    const lines = await playScene({ nodes: [{ repeat: 2 }] }, lose('tone/start'), play(), play({ node: 1 }));
    assert.deepEqual(lines, [
      ...['0 a2 speaker queued', '0 speaker plays tone-1.wav', '2 a1 speaker receipt unknown TIMEOUT'],
      ...['2 a1 speaker failed TIMEOUT', '2 a1 done', '12 speaker plays tone-1.wav'],
      ...['12 a2 speaker receipt accepted', '12 a2 speaker started 10000', '22 a2 speaker finished 10000'],
      '22 a2 done',
    ]);
  });

  it('make room if another node ends a sound without an answer', async () => {
    const steps = [lose('tone/start'), play(), play({ node: 1, at: 10 }), other(4_000, 'tone/stop', '')];
    assert.ok((await playScene({}, ...steps)).includes('4 a2 speaker started 10000'));
  });

  it('end with the code of a sound that was not sent, and put back', async () => {
    const lines = await playScene(loud, play(), slow('settings/put', 20), {
      kind: 'away',
      at: 26,
      forMs: 3_000,
    });
    assert.deepEqual(lines.slice(2), [
      ...['0 a1 speaker receipt failed UNREACHABLE', '0 a1 speaker failed UNREACHABLE', '0 a1 done'],
      ...[...back(4), 'warned'],
    ]);
  });

  it('play one at a time: the higher priority first, then in the order of arrival', async () => {
    const lines = await playScene(
      {},
      ...[{}, { at: 100 }, { at: 110, priority: 8, node: 1 }, { at: 120, priority: 8 }].map(play),
    );
    const startedAt = lines.filter((line) => line.includes('started'));
    assert.deepEqual(startedAt, [
      ...['0 a1 speaker started 10000', '10 a3 speaker started 10000', '20 a4 speaker started 10000'],
      '30 a2 speaker started 10000',
    ]);
    assert.deepEqual(lines.filter((line) => line.includes('queued')).length, 3);
  });

  it('tell that one waits which is overtaken before it was ready', async () => {
    const upload = slow('files/put', 2_000);
    const lines = await playScene(
      {},
      upload,
      play({ sound: buffer }),
      play({ at: 10, priority: 8, node: 1 }),
    );
    assert.ok(lines.includes('0 a1 speaker queued'));
  });

  it('are stopped by one that replaces them, which is next, but not by one of a lower priority', async () => {
    const nodes = [...loud.nodes, {}, { overlap: 'replace' as const }];
    const steps = [play(), play({ node: 1 }), play({ node: 2, at: 4_000 })];
    assert.deepEqual(await playScene({ nodes }, ...steps), [
      ...['0 a2 speaker queued', ...begins, ...started],
      ...['4 speaker stop', ...back(4), '4 a1 speaker stopped 4000 another announcement has replaced it'],
      ...['4 a1 done', '4 speaker plays tone-1.wav', '4 a3 speaker receipt accepted'],
      ...['4 a3 speaker started 10000', '14 a3 speaker finished 10000', '14 a3 done'],
      ...['14 speaker plays tone-1.wav', '14 a2 speaker receipt accepted', '14 a2 speaker started 10000'],
      ...['24 a2 speaker finished 10000', '24 a2 done'],
    ]);
    const low = await playScene({ nodes }, play({ priority: 8 }), play({ node: 2, at: 4_000 }));
    assert.ok(low.includes('4 a2 speaker queued'));
  });

  it('are skipped with `skip` where another one plays or waits', async () => {
    const nodes = [{}, { overlap: 'skip' as const }];
    const lines = await playScene({ nodes }, play(), play({ node: 1, at: 1_000 }));
    assert.ok(lines.includes('1 a2 speaker receipt skipped'));
    const waiting = await playScene(
      { nodes },
      slow('files/put', 2_000),
      play({ sound: buffer }),
      play({ node: 1, at: 50 }),
    );
    assert.ok(waiting.includes('0 a2 speaker receipt skipped'));
  });

  it('expire if they wait too long, also while the volume is read', async () => {
    const nodes = [{}, { ttl: 9 }, { ...loud.nodes[0], ttl: 1 }];
    const lines = await playScene({ nodes }, play(), play({ node: 1 }));
    assert.ok(lines.includes('9 a2 speaker receipt expired EXPIRED'));
    const reading = await playScene({ nodes }, slow('settings/get', 2_000), play({ node: 2 }));
    assert.deepEqual(reading.slice(1, 2), ['2 a1 speaker receipt expired EXPIRED']);
  });

  it('remember the volume of before the first, if it could not be put back before the second', async () => {
    const nodes = [...loud.nodes, { volume: '-9dB', volumeThere: '-9dB' }];
    const lost = refuse('settings/get', { at: 9_000, count: 2 });
    const lines = await playScene({ nodes }, play(), play({ node: 1, at: 10 }), lost);
    const writes = lines.filter((line) => line.includes('write'));
    assert.deepEqual(writes, ['0 speaker write -12dB', '10 speaker write -9dB', '20 speaker write -30dB']);
  });

  it('leave a volume that a person has set, also to what an earlier announcement had written', async () => {
    const nodes = [...loud.nodes, { volume: '-9dB', volumeThere: '-9dB' }];
    const lost = refuse('settings/get', { at: 9_000, count: 2 });
    const person = other(15_000, 'settings/put', '-12dB');
    const lines = await playScene({ nodes }, play(), play({ node: 1, at: 10 }), lost, person);
    assert.equal(lines.filter((line) => line.includes('write')).at(-1), '10 speaker write -9dB');
  });

  it('put back what the first has written, if the write of the second did not happen', async () => {
    const nodes = [...loud.nodes, { volume: '-9dB', volumeThere: '-9dB' }];
    const lost = [
      refuse('settings/get', { at: 9_000, count: 2 }),
      lose('settings/put', { at: 9_000, done: false }),
    ];
    const lines = await playScene({ nodes }, play(), play({ node: 1, at: 10 }), ...lost);
    assert.deepEqual(lines.filter((line) => line.includes('write')).at(-1), '12 speaker write -30dB');
  });

  it('put back a volume whose write got no answer, if it took effect', async () => {
    const lines = await playScene(loud, lose('settings/put'), play());
    assert.deepEqual(lines.slice(2, 6), [
      ...back(2),
      '2 a1 speaker receipt failed TIMEOUT',
      '2 a1 speaker failed TIMEOUT',
    ]);
  });

  it('start together when all are ready, but do not wait longer than `together`', async () => {
    const both = play({ targets: [speaker, display], sound: buffer });
    const startsWith = async (together: number) => {
      const lines = await playScene({ nodes: [{ together }] }, slow('files/put', 2_000), both);
      return lines.filter((line) => line.includes('plays')).map((line) => line.split(' ')[0]);
    };
    assert.deepEqual(
      [await startsWith(5), await startsWith(1)],
      [
        ['2', '2'],
        ['1', '2'],
      ],
    );
  });

  it('do not wait for a device that is known to be offline', async () => {
    const busy = other(0, 'files/put', 'tones/x-other.wav', display);
    const away = { kind: 'away', at: 5, device: display, forMs: 9_000 } as const;
    const both = play({ at: 10, targets: [speaker, display], sound: buffer });
    const lines = await playScene({}, busy, away, both);
    assert.ok(lines.includes('0 a1 speaker started 10000'));
  });

  it('do not wait for a device that cannot take part', async () => {
    const lines = await playScene(
      {},
      lose('files/put'),
      play({ targets: [speaker, display], sound: buffer }),
    );
    assert.ok(lines.includes('2 display plays algo-0000000000000000.wav'));
  });

  it('are skipped where an alert is on, and end when one begins, after the volume is back', async () => {
    const lines = await playScene(loud, play(), play({ at: 10 }), alert(4_000), play({ at: 9_000 }));
    const held = 'the alert "Fire" is on here and goes first';
    assert.ok(lines.indexOf('4 speaker write -30dB') < lines.indexOf('4 speaker alert tone/start Fire'));
    assert.ok(lines.includes(`4 a1 speaker stopped 4000 ${held}`));
    assert.ok(lines.includes(`4 a2 speaker skipped ${held}`));
    assert.ok(lines.includes(`9 a3 speaker skipped ${held}`));
    assert.equal(lines.filter((line) => line.includes('plays')).length, 1);
  });

  it('play on if the tone of another node was rejected, and send nothing meanwhile', async () => {
    const devices = [{ lacks: ['x-other.wav'] }];
    const lines = await playScene({ devices }, play(), other(3_000, 'tone/start'));
    assert.ok(lines.includes('10 a1 speaker finished 10000'));
  });

  it('send no sound whose turn comes after their end, or while another node sends', async () => {
    // An upload has the connection when the second sound is due.
    const steps = [play(), other(14_900, 'files/put', 'tones/x-other.wav')];
    const plays = (lines: string[]) => lines.filter((line) => line.includes('plays')).length;
    const stopped = await playScene({ nodes: [{ repeat: 2, interval: 5 }] }, ...steps, {
      kind: 'stop',
      at: 15_500,
    });
    const busy = await playScene(
      { nodes: [{ repeat: 2, interval: 5 }] },
      ...steps,
      other(16_398, 'emergency/start', ''),
    );
    assert.deepEqual([plays(stopped), plays(busy)], [1, 1]);
  });

  it('only show the text where nothing can play, until an alert takes the screen', async () => {
    // No model of the catalogue is such a device.
    const { check } = Preparer.prototype;
    Preparer.prototype.check = async () => ({ plays: false, shows: true, setting: '' });
    try {
      const step = play({ targets: [display], text: 'Bus 12', sound: buffer });
      const begin = ['0 display text on', '0 a1 display receipt accepted', '0 a1 display started 10000'];
      const end = ['10 display text off', '10 a1 display finished 10000', '10 a1 done'];
      assert.deepEqual(await playScene(loud, step), [...begin, ...end]);
      const taken = await playScene(loud, step, alert(3_000, 30_000, 1));
      assert.ok(taken.includes('3 a1 display stopped 3000 the alert "Storm" is on here and goes first'));
      const held = await playScene(loud, alert(0, 30_000, 1), { ...step, at: 100 });
      assert.ok(held.includes('0 a1 display receipt skipped'));
    } finally {
      Preparer.prototype.check = check;
    }
  });

  describe('with a text', () => {
    const text = (more: object = {}) => play({ targets: [display], text: 'Bus 12', ...more });
    const texts = (lines: string[]) => lines.filter((line) => /text (?:on|off)/.test(line));

    it('remove no text of another node, also if their own was never shown', async () => {
      const replaced = await playScene({}, text(), other(3_000, 'screen/text-start', 'Hello', display));
      assert.deepEqual(texts(replaced), ['0 display text on']);
      // The alert comes while the text is written to the journal.
      const steps = [other(0, 'screen/text-start', 'Hello', display), text({ at: 100 }), alert(106)];
      const never = await playScene({}, ...steps);
      assert.deepEqual(texts(never), []);
    });

    it('remove their text if another text was shown while it waited', async () => {
      const lines = await playScene({}, text(), other(4, 'screen/text-start', 'Hello', display));
      assert.deepEqual(texts(lines), ['0 display text on', '10 display text off']);
    });

    it('remove it when an alert takes the screen under it, and play on', async () => {
      const lines = await playScene({}, text(), alert(3_000, 30_000, 1));
      assert.deepEqual(texts(lines), ['0 display text on', '3 display text off']);
      assert.ok(lines.includes('10 a1 display finished 10000'));
    });

    it('show none where an alert has the screen, also if it begins while the text waits for its turn', async () => {
      const before = await playScene({}, alert(0, 30_000, 1), text({ at: 100 }));
      assert.ok(before.includes('10 a1 display finished 10000'));
      const upload = { targets: [display], sound: buffer, node: 1, at: 1 };
      const meanwhile = await playScene({}, text(), play(upload), alert(6, 30_000, 1));
      assert.deepEqual([texts(before), texts(meanwhile)], [[], []]);
    });

    it('never remove the text of an alert', async () => {
      const lines = await playScene({}, text(), alert(3_000, 30_000, 2));
      assert.deepEqual(texts(lines), ['0 display text on']);
      // The kill comes before Node-RED knows that the alert has shown its text.
      const killed = await playScene({}, text(), alert(3_000, 30_000, 2), {
        kind: 'kill',
        at: 3_003,
        forMs: 10,
      });
      assert.deepEqual(texts(killed), ['0 display text on']);
    });
  });

  describe('before a start that must be heard', () => {
    const emergency = (at: number) => other(at, 'emergency/start', '');
    const heard = 'speaker other emergency/start';

    it('put the volume back, and end', async () => {
      const lines = await playScene(loud, play(), emergency(4_000));
      assert.deepEqual(lines.slice(5), [
        ...[
          ...back(4),
          `4 ${heard}`,
          '4 a1 speaker stopped 4000 another node has used the device',
          '4 a1 done',
        ],
      ]);
    });

    it('put the volume back after it, once a second, if the device does not answer', async () => {
      const lines = await playScene(
        loud,
        play(),
        lose('settings/get', { at: 3_000, count: 4 }),
        emergency(4_000),
      );
      const after = lines.slice(lines.indexOf(`5 ${heard}`) + 1).filter((line) => /read|write/.test(line));
      assert.deepEqual(after, ['5 speaker read', '7 speaker read', '10 speaker read', ...back(12)]);
    });

    it('set the volume again if the start was rejected, and go on', async () => {
      const scene = { ...loud, devices: [{ lacks: ['none'] }] };
      const lines = await playScene(scene, play(), other(4_000, 'emergency/start', 'none'));
      const again = ['4 speaker read', '4 speaker write -12dB'];
      assert.deepEqual(lines.slice(5), [
        ...[...back(4), `4 ${heard}`, ...again, ...back(10), '10 a1 speaker finished 10000', '10 a1 done'],
      ]);
    });

    it('keep their volume if it could not be put back and the start was rejected', async () => {
      const scene = { ...loud, devices: [{ lacks: ['none'] }] };
      const steps = [play(), lose('settings/get', { at: 3_000 }), other(4_000, 'emergency/start', 'none')];
      const lines = await playScene(scene, ...steps);
      assert.deepEqual(lines.slice(5, 8), ['4 speaker read', `5 ${heard}`, '10 speaker read']);
    });

    it('leave no volume that waited to be written when the volume was put back', async () => {
      const nodes = [...loud.nodes, { volume: '-9dB', volumeThere: '-9dB' }];
      const scene = { nodes, devices: [{ lacks: ['none'] }] };
      for (let at = 10_010; at < 10_070; at += 2) {
        const begin = [play(), play({ node: 1, at: 10 }), refuse('settings/get', { at: 9_000, count: 2 })];
        const upload = other(at, 'files/put', 'tones/x-other.wav');
        const lines = await playScene(scene, ...begin, upload, other(at + 500, 'emergency/start', 'none'));
        const written = lines.filter((line) => line.includes('write')).at(-1);
        assert.match(written ?? '', /-30dB$/, `an upload at ${at}`);
      }
    });

    it('wait for the answer to a write of the announcement', async () => {
      const lines = await playScene(loud, slow('settings/put', 500), play(), emergency(100));
      assert.deepEqual(lines.slice(1, 5), ['0 speaker write -12dB', ...back(0), `0 ${heard}`]);
    });

    it('look again after a write of the announcement that hung', async () => {
      const lines = await playScene(loud, slow('settings/put', 2_000), play(), emergency(100));
      const writes = lines.filter((line) => line.includes('write'));
      assert.ok(writes.length > 1, lines.join('\n'));
    });
  });

  describe('that are stopped', () => {
    const stop = (at: number, more: object = {}) => ({ kind: 'stop', at, ...more }) as const;

    it('end their sound and put back; those that wait are taken out', async () => {
      const lines = await playScene(loud, play(), play({ at: 10 }), play({ at: 20, node: 1 }), stop(4_000));
      assert.deepEqual(lines.slice(7, 16), [
        ...['4 speaker stop', '4 a2 speaker receipt superseded SUPERSEDED', '4 a2 speaker failed SUPERSEDED'],
        ...['4 a2 done', ...back(4), '4 a1 speaker stopped 4000', '4 a1 done', '4 speaker plays tone-1.wav'],
      ]);
    });

    it('begin nothing of the same node that waits behind what is taken out', async () => {
      const upload = slow('files/put', 20_000, { device: display });
      const both = play({ targets: [speaker, display], sound: buffer });
      const lines = await playScene(
        { nodes: [{ together: 30 }] },
        upload,
        both,
        play({ at: 10 }),
        stop(1_000),
      );
      assert.equal(
        lines.some((line) => line.startsWith('1 speaker plays')),
        false,
      );
    });

    it('are aborted by a deploy of their node', async () => {
      const lines = await playScene({}, play(), play({ at: 10 }), { kind: 'deploy', at: 4_000 });
      assert.deepEqual(lines.slice(4), [
        ...[
          '4 speaker stop',
          '4 a2 speaker receipt failed ABORTED',
          '4 a2 speaker failed ABORTED',
          '4 a2 done',
        ],
        ...['4 a1 speaker stopped 4000', '4 a1 done'],
      ]);
    });

    it('send the stop after the answer of a start, and none for a sound that was not played', async () => {
      const during = await playScene({}, slow('tone/start', 2_000), play(), stop(500));
      assert.deepEqual(during.slice(1), [
        ...['2 a1 speaker receipt accepted', '2 speaker stop', '2 a1 speaker started 10000'],
        ...['2 a1 speaker stopped 0', '2 a1 done'],
      ]);
      const missing = { devices: [{ lacks: ['tone-1.wav'] }] };
      const refused = await playScene(missing, slow('tone/start', 2_000), play(), stop(500));
      assert.deepEqual(refused.slice(1), [
        ...['2 a1 speaker receipt superseded SUPERSEDED', '2 a1 speaker failed SUPERSEDED', '2 a1 done'],
      ]);
    });

    it('send a stop without an answer again, until the sound has ended by itself', async () => {
      const lines = await playScene({}, play(), lose('tone/stop', { done: false, count: 9 }), stop(4_000));
      const stops = lines.filter((line) => line.endsWith('stop'));
      assert.ok(stops.length > 1 && stops.length < 6, stops.join());
    });

    it('stop no sound of another node', async () => {
      const refused = { kind: 'away', at: 3_999, forMs: 50 } as const;
      const lines = await playScene({}, play(), refused, stop(4_000), other(4_100, 'tone/start'));
      assert.equal(lines.filter((line) => line.endsWith('stop')).length, 0, lines.join('\n'));
    });
  });

  describe('after a kill', () => {
    it('leave no volume and no text, whenever it comes', async () => {
      for (let at = 0; at < 60; at += 1) {
        const lines = await playScene(loud, play({ targets: [display], text: 'Bus 12' }), {
          kind: 'kill',
          at,
          forMs: 10,
        });
        const last = (words: RegExp) => lines.filter((line) => words.test(line)).at(-1) ?? '';
        assert.doesNotMatch(last(/ write /), /-12dB/, `killed at ${at}`);
        assert.doesNotMatch(last(/ text o/), /text on/, `killed at ${at}`);
      }
    });

    it('retry a device that is away for a day, and tell that once', async () => {
      const away = (forMs: number) => ({ kind: 'away', at: 3_000, forMs }) as const;
      const kills = [3_500, 60_000].map((at) => ({ kind: 'kill', at, forMs: 10 }) as const);
      const short = await playScene(loud, play(), away(3_600_000), ...kills, until(3_700_000));
      assert.deepEqual(
        [
          short.filter((line) => line.endsWith('-30dB')).length,
          short.filter((line) => line === 'warned').length,
        ],
        [1, 1],
      );
      const long = await playScene(loud, play(), away(90_000_000), ...kills, until(95_000_000));
      assert.match(long.at(-1) ?? '', /could not be put back for a day/);
    });
  });
});
