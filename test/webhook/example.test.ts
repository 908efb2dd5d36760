import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import helper from 'node-red-node-test-helper';
import { deploy } from '../nodes/stage';
import type { Called } from './hooks';

describe('webhook: the example of a console', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-console-'));
    await new Promise<void>((resolve) => void helper.startServer(() => resolve()));
  });
  after(async () => {
    await helper.unload();
    await new Promise<void>((resolve) => void helper.stopServer(() => resolve()));
    await rm(folder, { recursive: true, force: true });
  });

  it('rings every speaker of the group', async () => {
    const { feed, behind } = await deploy("examples/A console's button rings every speaker.json", folder);
    const url = `${helper.url()}/api/controls/tone/start`;
    const payload = { path: 'chime.wav', loop: false };
    const message = await feed(
      'console-rings-send',
      { url, payload },
      ({ receipts }) => receipts !== undefined,
    );
    const { topic, resource, operation } = message as never as Called;
    assert.deepEqual([topic, resource, operation], ['Console', 'tone', 'start']);
    assert.deepEqual(
      message.receipts?.map(({ device, outcome }) => [device, outcome]),
      [
        ['North', 'accepted'],
        ['South', 'accepted'],
      ],
    );
    for (const name of ['North', 'South']) assert.deepEqual((await behind(name)).state.tone, payload);
  });
});
