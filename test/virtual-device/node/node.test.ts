import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Node } from 'node-red';
import helper from 'node-red-node-test-helper';
import virtualDeviceNode from '../../../nodes/virtual-device';
import type { VirtualDevice } from '../../../src/virtual-device/device';
import type { Access } from '../../../src/virtual-device/node/node-options';
import { RunningDevices } from '../../../src/virtual-device/node/running-device';
import { eachWithServer, loadNodes, type NodeConfig } from '../../fixtures/flow';
import { busyPort, end, listen } from '../../fixtures/listening';
import { redeploy } from '../../fixtures/redeploy';
import { send, sendJson } from '../../fixtures/signer';
import { entry, withTarget } from '../calls/target';
import { call as event } from '../schedule/bells';

type DeviceOwner = { device(): Promise<VirtualDevice> };
type VirtualNode = Node & { endpoint(): Promise<Access> };

async function start(config: object, credentials: Record<string, string> = {}): Promise<VirtualNode> {
  const flow = [{ id: 'virtual', type: 'algo-virtual-device', ...config }];
  await loadNodes([virtualDeviceNode], flow as readonly NodeConfig[], { virtual: credentials });
  return helper.getNode('virtual') as VirtualNode;
}

/** What the node has said in Node-RED's log, level 10 being errors. */
function logEntries(): { level: number; msg: string }[] {
  const entries = helper.log().args as { level: number; msg: string; id?: string }[][];
  return entries.flat().filter((entry) => entry?.id === 'virtual');
}

/** The host of a running device, which writes its log into a list. */
const hostOf = (lines: string[] = []) => ({
  id: 'hall',
  log: (line: string) => void lines.push(line),
  debug() {},
  panel: () => undefined,
});

