import { deepStrictEqual } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisionReport } from '../../src/runtime/supervision/engine';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { DeviceByHand } from './device-by-hand';

/** Long past every test. */
const until = '2099-01-01T00:00:00.000Z';

describe('a supervision in a process that is killed', () => {
  let horn: DeviceByHand;
  let bell: DeviceByHand;
  let red: RedProcess;
  const asks = (id: string, code: string) =>
    ({ id, type: 'function', operation: '', outputs: 1, func: code, wires: [['watch']] }) as NodeConfig;

  before(async () => {
    horn = await new DeviceByHand().open();
    bell = await new DeviceByHand().open();
    const device = (id: string, address: string) => ({
      id,
      type: 'algo-device',
      name: `The ${id}`,
      address,
      auth: 'none',
    });
    red = await RedProcess.prepare([
      device('horn', horn.address),
      device('bell', bell.address),
      {
        ...{ id: 'watch', type: 'algo-supervision', operation: '', interval: '3600', firmware: '99' },
        ...{ target: 'several', targets: ['horn', 'bell'], wires: [[], ['list']] },
      },
      asks('check', "msg.operation = 'check'; return msg;"),
      asks('report', "msg.operation = 'report'; return msg;"),
      asks('mask', `node.send({ operation: 'mask', device: 'The horn', until: '${until}' }); return msg;`),
      {
        ...{ id: 'list', type: 'function', operation: '', outputs: 1, wires: [['receipts']] },
        func: 'msg.receipts = [msg.payload]; return msg;',
      },
    ] as NodeConfig[]);
    await red.start();
  });

  after(async () => {
    await red?.clear();
    await Promise.all([horn?.close(), bell?.close()]);
  });

  const ask = async (id: string) => (await red.ask<SupervisionReport>(id))[0]?.devices;
  const isWritten = async (words: RegExp) => {
    const file = path.join(red.userDir, 'algo', 'journal.jsonl');
    while (!words.test(await readFile(file, 'utf8').catch(() => ''))) await sleep(20);
  };

  it('keeps masks and states, also where a check is under way', async () => {
    await ask('check');
    const before = await ask('mask');
    deepStrictEqual(
      before?.map(({ device, state, maskedUntil }) => [device, state, maskedUntil]),
      [
        ['The bell', 'warning', undefined],
        ['The horn', 'masked', until],
      ],
    );
    await isWritten(/"maskedUntil"/);
    const asked = new Promise<void>((resolve) => {
      for (const device of [horn, bell]) {
        device.answers['/api/info/about'] = () => resolve();
        device.answers['/api/info/status'] = () => resolve();
      }
    });
    const checked = red.ask('check').catch(() => undefined);
    await asked;
    await red.stop('SIGKILL');
    await checked;
    await red.start();
    // No device answers any more, so all of this comes from the journal.
    deepStrictEqual(await ask('report'), before);
  });
});
