import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { DeviceByHand } from './device-by-hand';

type Told = readonly [device: string, state: string, previous: string, initial: boolean | null];

const current = { 'Product Name': 'Algo 8301', 'Firmware Version': '5.5' };
const tooOld = { 'Product Name': 'Algo 8301', 'Firmware Version': '4.0' };

describe('a supervision that reports at the start', () => {
  let horn: DeviceByHand;
  let bell: DeviceByHand;
  let red: RedProcess;

  before(async () => {
    horn = await new DeviceByHand().open();
    bell = await new DeviceByHand().open();
    horn.answers['/api/info/about'] = current;
    bell.answers['/api/info/about'] = tooOld;
    const device = (id: string, address: string) => ({
      ...{ id, type: 'algo-device', name: `The ${id}`, address, auth: 'none' },
    });
    const code = (id: string, func: string, more: object) =>
      ({ id, type: 'function', outputs: 1, func, z: 'tab', x: 100, y: 100, ...more }) as NodeConfig;
    const line = '[msg.topic, msg.payload.state, msg.payload.previous, msg.initial]';
    red = await RedProcess.prepare([
      device('horn', horn.address),
      device('bell', bell.address),
      {
        ...{ id: 'watch', type: 'algo-supervision', operation: '', interval: '3600', firmware: '5.0' },
        ...{ target: 'several', targets: ['horn', 'bell'], certificateDays: '', initial: true },
        wires: [['keep'], ['list']],
      },
      code('keep', `flow.set('told', [...(flow.get('told') || []), ${line}]);`, { wires: [[]] }),
      code('list', 'msg.receipts = msg.payload.devices; return msg;', { wires: [['receipts']] }),
      code('check', "msg.operation = 'check'; return msg;", { operation: '', wires: [['watch']] }),
      code('told', "msg.receipts = flow.get('told') || []; flow.set('told', []); return msg;", {
        operation: '',
      }),
    ]);
    await red.start();
  });

  after(async () => {
    await red?.clear();
    await Promise.all([horn?.close(), bell?.close()]);
  });

  /** Resolves to the first messages of this number, by the name of the device. */
  const told = async (count: number) => {
    const all: Told[] = [];
    for (;;) {
      all.push(...(await red.ask<Told>('told')));
      if (all.length >= count) break;
      await sleep(20);
    }
    return all.sort();
  };

  it('tells each device once, and once again after a restart', async () => {
    deepStrictEqual(await told(2), [
      ['The bell', 'warning', 'unknown', true],
      ['The horn', 'ok', 'unknown', true],
    ]);
    await red.ask('check');
    await red.stop('SIGKILL');
    await red.start();
    deepStrictEqual(await told(2), [
      ['The bell', 'warning', 'warning', true],
      ['The horn', 'ok', 'ok', true],
    ]);
    horn.answers['/api/info/about'] = tooOld;
    await red.ask('check');
    deepStrictEqual(await told(1), [['The horn', 'warning', 'ok', null]]);
  });
});
