import assert from 'node:assert/strict';
import { away, hall, horn, LineWorld, lost, onStep, refused } from './line-parts';

describe('the line of announcements at a device', () => {
  let world: LineWorld;
  beforeEach(() => {
    world = new LineWorld();
  });
  const log = (expected: string[]) => assert.deepEqual(world.look(), expected);

  it('has nothing to do for a request of another node at a device without announcements', () => {
    const { engine } = new LineWorld();
    engine.otherBegins('horn');
    assert.equal(engine.otherEnds('horn', true, undefined), false);
  });

  it('plays one announcement: volume, text, chime and audio, and all as before', () => {
    world.add({ volume: '-12dB', hasText: true, prepared: { chimeMs: 3_000 } });
    log([
      'horn read',
      'horn write -12dB',
      'horn text on',
      'horn plays chime',
      'a1@horn receipt accepted',
      'a1 begun',
      'a1@horn started 13000',
    ]);
    world.advance(2_999);
    log([]);
    world.advance(1);
    log(['horn plays audio']);
    assert.equal(world.volumes.get('horn'), '-12dB');
    world.advance(10_000);
    log([
      'horn back read',
      'horn back write -30dB',
      'horn back text off',
      'a1@horn finished 13000',
      'a1 done',
    ]);
    assert.equal(world.journal.size, 0);
  });

  it('plays the audio several times, with the interval between them', () => {
    world.add({ repeat: 3, intervalMs: 2_000 });
    log(['horn plays audio', 'a1@horn receipt accepted', 'a1 begun', 'a1@horn started 34000']);
    world.advance(11_999);
    log([]);
    world.advance(1);
    log(['horn plays audio']);
    world.advance(12_000);
    log(['horn plays audio']);
    world.advance(10_000);
    log(['a1@horn finished 34000', 'a1 done']);
  });

  it('writes no volume that is there already, whatever its spelling', () => {
    world.volumes.set('horn', '-12 DB');
    world.add({ volume: '-12dB' });
    log(['horn read', 'horn plays audio', 'a1@horn receipt accepted', 'a1 begun', 'a1@horn started 10000']);
    world.advance(10_000);
    log(['a1@horn finished 10000', 'a1 done']);
  });

  it('writes what must be put back to the journal before it changes the device', () => {
    world.answers = onStep('write-volume', 'later');
    world.add({ volume: '-12dB', hasText: true });
    const volume = { setting: 'audio.page.vol', before: '-30dB', written: '-12dB' };
    assert.deepEqual(world.journal.get('horn')?.volumes, [volume]);
    world.answers = onStep('show-text', 'later');
    world.answer();
    assert.equal(world.journal.get('horn')?.text, true);
  });

  it('plays with the volume as it is if the device rejects the volume, and says so', () => {
    for (const kind of ['read-volume', 'write-volume'] as const) {
      world = new LineWorld();
      world.answers = onStep(kind, refused);
      const [entry] = world.add({ volume: '-12dB' });
      assert.equal(world.look().includes('a1@horn receipt accepted'), true);
      assert.deepEqual(entry?.notes, [{ note: 'noVolume', detail: 'REFUSED' }]);
      world.advance(10_000);
      log(['a1@horn finished 10000', 'a1 done']);
    }
  });

  it('leaves a volume that a person has set meanwhile', () => {
    world.add({ volume: '-12dB' });
    world.volumes.set('horn', '-3dB');
    world.look();
    world.advance(10_000);
    log(['horn back read', 'a1@horn finished 10000', 'a1 done']);
    assert.equal(world.volumes.get('horn'), '-3dB');
    assert.equal(world.journal.size, 0);
  });

  it('plays nothing more after a sound without an answer, and waits for its length', () => {
    world.answers = onStep('start-tone', lost);
    world.add({ volume: '-12dB', repeat: 3 });
    log([
      ...['horn read', 'horn write -12dB', 'horn plays audio', 'a1@horn receipt unknown TIMEOUT', 'a1 begun'],
      ...['a1@horn failed TIMEOUT', 'a1 done'],
    ]);
    world.answers = () => undefined;
    world.advance(9_999);
    log([]);
    world.advance(1);
    log(['horn back read', 'horn back write -30dB']);
  });

  it('ends with the code of a sound that was not sent', () => {
    world.answers = onStep('start-tone', away);
    world.add({ volume: '-12dB' });
    const end = ['a1@horn receipt failed UNREACHABLE', 'a1 begun', 'a1@horn failed UNREACHABLE', 'a1 done'];
    log([
      ...['horn read', 'horn write -12dB', 'horn plays audio', 'horn back read', 'horn back write -30dB'],
      ...end,
    ]);
  });

  it('plays without a chime that the device lacks, and says so', () => {
    world.answers = ({ step }) =>
      step.kind === 'start-tone' && step.sound === 'chime' ? refused : undefined;
    const [entry] = world.add({ prepared: { chimeMs: 3_000 } });
    assert.deepEqual(world.look().slice(0, 3), [
      'horn plays chime',
      'horn plays audio',
      'a1@horn receipt accepted',
    ]);
    assert.deepEqual(entry?.notes, [{ note: 'noChime', detail: 'REFUSED' }]);
  });

  it('only shows the text where nothing can play, as long as it would play', () => {
    world.add({ hasText: true, volume: '-12dB', prepared: { plays: false } });
    log(['horn text on', 'a1@horn receipt accepted', 'a1 begun', 'a1@horn started 10000']);
    world.advance(10_000);
    log(['horn back text off', 'a1@horn finished 10000', 'a1 done']);
  });

  it('only plays where no text can be shown, with a note', () => {
    const [entry] = world.add({ hasText: true, prepared: { shows: false } });
    log(['horn plays audio', 'a1@horn receipt accepted', 'a1 begun', 'a1@horn started 10000']);
    assert.deepEqual(entry?.notes, [{ note: 'noTextSupport' }]);
  });

  describe('one at a time', () => {
    it('plays the higher priority first, then in the order of arrival', () => {
      world.add();
      world.add();
      world.add({ node: 'two', priority: 9 });
      world.add({ priority: 9 });
      const told = world.look().filter((line) => line.endsWith('queued'));
      assert.deepEqual(told, ['a2@horn queued', 'a3@horn queued', 'a4@horn queued']);
      const started: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        world.advance(10_000);
        started.push(...world.look().filter((line) => line.includes('started')));
      }
      assert.deepEqual(started, ['a3@horn started 10000', 'a4@horn started 10000', 'a2@horn started 10000']);
    });

    it('tells that one waits which is overtaken before it was ready', () => {
      const [slow] = world.add({ isPreparedLater: true });
      log([]);
      world.add({ priority: 9 });
      log([
        'a1@horn queued',
        'horn plays audio',
        'a2@horn receipt accepted',
        'a2 begun',
        'a2@horn started 10000',
      ]);
      if (slow) world.prepare(slow);
      log([]);
      world.advance(10_000);
      log([
        ...['a2@horn finished 10000', 'a2 done', 'horn plays audio', 'a1@horn receipt accepted', 'a1 begun'],
        'a1@horn started 10000',
      ]);
    });

    it('replaces one of the same or a lower priority', () => {
      world.add({ volume: '-12dB' });
      world.add();
      world.look();
      world.advance(4_000);
      world.add({ overlap: 'replace' });
      log([
        'horn back stop',
        'horn back read',
        'horn back write -30dB',
        'a1@horn stopped 4000 replaced',
        'a1 done',
        'horn plays audio',
        'a3@horn receipt accepted',
        'a3 begun',
        'a3@horn started 10000',
      ]);
    });

    it('lets a higher priority play on, and waits', () => {
      world.add({ priority: 6 });
      world.look();
      world.add({ overlap: 'replace' });
      log(['a2@horn queued']);
    });

    it('skips where something plays or waits', () => {
      world.add();
      world.look();
      world.add({ overlap: 'skip' });
      log(['a2@horn receipt skipped', 'a2 begun', 'a2@horn skipped busy', 'a2 done']);
      world = new LineWorld();
      world.add({ isPreparedLater: true });
      const [entry] = world.add({ overlap: 'skip' });
      log(['a2@horn receipt skipped', 'a2 begun', 'a2@horn skipped busy', 'a2 done']);
      assert.deepEqual(entry?.notes, [{ note: 'busy' }]);
      world = new LineWorld();
      world.add({ overlap: 'skip' });
      assert.equal(world.look().at(-1), 'a1@horn started 10000');
    });

    it('lets one expire that waits too long', () => {
      world.add();
      world.add({ ttlMs: 9_000 });
      world.look();
      world.advance(9_000);
      log(['a2@horn receipt expired EXPIRED', 'a2 begun', 'a2@horn failed EXPIRED', 'a2 done']);
    });

    it('remembers what the first has left, if a change of the second does not take effect', () => {
      world.add({ volume: '-12dB', hasText: true });
      world.add({ volume: '-6dB', hasText: true });
      world.answers = ({ entry, isPutBack }) =>
        isPutBack && entry?.announcement.id === 'a1' ? away : undefined;
      world.advance(9_999);
      const isOfSecond = (number: number) => number > 1;
      world.answers = ({ step, entry, isPutBack }) => {
        if (isPutBack) return away;
        const isChange = step.kind === 'write-volume' || step.kind === 'show-text';
        return isChange && isOfSecond(entry?.announcement.arrival ?? 0) ? refused : undefined;
      };
      world.advance(1);
      assert.deepEqual(world.journal.get('horn')?.volumes, [
        { setting: 'audio.page.vol', before: '-30dB', written: '-12dB' },
      ]);
      assert.equal(world.journal.get('horn')?.text, true);
    });

    it('puts back before it tells the end, also if an earlier one has left something', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-6dB' });
      world.answers = ({ isPutBack }) => (isPutBack ? away : undefined);
      world.advance(10_000);
      world.answers = () => undefined;
      world.look();
      world.advance(10_000);
      assert.deepEqual(world.look().slice(-4), [
        'horn back read',
        'horn back write -30dB',
        'a2@horn finished 10000',
        'a2 done',
      ]);
    });

    it('puts back what the first has written, if the write of the second did not happen', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-6dB' });
      world.answers = ({ step, isPutBack, entry }) => {
        if (isPutBack) return entry?.announcement.id === 'a2' ? undefined : away;
        return step.kind === 'write-volume' ? lost : undefined;
      };
      world.advance(10_000);
      assert.equal(world.volumes.get('horn'), '-30dB');
      assert.equal(world.journal.size, 0);
    });

    it('puts back what the first has written, if two writes after it did not happen', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-6dB' });
      world.add({ volume: '-6dB' });
      world.answers = ({ step, isPutBack, entry }) => {
        if (entry?.announcement.id === 'a1') return isPutBack ? away : undefined;
        return step.kind === 'write-volume' ? lost : undefined;
      };
      world.advance(10_000);
      world.answers = () => undefined;
      world.advance(60_000);
      assert.equal(world.volumes.get('horn'), '-30dB');
      assert.equal(world.journal.size, 0);
    });

    it('does not begin after its time limit', () => {
      world.answers = onStep('read-volume', 'later');
      world.add({ volume: '-12dB', ttlMs: 1_000 });
      world.advance(1_000);
      world.look();
      world.answers = () => undefined;
      world.answer();
      assert.equal(world.log.includes('horn plays audio'), false);
      assert.ok(world.look().includes('a1@horn receipt expired EXPIRED'));
    });

    it('puts back the volume of before the first, also if that failed between them', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-6dB' });
      world.look();
      world.answers = ({ isPutBack }) => (isPutBack ? away : undefined);
      world.advance(10_000);
      log([
        'horn back read',
        'a1@horn finished 10000',
        'a1 done',
        'horn back read',
        'horn read',
        'horn write -6dB',
        'horn plays audio',
        'a2@horn receipt accepted',
        'a2 begun',
        'a2@horn started 10000',
      ]);
      world.answers = () => undefined;
      world.advance(10_000);
      assert.equal(world.volumes.get('horn'), '-30dB');
      assert.equal(world.journal.size, 0);
    });
  });

  describe('at several devices', () => {
    it('starts together, when all are ready', () => {
      const [first, second] = world.add({ at: [horn, hall], isPreparedLater: true });
      if (first) world.prepare(first);
      log([]);
      world.advance(4_000);
      if (second) world.prepare(second);
      assert.deepEqual(
        world.look().filter((line) => line.includes('plays')),
        ['horn plays audio', 'hall plays audio'],
      );
    });

    it('waits for the others at most so long after the first was ready', () => {
      const [first, second] = world.add({ at: [horn, hall], isPreparedLater: true });
      world.advance(60_000);
      if (first) world.prepare(first);
      world.advance(4_999);
      log([]);
      world.advance(1);
      log(['horn plays audio', 'a1@horn receipt accepted', 'a1@horn started 10000']);
      if (second) world.prepare(second);
      log(['hall plays audio', 'a1@hall receipt accepted', 'a1 begun', 'a1@hall started 10000']);
    });

    it('does not wait for one that cannot take part', () => {
      const [first, second] = world.add({ at: [horn, hall], isPreparedLater: true });
      if (first) world.prepare(first);
      world.do((engine) => second && engine.unprepared(second, { outcome: 'failed', code: 'NOT_SUPPORTED' }));
      assert.equal(world.engine.playing('horn').playing?.id, 'a1');
      assert.equal(world.engine.playing('hall').playing, null);
    });
  });

  describe('alerts and other nodes', () => {
    it('skips where an alert holds the sound, and names the alert', () => {
      world.heldSound = 'Fire';
      const [entry] = world.add();
      log(['a1@horn receipt skipped', 'a1 begun', 'a1@horn skipped held', 'a1 done']);
      assert.deepEqual(entry?.notes, [{ note: 'held', detail: 'Fire' }]);
    });

    it('shows no text where an alert holds the screen', () => {
      world.heldScreen = 'Fire';
      const [entry] = world.add({ hasText: true });
      log(['horn plays audio', 'a1@horn receipt accepted', 'a1 begun', 'a1@horn started 10000']);
      assert.deepEqual(entry?.notes, [{ note: 'textHeld', detail: 'Fire' }]);
    });

    it('ends when an alert starts a tone: no sound follows, and volume and text are put back', () => {
      world.add({ volume: '-12dB', hasText: true, repeat: 5 });
      world.add();
      world.advance(3_000);
      world.look();
      assert.deepEqual(
        world.do((engine) => engine.otherBegins('horn')),
        [],
      );
      world.heldSound = 'Fire';
      assert.deepEqual(
        world.do((engine) => engine.otherEnds('horn', true, 'Fire')),
        [
          'horn back read',
          'horn back write -30dB',
          'horn back text off',
          'a1@horn stopped 3000 held',
          'a1 done',
          'a2@horn receipt skipped',
          'a2 begun',
          'a2@horn skipped held',
          'a2 done',
        ],
      );
      world.advance(600_000);
      log([]);
    });

    it('ends one that has not started yet with the receipt of what came before it', () => {
      world.answers = onStep('write-volume', 'later');
      world.add({ volume: '-12dB' });
      world.look();
      world.engine.otherBegins('horn');
      world.engine.otherEnds('horn', true, undefined);
      world.answers = () => undefined;
      world.answer();
      log([
        ...['horn back read', 'horn back write -30dB', 'a1@horn receipt superseded SUPERSEDED', 'a1 begun'],
        ...['a1@horn failed SUPERSEDED', 'a1 done'],
      ]);
    });

    it('sends no sound while another node sends one, and goes on if that failed', () => {
      world.add({ repeat: 2 });
      world.engine.otherBegins('horn');
      world.look();
      world.advance(60_000);
      log([]);
      assert.deepEqual(
        world.do((engine) => engine.otherEnds('horn', false, undefined)),
        ['horn plays audio'],
      );
    });

    it('asks at the turn of a sound whether it may still be sent', () => {
      world.answers = onStep('start-tone', 'later');
      world.add();
      const [ticket] = world.open;
      assert.ok(ticket);
      assert.equal(world.engine.maySend(ticket), true);
      world.engine.otherBegins('horn');
      assert.equal(world.engine.maySend(ticket), false);
      world.engine.otherEnds('horn', false, undefined);
      world.heldSound = 'Fire';
      assert.equal(world.engine.maySend(ticket), false);
      world.look();
      world.answer({ is: 'held' });
      log(['a1@horn receipt skipped', 'a1 begun', 'a1@horn skipped held', 'a1 done']);
    });

    it('asks at the turn of a text whether an alert has the screen', () => {
      world.answers = onStep('show-text', 'later');
      world.add({ hasText: true });
      const [ticket] = world.open;
      assert.ok(ticket);
      assert.equal(world.engine.maySend(ticket), true);
      assert.deepEqual(
        [world.engine.playing('horn').playing, world.engine.playing('horn').waiting.length],
        [null, 1],
      );
      world.heldScreen = 'Fire';
      assert.equal(world.engine.maySend(ticket), false);
    });

    it('sends a change again that was held back at its turn', () => {
      world.answers = ({ step }) =>
        step.kind === 'write-volume' || step.kind === 'show-text' ? 'later' : undefined;
      world.add({ volume: '-12dB', hasText: true });
      world.answer({ is: 'held' });
      log(['horn read', 'horn write -12dB', 'horn read', 'horn write -12dB']);
      world.answer();
      world.answer({ is: 'held' });
      log(['horn text on', 'horn text on']);
      world.answer();
      assert.equal(world.texts.has('horn'), true);
    });

    it('removes its own text if another text was shown before it', () => {
      world.answers = onStep('show-text', 'later');
      world.add({ hasText: true });
      world.do((engine) => engine.textReplaced('horn'));
      world.answer();
      world.advance(10_000);
      assert.equal(world.texts.has('horn'), false);
    });

    it('removes its text when an alert takes the screen under it, and plays on', () => {
      world.add({ hasText: true, repeat: 2 });
      world.advance(3_000);
      world.look();
      world.heldScreen = 'Fire';
      assert.deepEqual(
        world.do((engine) => engine.screenTaken('horn', 'Fire')),
        ['horn back text off'],
      );
      world.advance(60_000);
      log(['horn plays audio', 'a1@horn finished 22000', 'a1 done']);
      assert.equal(world.journal.size, 0);
    });

    it('leaves the text of an alert that has replaced its own', () => {
      world.add({ hasText: true });
      world.look();
      world.heldText = 'Fire';
      const taken = world.do((engine) => {
        engine.textReplaced('horn');
        engine.screenTaken('horn', 'Fire');
      });
      assert.deepEqual(taken, []);
      world.advance(10_000);
      log(['a1@horn finished 10000', 'a1 done']);
    });

    it('ends where an alert takes the screen of a device that shows only the text', () => {
      world.add({ hasText: true, prepared: { plays: false } });
      world.advance(3_000);
      world.look();
      world.heldScreen = 'Fire';
      assert.deepEqual(
        world.do((engine) => engine.screenTaken('horn', 'Fire')),
        ['horn back text off', 'a1@horn stopped 3000 held', 'a1 done'],
      );
    });

    it('removes a text that was on its way when an alert took the screen', () => {
      world.answers = onStep('show-text', 'later');
      world.add({ hasText: true });
      world.heldScreen = 'Fire';
      world.do((engine) => engine.screenTaken('horn', 'Fire'));
      world.look();
      world.answer();
      assert.deepEqual(world.look().slice(0, 2), ['horn back text off', 'horn plays audio']);
      assert.equal(world.texts.size, 0);
    });

    it('never removes the text of another node', () => {
      world.add({ hasText: true });
      world.look();
      world.do((engine) => engine.textReplaced('horn'));
      world.advance(10_000);
      log(['a1@horn finished 10000', 'a1 done']);
      assert.equal(world.journal.size, 0);
    });
  });

  describe('a start that sounds, of an alert or an emergency', () => {
    const begin = () => world.do((engine) => engine.soundBegins('horn'));
    const endSound = (happened = true) => world.do((engine) => engine.soundEnds('horn', happened, undefined));
    const mustWait = () => world.engine.isPuttingBackFirst('horn');
    const never = ({ isPutBack }: { readonly isPutBack: boolean }) => (isPutBack ? away : undefined);

    it('waits until the volume is back, and ends the announcement', () => {
      world.add({ volume: '-12dB', hasText: true, repeat: 5 });
      world.look();
      world.answers = onStep('read-volume', 'later');
      assert.deepEqual(begin(), ['horn first back read']);
      assert.equal(mustWait(), true);
      world.answer();
      log(['horn first back write -30dB']);
      assert.equal(mustWait(), false);
      assert.deepEqual(endSound(), ['horn back text off', 'a1@horn stopped 0 other', 'a1 done']);
    });

    it('does not wait where no volume is changed', () => {
      world.add({ hasText: true });
      world.look();
      assert.deepEqual([begin(), mustWait()], [[], false]);
    });

    it('is followed by tries without growing pauses, until the device answers', () => {
      world.add({ volume: '-12dB' });
      world.answers = never;
      world.look();
      assert.deepEqual([begin(), mustWait()], [['horn first back read'], false]);
      world.advance(60_000);
      log([]);
      assert.ok(endSound().includes('horn back read'));
      world.advance(60_000);
      assert.equal(world.look().filter((line) => line === 'horn back read').length, 60);
      world.answers = () => undefined;
      world.advance(1_000);
      log(['horn back read', 'horn back write -30dB']);
      world.advance(600_000);
      log([]);
    });

    it('is followed by a try immediately after one that hung', () => {
      world.add({ volume: '-12dB' });
      world.answers = ({ isPutBack }) => (isPutBack ? 'later' : undefined);
      begin();
      world.answer(away);
      endSound();
      world.advance(10_000);
      world.look();
      world.answers = () => undefined;
      world.answer(away);
      world.advance(0);
      log(['horn back read', 'horn back write -30dB']);
    });

    it('is followed by the usual pauses if the device rejects what puts the volume back', () => {
      world.add({ volume: '-12dB' });
      world.answers = onStep('write-volume', refused);
      begin();
      endSound();
      world.look();
      world.advance(60_000);
      assert.ok(world.look().length < 20);
    });

    it('does not wait for requests of an earlier try that hang', () => {
      world.add({ volume: '-12dB' });
      world.answers = ({ isPutBack }) => (isPutBack ? 'later' : undefined);
      world.advance(10_000);
      log([
        ...['horn read', 'horn write -12dB', 'horn plays audio', 'a1@horn receipt accepted', 'a1 begun'],
        ...['a1@horn started 10000', 'horn back read'],
      ]);
      world.answers = () => undefined;
      assert.deepEqual(begin(), ['horn first back read', 'horn first back write -30dB']);
      endSound();
      world.answer(lost);
      assert.equal(world.journal.size, 0);
    });

    it('waits for the answer to a write of the announcement', () => {
      world.answers = onStep('write-volume', 'later');
      world.add({ volume: '-12dB' });
      const [write] = world.open;
      assert.ok(write && world.engine.maySend(write));
      world.look();
      world.answers = () => undefined;
      assert.deepEqual([begin(), mustWait()], [[], true]);
      world.answer();
      log(['horn first back read', 'horn first back write -30dB']);
      assert.equal(mustWait(), false);
    });

    it('is followed by a second look after a write of the announcement that hung', () => {
      world.answers = onStep('write-volume', 'later');
      world.add({ volume: '-12dB' });
      const [write] = world.open;
      assert.ok(write && world.engine.maySend(write));
      world.volumes.set('horn', '-12dB');
      begin();
      world.look();
      world.answers = () => undefined;
      assert.deepEqual(endSound(), ['horn back read', 'horn back write -30dB']);
      // The write takes effect, but its answer is lost.
      world.volumes.set('horn', '-12dB');
      world.answer(lost);
      assert.deepEqual(world.look().slice(0, 2), ['horn back read', 'horn back write -30dB']);
      assert.deepEqual([world.volumes.get('horn'), world.journal.size], ['-30dB', 0]);
    });

    it('that failed lets the announcement go on, with its volume', () => {
      world.add({ volume: '-12dB', repeat: 2 });
      world.look();
      begin();
      world.look();
      assert.deepEqual(endSound(false), ['horn read', 'horn write -12dB']);
      world.advance(60_000);
      assert.ok(world.look().includes('a1@horn finished 22000'));
      assert.equal(world.journal.size, 0);
    });

    it('that failed lets the announcement go on, also if the volume could not be put back', () => {
      world.add({ volume: '-12dB', repeat: 2 });
      world.answers = never;
      begin();
      endSound(false);
      world.answers = () => undefined;
      world.look();
      world.advance(13_000);
      log(['horn plays audio']);
      assert.equal(world.volumes.get('horn'), '-12dB');
    });

    it('keeps a write back that was asked for before the volume was put back', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-6dB' });
      world.answers = never;
      world.advance(9_999);
      world.answers = ({ isPutBack, step }) => {
        if (isPutBack) return away;
        return step.kind === 'write-volume' ? 'later' : undefined;
      };
      world.advance(1);
      const [write] = world.open;
      assert.equal(write?.step.kind, 'write-volume');
      world.answers = () => undefined;
      begin();
      assert.equal(world.volumes.get('horn'), '-30dB');
      endSound(false);
      assert.equal(write && world.engine.maySend(write), false);
      world.look();
      world.answer({ is: 'held' });
      assert.deepEqual(world.look().slice(0, 2), ['horn read', 'horn write -6dB']);
    });

    it('is answered by the next announcement, which puts back at its end', () => {
      world.add({ volume: '-12dB' });
      world.answers = never;
      begin();
      endSound();
      world.add({ volume: '-6dB' });
      world.look();
      world.advance(9_000);
      log([]);
      world.answers = () => undefined;
      world.advance(1_000);
      assert.deepEqual(world.look().slice(0, 2), ['horn back read', 'horn back write -30dB']);
    });
  });

  describe('several settings', () => {
    it('are put back each by itself', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-3dB', prepared: { setting: 'audio.vol.spk' } });
      world.answers = ({ isPutBack }) => (isPutBack ? away : undefined);
      world.advance(10_000);
      world.answers = () => undefined;
      world.look();
      world.advance(10_000);
      assert.deepEqual(world.look().slice(0, 4), [
        ...['horn back read', 'horn back write -30dB'],
        ...['horn back read of audio.vol.spk', 'horn back write -9dB of audio.vol.spk'],
      ]);
      assert.equal(world.journal.size, 0);
    });

    it('are put back also where one of them is rejected', () => {
      world.add({ volume: '-12dB' });
      world.add({ volume: '-3dB', prepared: { setting: 'audio.vol.spk' } });
      world.answers = ({ isPutBack, step }) =>
        isPutBack && 'setting' in step && step.setting === 'audio.page.vol' ? refused : undefined;
      world.advance(20_000);
      assert.equal(world.volumes.get('horn of audio.vol.spk'), '-9dB');
      assert.deepEqual(
        world.journal.get('horn')?.volumes?.map(({ setting }) => setting),
        ['audio.page.vol'],
      );
    });
  });

  describe('stop', () => {
    it('ends what plays, and puts back', () => {
      world.add({ volume: '-12dB', hasText: true });
      world.advance(4_000);
      world.look();
      world.do((engine) => assert.deepEqual(engine.stop('two'), []));
      assert.deepEqual(
        world.do((engine) => assert.deepEqual(engine.stop('one', new Set(['horn'])), ['horn'])),
        [
          'horn back stop',
          'horn back read',
          'horn back write -30dB',
          'horn back text off',
          'a1@horn stopped 4000',
          'a1 done',
        ],
      );
    });

    it('takes out what waits', () => {
      world.add({ node: 'two' });
      world.add();
      world.look();
      assert.deepEqual(
        world.do((engine) => engine.stop('one')),
        ['a2@horn receipt superseded SUPERSEDED', 'a2 begun', 'a2@horn failed SUPERSEDED', 'a2 done'],
      );
    });

    it('begins nothing of the same node that waits behind what it takes out', () => {
      const [, second] = world.add({ at: [horn, hall], isPreparedLater: true });
      if (second) world.prepare(second);
      world.advance(5_000);
      world.add();
      world.look();
      assert.deepEqual(
        world.do((engine) => engine.stop('one', new Set(['horn']))),
        [
          ...['a1@horn receipt superseded SUPERSEDED', 'a1 begun', 'a1@horn failed SUPERSEDED'],
          ...['a2@horn receipt superseded SUPERSEDED', 'a2 begun', 'a2@horn failed SUPERSEDED', 'a2 done'],
        ],
      );
    });

    it('of a closed node aborts what waits', () => {
      world.add({ isPreparedLater: true });
      assert.deepEqual(
        world.do((engine) => engine.stop('one', undefined, 'ABORTED')),
        ['a1@horn receipt failed ABORTED', 'a1 begun', 'a1@horn failed ABORTED', 'a1 done'],
      );
    });

    it('sends the stop after the answer of a start, and tells what became of it', () => {
      world.answers = onStep('start-tone', 'later');
      world.add();
      log(['horn plays audio']);
      world.answers = () => undefined;
      world.do((engine) => engine.stop('one'));
      world.answer();
      log([
        ...['a1@horn receipt accepted', 'a1 begun', 'a1@horn started 10000', 'horn back stop'],
        ...['a1@horn stopped 0', 'a1 done'],
      ]);
    });

    it('sends no stop for a sound that was not sent', () => {
      for (const result of [away, refused, { is: 'held' } as const]) {
        world = new LineWorld();
        world.answers = onStep('start-tone', 'later');
        world.add();
        world.do((engine) => engine.stop('one'));
        world.answer(result);
        log(['a1@horn receipt superseded SUPERSEDED', 'a1 begun', 'a1@horn failed SUPERSEDED', 'a1 done']);
        assert.equal(world.journal.size, 0);
      }
    });

    it('stops the sound of an earlier announcement if its own was not sent', () => {
      world.add();
      world.answers = ({ step, isPutBack }) =>
        isPutBack ? away : step.kind === 'start-tone' ? 'later' : undefined;
      world.do((engine) => engine.stop('one'));
      world.add();
      world.do((engine) => engine.stop('one'));
      world.answers = () => undefined;
      world.answer(away);
      log([
        ...['horn back stop', 'a2@horn receipt superseded SUPERSEDED', 'a2 begun'],
        ...['a2@horn failed SUPERSEDED', 'a2 done'],
      ]);
      assert.equal(world.journal.size, 0);
    });

    it('sends a stop that got no answer again, until the sound has ended by itself', () => {
      world.add();
      world.advance(4_000);
      world.look();
      world.answers = ({ isPutBack }) => (isPutBack ? away : undefined);
      world.do((engine) => engine.stop('one'));
      world.advance(1_000);
      log(['horn back stop']);
      world.advance(10_000);
      assert.equal(world.journal.size, 0);
    });
  });

  describe('a restart', () => {
    it('puts back volume and text', () => {
      world.add({ volume: '-12dB', hasText: true });
      world.look();
      world.restart();
      log(['horn back read', 'horn back write -30dB', 'horn back text off']);
      assert.equal(world.journal.size, 0);
    });

    it('leaves the text where an alert holds it', () => {
      world.add({ hasText: true });
      world.look();
      world.heldText = 'Fire';
      world.restart();
      log([]);
    });

    it('asks a device that was away again, for a day at most', () => {
      world.add({ volume: '-12dB' });
      world.answers = () => away;
      world.restart();
      world.advance(3_600_000);
      assert.ok(world.look().length > 60);
      assert.equal(world.journal.size, 1);
      world.advance(24 * 3_600_000);
      assert.equal(world.look().at(-1), 'given up');
      assert.equal(world.journal.size, 0);
    });

    it('does not count the days that Node-RED was off', () => {
      world.add({ volume: '-12dB' });
      world.answers = () => away;
      world.restart();
      world.look();
      world.now += 3 * 24 * 3_600_000;
      world.restart();
      world.advance(23 * 3_600_000);
      assert.equal(world.look().includes('given up'), false);
      world.answers = () => undefined;
      world.advance(60_000);
      assert.deepEqual([world.volumes.get('horn'), world.journal.size], ['-30dB', 0]);
    });

    it('tells once that a device cannot be as before, until it is', () => {
      const told: boolean[] = [];
      world.answers = (ticket) => {
        if (!ticket.isPutBack) return undefined;
        told.push(world.engine.mustTellFailure(ticket));
        return away;
      };
      world.add({ volume: '-12dB', hasText: true });
      world.restart();
      world.advance(60_000);
      world.restart();
      assert.ok(told.length > 3);
      assert.deepEqual(
        told.filter((isTold) => isTold),
        [true],
      );
      world.answers = () => undefined;
      world.advance(60_000);
      told.length = 0;
      world.add({ volume: '-12dB' });
      world.answers = (ticket) => {
        told.push(world.engine.mustTellFailure(ticket));
        return away;
      };
      world.advance(10_000);
      assert.equal(told[0], true);
    });

    it('puts the volume back without growing pauses while an alert sounds', () => {
      world.add({ volume: '-12dB' });
      world.heldSound = 'Fire';
      world.answers = () => away;
      world.restart();
      world.look();
      world.advance(60_000);
      assert.equal(world.look().filter((line) => line === 'horn back read').length, 60);
    });

    it('puts back a volume whose write got no answer, if it took effect', () => {
      world.answers = ({ step, isPutBack }) => {
        if (step.kind !== 'write-volume' || isPutBack) return undefined;
        world.volumes.set('horn', step.value);
        return lost;
      };
      world.add({ volume: '-12dB' });
      log([
        'horn read',
        'horn write -12dB',
        'horn back read',
        'horn back write -30dB',
        'a1@horn receipt failed TIMEOUT',
        'a1 begun',
        'a1@horn failed TIMEOUT',
        'a1 done',
      ]);
    });
  });
});
