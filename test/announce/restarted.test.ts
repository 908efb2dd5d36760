import assert from 'node:assert/strict';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';
import { Speaker } from './speaker';

const putBackFails = /which puts back what an announcement has changed/;

describe('announcements and the end of Node-RED or of the flows', () => {
  let horn: Speaker;
  let wall: Speaker;
  let red: RedProcess;
  const waiting = new Waiting(() => [horn, wall].map(({ heard }) => heard.join(', ')).join('; '));
  const isAsBefore = ({ volumes, text }: Speaker) =>
    volumes['audio.page.vol'] === '-30dB' && text === undefined;
  const asBefore = (speaker: Speaker) =>
    waiting.until(`${speaker.name} is as before`, () => isAsBefore(speaker));

  function flow(volume: string): NodeConfig[] {
    const play = { t: 'set', p: 'payload', pt: 'msg', to: 'long.wav', tot: 'str' };
    const onTab = { z: 'tab', x: 100, y: 100 };
    return [
      ...[horn, wall].map((speaker) => speaker.config()),
      { id: 'all', type: 'algo-group', name: 'All', devices: ['horn', 'wall'] },
      { id: 'play', type: 'change', operation: '', rules: [play], wires: [['announce']] },
      {
        ...{ ...onTab, id: 'announce', type: 'algo-announce', target: 'group', group: 'all' },
        ...{ volume, text: 'Bus 12', wires: [['receipts'], []] },
      },
    ];
  }

  before(async () => {
    horn = await new Speaker('Horn').open();
    wall = await new Speaker('Wall', '8410').open();
    for (const speaker of [horn, wall]) speaker.onHeard = waiting.look;
    red = await RedProcess.prepare(flow('-12dB'));
    await red.start();
  });
  after(async () => {
    await red.clear();
    await Promise.all([horn, wall].map((speaker) => speaker.close()));
  });

  /** Plays at both devices, of which one goes away. */
  async function playAndLose(): Promise<void> {
    assert.deepEqual(await red.sendAndReadOutcomes('play'), ['Horn accepted', 'Wall accepted']);
    assert.deepEqual([horn, wall].map(isAsBefore), [false, false]);
    assert.equal(wall.text, 'Bus 12');
    await horn.close();
  }

  /** The device comes back after the first request to it has failed. */
  async function comeBack(): Promise<void> {
    await asBefore(wall);
    await red.waitForOutput(putBackFails);
    assert.equal(isAsBefore(horn), false);
    await horn.open();
    await asBefore(horn);
  }

  it('are put back after a deploy, also at a device that was away and comes back', async () => {
    await playAndLose();
    await red.deploy(flow('-6dB'));
    await comeBack();
    assert.ok(wall.heard.includes('stop'));
  });

  it('are put back after a kill, also at a device that was away and comes back', async () => {
    await playAndLose();
    await red.stop('SIGKILL');
    await red.start();
    await comeBack();
  });

  it('are put back after a restart', async () => {
    await red.sendAndReadOutcomes('play');
    await red.stop('SIGTERM');
    await red.start();
    await Promise.all([horn, wall].map(asBefore));
  });
});
