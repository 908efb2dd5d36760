import assert from 'node:assert/strict';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';
import { wav } from './sounds';
import { Speaker } from './speaker';

describe('an announcement in a process that is killed', () => {
  const waiting = new Waiting(() => wall.heard.join());
  let wall: Speaker;
  let red: RedProcess;

  before(async () => {
    wall = await new Speaker('Wall', '8410').open();
    wall.onHeard = () => waiting.look();
    red = await RedProcess.prepare([
      wall.config(),
      {
        ...{ id: 'play', type: 'function', operation: '', outputs: 1, wires: [['announce']] },
        func: `msg.payload = Buffer.from('${wav(20).toString('base64')}', 'base64'); return msg;`,
      },
      {
        ...{
          id: 'announce',
          type: 'algo-announce',
          target: 'device',
          device: 'wall',
          wires: [['receipts'], []],
        },
        ...{ volume: '-12dB', text: 'Bus 12', repeat: 10, interval: 600 },
      },
    ] as NodeConfig[]);
    await red.start();
  });

  after(async () => {
    await red?.clear();
    await wall?.close();
  });

  it('is put back after a restart, is not resumed, and its audio is not stored again', async () => {
    assert.deepEqual(await red.sendAndReadOutcomes('play'), ['Wall accepted']);
    assert.deepEqual([wall.volumes['audio.page.vol'], wall.text], ['-12dB', 'Bus 12']);
    await red.stop('SIGKILL');
    wall.look();
    await red.start();
    await waiting.until('volume and text are back', () => wall.text === undefined);
    assert.equal(wall.volumes['audio.page.vol'], '-30dB');
    assert.deepEqual(wall.look(), ['volume audio.page.vol', 'set -30dB', 'no-text']);
    assert.deepEqual(await red.sendAndReadOutcomes('play'), ['Wall accepted']);
    assert.deepEqual(wall.look().slice(0, 2), ['list', 'volume audio.page.vol']);
  });
});
