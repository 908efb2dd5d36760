import assert from 'node:assert/strict';
import type { SharedJournal } from '../../src/kernel/journal/journal';
import { journalOf } from '../../src/runtime/journal/shared-journal';
import { action, alertNode, states } from '../fixtures/alert-node';
import { type NodeConfig, runningNodeRed } from '../fixtures/flow';
import { act } from '../fixtures/site';
import { AnnounceSite, announce } from './announce-site';
import type { Speaker } from './speaker';

const emergencyHeard = 'POST /api/controls/emergency-alert/start';
const put = ['volume audio.page.vol', 'set -30dB'];
const emergency = act('emergency/start', { target: 'msg' });

describe('the volume of an announcement, and what must be heard', () => {
  let place: AnnounceSite;
  let horn: Speaker;
  beforeEach(async () => {
    place = new AnnounceSite();
    horn = await place.speaker('Horn', '8190');
  });
  afterEach(() => place.end());

  const failsToBegin = (reads: number) => (words: string) => {
    if (words !== 'volume audio.page.vol') return 200;
    return horn.heard.filter((one) => one === words).length <= reads ? 200 : 503;
  };
  const isBack = () => horn.volumes['audio.page.vol'] === '-30dB';
  /** Plays at -12 dB, and leaves that volume at the device: what puts it back fails. */
  async function leaveLoud(tries = 1): Promise<void> {
    horn.temper = failsToBegin(1);
    await place.ask({ device: 'Horn', payload: 'gong.wav' });
    const failed = () => horn.heard.filter((words) => words === 'volume audio.page.vol').length - 1;
    await place.site.until('it was tried to put the volume back', () => failed() >= tries);
    assert.equal(horn.volumes['audio.page.vol'], '-12dB');
  }

  for (const name of ['tone/start', 'call/start', 'emergency/start'])
    it(`is put back directly before ${name} of an alert`, async () => {
      const alert = alertNode([action(name)], { name: 'Fire' });
      await place.start(states, announce({ volume: '-12dB' }), alert);
      await place.ask({ device: 'Horn', payload: 'long.wav' });
      horn.look();
      await place.ask({ device: 'Horn' }, alert.id);
      assert.deepEqual(horn.heard.slice(0, 2), put);
      assert.match(horn.heard[2] ?? '', /play|call|emergency/);
      await place.until('done');
      assert.equal(horn.heard.length, 3);
      await place.ask({ operation: 'clear' }, alert.id);
    });

  it('is put back directly before an emergency, also while an upload has the ordinary connection', async () => {
    const upload = act('files/put', { target: 'msg', given: { path: 'tones/new.wav', content: 'new' } });
    await place.start(announce({ volume: '-12dB' }), emergency, upload as NodeConfig);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    horn.temper = (words) => (words === 'put new.wav' ? 'hold' : 200);
    const uploading = place.send({ device: 'Horn' }, 'files/put');
    await place.site.until('the upload is under way', () => horn.heard.includes('put new.wav'));
    horn.look();
    await place.ask({ device: 'Horn' }, 'emergency/start');
    assert.deepEqual(horn.look(), [...put, emergencyHeard]);
    horn.releaseAll();
    await place.site.ended(uploading);
  });

  it('is put back before an emergency while the disk hangs', async () => {
    const wall = await place.speaker('Wall', '8190');
    await place.start(announce({ volume: '-12dB' }), emergency);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    horn.look();
    const journal = journalOf(runningNodeRed()) as { put: SharedJournal['put'] };
    const { put: write } = journal;
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      journal.put = (key) => {
        if (key.startsWith('announce/back/')) resolve();
        return new Promise<void>((written) => {
          answer = written;
        });
      };
    });
    try {
      const waiting = place.send({ device: 'Wall', payload: 'gong.wav' });
      await isAsked;
      await place.ask({ device: 'Horn' }, 'emergency/start');
      assert.deepEqual(horn.look(), [...put, emergencyHeard]);
      assert.equal(wall.heard.includes('set -12dB'), false);
      journal.put = write;
      answer();
      await place.site.ended(waiting);
    } finally {
      journal.put = write;
      answer();
    }
  });

  it('is put back before an emergency, not after the pause that follows a failure', async () => {
    await place.start(announce({ volume: '-12dB' }), emergency);
    await leaveLoud(3);
    horn.temper = () => 200;
    horn.look();
    await place.ask({ device: 'Horn' }, 'emergency/start');
    assert.deepEqual(horn.look(), [...put, emergencyHeard]);
  });

  it('keeps no emergency waiting where nothing is changed', async () => {
    await place.start(announce(), emergency);
    await place.ask({ device: 'Horn', payload: 'long.wav' });
    horn.look();
    await place.ask({ device: 'Horn' }, 'emergency/start');
    assert.deepEqual(horn.look(), [emergencyHeard]);
  });

  it('is put back in each setting that was changed', async () => {
    await place.start(
      announce({ volume: '-12dB' }),
      announce({ id: 'spoken', volume: '-3dB', volumeSetting: 'audio.vol.spk' }),
      emergency,
    );
    await leaveLoud();
    await place.ask({ device: 'Horn', payload: 'long.wav' }, 'spoken');
    assert.deepEqual(horn.volumes, { 'audio.page.vol': '-12dB', 'audio.vol.spk': '-3dB' });
    horn.temper = () => 200;
    horn.look();
    await place.ask({ device: 'Horn' }, 'emergency/start');
    assert.deepEqual(horn.look().slice(0, 5), [
      ...put,
      ...['volume audio.vol.spk', 'set -9dB', emergencyHeard],
    ]);
    assert.deepEqual(horn.volumes, { 'audio.page.vol': '-30dB', 'audio.vol.spk': '-9dB' });
  });

  it('is told once that it cannot be put back, also where it can be read', async () => {
    await place.start(announce({ volume: '-12dB' }));
    let tries = 0;
    horn.temper = (words) => {
      if (words !== 'set -30dB') return 200;
      tries += 1;
      return tries <= 2 ? 503 : 200;
    };
    await place.ask({ device: 'Horn', payload: 'gong.wav' });
    await place.site.until('the volume is back', isBack);
    const told = place.site
      .inbox('log')
      .map(({ payload }) => payload as { operation: string; error?: unknown })
      .filter(({ error }) => error);
    assert.deepEqual(
      told.map(({ operation }) => operation),
      ['settings/put'],
    );
  });
});