describe('algo-virtual-device, the node', () => {
  eachWithServer();

  it('offers an address and how to sign, and logs what it was asked', async () => {
    const node = await start({ model: '8063', port: '' }, { password: 'pw' });
    const { address, auth, password } = await node.endpoint();
    assert.deepEqual([auth, password], ['standard', 'pw']);
    await sendJson(address, 'POST /api/controls/door/lock', { doorid: 'local' }, { password });
    await sendJson(address, 'POST /api/controls/door/lock', { doorid: 'front' }, { password });
    const lines = logEntries().map(({ msg }) => msg);
    assert.equal(lines[0], `virtual 8063 (firmware 5.7) listens on ${address}`);
    assert.match(lines[1] ?? '', /^POST \/api\/controls\/door\/lock \(.+\) \{"doorid":"local"\} -> 200$/);
    assert.match(lines[2] ?? '', /-> 400: doorid must be "netdc1" or "local"/);
    assert.ok(!lines.join().includes('pw'));
  });

  it('logs what was only read for those who look for it', async () => {
    const node = await start({ model: '8063' }, { password: 'pw' });
    const { address } = await node.endpoint();
    await sendJson(address, 'GET /api/info/about', undefined, { password: 'pw' });
    await sendJson(address, 'GET /api/info/about', undefined, { password: 'another' });
    await sendJson(address, 'POST /api/controls/door/lock', { doorid: 'local' }, { password: 'pw' });
    const [info, debug] = [40, 50];
    assert.deepEqual(
      logEntries().map(({ level, msg }) => [level, msg.replace(/ on .*|:.*| \(.*\).*(?= ->)/g, '')]),
      [
        [info, 'virtual 8063 (firmware 5.7) listens'],
        [debug, 'GET /api/info/about -> 200'],
        [info, 'GET /api/info/about -> 403'],
        [info, 'POST /api/controls/door/lock -> 200'],
      ],
    );
  });

  it('goes on with what it was doing when a deploy makes its node again and nothing of it was changed', async () => {
    const node = (await start({ model: '8138', auth: 'none' })) as VirtualNode & DeviceOwner;
    const before = await node.device();
    const { address } = await node.endpoint();
    const red = { pattern: 12, color1: 'red', ledlvl: '255' };
    await sendJson(address, 'POST /api/controls/strobe/start', red);
    await redeploy([{ id: 'virtual', type: 'algo-virtual-device', model: '8138', auth: 'none' }], 'full');
    const again = helper.getNode('virtual') as VirtualNode & DeviceOwner;
    assert.notEqual(again, node);
    assert.equal(await again.device(), before);
    assert.deepEqual(before.state.strobe, red);
    const { address: now } = await again.endpoint();
    assert.equal(now, address);
    assert.equal((await sendJson(now, 'POST /api/controls/strobe/stop', undefined)).status, 200);
    assert.equal(before.state.strobe, null);
    const lines = logEntries().filter(({ msg }) => /strobe\/stop/.test(msg));
    assert.equal(lines.length, 1);
  });

  it('restarts when something of it was changed, and is gone when its node is', async () => {
    const node = (await start({ model: '8138', auth: 'none' })) as VirtualNode & DeviceOwner;
    const before = await node.device();
    const { address } = await node.endpoint();
    const ended = once(before, 'stopped');
    await redeploy([{ id: 'virtual', type: 'algo-virtual-device', model: '8128', auth: 'none' }], 'full');
    await ended;
    const changed = helper.getNode('virtual') as VirtualNode & DeviceOwner;
    const second = await changed.device();
    assert.notEqual(second, before);
    assert.deepEqual([before.address, second.model], ['', '8128']);
    assert.equal((await changed.endpoint()).address, address);
    const stopped = once(second, 'stopped');
    await redeploy([{ id: 'other', type: 'helper' }], 'full');
    await stopped;
    assert.equal(second.address, '');
  });

  it('goes on with its requests over a deploy, and ends them with the device', () =>
    withTarget(
      async ({ place, requests }) => {
        const devices = new RunningDevices();
        const lines: string[] = [];
        const host = hostOf(lines);
        const running = await devices.start(host, { auth: 'none' }, undefined);
        const { start_date: _, start_time: __, ...undated } = event;
        const api_call = [1, 2, 3].map(() => ({ ...entry, target: place }));
        const schedule = { events: [{ ...undated, delay: 1, api_call }] };
        const { status } = await sendJson(running.endpoint.address, 'POST /api/schedules', schedule);
        assert.equal(status, 200);
        while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
        await devices.close('hall', running, false);
        const again = await devices.start(host, { auth: 'none' }, undefined);
        assert.equal(again.device, running.device);
        await devices.close('hall', again, true);
        assert.match(lines.at(-3) ?? '', /broken: the device has stopped$/);
        assert.match(lines.at(-1) ?? '', /not sent: the device has stopped$/);
      },
      () => undefined,
    ));

  it('keeps its port where flows stop for a while', async () => {
    const devices = new RunningDevices();
    const host = hostOf();
    const running = await devices.start(host, { auth: 'none' }, undefined);
    await devices.close('hall', running, false);
    const stopped = once(running.device, 'stopped');
    devices.stopOthers();
    await stopped;
    const again = await devices.start(host, { auth: 'none' }, undefined);
    assert.notEqual(again.device, running.device);
    assert.equal(again.endpoint.address, running.endpoint.address);
    await again.device.stop();
  });

  it('takes another port when somebody took its own meanwhile, and says so', async () => {
    const logLines: string[] = [];
    const devices = new RunningDevices();
    const host = hostOf(logLines);
    const running = await devices.start(host, { auth: 'none' }, undefined);
    const { port } = new URL(running.endpoint.address);
    await devices.close('hall', running, false);
    const other = createServer();
    await listen(other, Number(port));
    const again = await devices.start(host, { auth: 'none' }, undefined);
    assert.equal(again.device, running.device);
    const { address } = again.endpoint;
    assert.notEqual(address, running.endpoint.address);
    assert.equal((await send(address, 'GET', '/api/info/about', {})).status, 200);
    assert.match(logLines[1] ?? '', new RegExp(`\\b${port}\\b.*: .*address`));
    assert.equal(logLines[2], `virtual 8301 (firmware 5.7) listens on ${address}`);
    await again.device.stop();
    await end(other);
  });

  it('has the port that its dialog says, and keeps it when none is said any more', async () => {
    const { port, free } = await busyPort();
    await free();
    const devices = new RunningDevices();
    const host = hostOf();
    const running = await devices.start(host, { auth: 'none' }, undefined);
    await devices.close('hall', running, false);
    const withPort = await devices.start(host, { auth: 'none', port: String(port) }, undefined);
    assert.equal(withPort.endpoint.address, `http://127.0.0.1:${port}`);
    await devices.close('hall', withPort, false);
    const withoutPort = await devices.start(host, { auth: 'none', port: '' }, undefined);
    assert.equal(withoutPort.endpoint.address, withPort.endpoint.address);
    await withoutPort.device.stop();
  });

  it('reports a busy port in one sentence, to the log and to who asks', async () => {
    const { port, free } = await busyPort();
    const node = await start({ port: String(port) });
    await assert.rejects(node.endpoint(), { code: 'EADDRINUSE' });
    await free();
    const errors = logEntries().filter(({ level }) => level === 20);
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]?.msg), new RegExp(`: .*\\b${port}\\b`));
  });
});
