import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Node } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { DeviceReport } from '../../src/runtime/supervision/engine';
import { flowOf, type NodeConfig, stopFlow } from '../fixtures/flow';
import { redeploy } from '../fixtures/redeploy';
import { DeviceByHand } from './device-by-hand';
import {
  device,
  inboxOf,
  lastStatus,
  type SupervisedFlow,
  startSupervised,
  stateIn,
  supervision,
  withHelpers,
} from './supervised-flow';

/** Long past every test. */
const ahead = '2099-01-01T00:00:00Z';

describe('a supervision', () => {
  let horn: DeviceByHand;
  let bell: DeviceByHand;
  let folder: string;

  beforeEach(async () => {
    horn = await new DeviceByHand().open();
    bell = await new DeviceByHand().open();
    folder = await mkdtemp(path.join(os.tmpdir(), 'algo-supervision-'));
  });

  afterEach(async () => {
    await stopFlow();
    await Promise.all([horn.close(), bell.close()]);
    // The journal might still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  const both = (more: Record<string, unknown> = {}): NodeConfig[] => [
    device('horn', horn.address),
    device('bell', bell.address),
    supervision({ target: 'several', targets: ['horn', 'bell'], certificateDays: '', ...more }),
  ];
  const start = (more?: Record<string, unknown>) => startSupervised(both(more), { userDir: folder });
  const check = (flow: SupervisedFlow) => flow.ask({ operation: 'check' });
  const tooOld = { 'Product Name': 'Algo 8301', 'Firmware Version': '4.0' };
  const current = { 'Product Name': 'Algo 8301', 'Firmware Version': '5.5' };
  const changes = (flow: SupervisedFlow) => changesIn(flow.changes);
  const changesIn = ({ messages }: SupervisedFlow['changes']) =>
    messages.map(({ payload }) => {
      const { device: name, state, previous } = payload as unknown as DeviceReport;
      return [name, state, previous];
    });

  it('checks each device once right after a deploy, without a message', async () => {
    const flow = await start({ firmware: '5.0' });
    horn.answers['/api/info/about'] = tooOld;
    const change = await flow.changes.next();
    strictEqual(change.topic, 'The horn');
    strictEqual((change.payload as unknown as DeviceReport).state, 'warning');
  });

  it('reports the worst state first, with a count of each', async () => {
    const flow = await start({ firmware: '5.0', misses: 1 });
    await bell.close();
    horn.answers['/api/info/about'] = tooOld;
    const { payload } = await check(flow);
    deepStrictEqual(
      [payload.total, payload.ok, payload.warning, payload.fault, payload.offline, payload.unknown],
      [2, 0, 1, 0, 1, 0],
    );
    deepStrictEqual(
      payload.devices.map(({ device: name, state }) => [name, state]),
      [
        ['The bell', 'offline'],
        ['The horn', 'warning'],
      ],
    );
    strictEqual(payload.devices[1]?.address, horn.address);
    ok(!Number.isNaN(Date.parse(payload.at)));
  });

  it('answers without an operation with the report, and keeps the rest of the message', async () => {
    const flow = await start();
    const answer = await flow.ask({ ticket: 7 });
    strictEqual((answer as unknown as { ticket: number }).ticket, 7);
    strictEqual(answer.payload.total, 2);
  });

  it('counts each check for the misses, and leaves the state until then', async () => {
    const flow = await start({ misses: 3 });
    await check(flow);
    await horn.close();
    strictEqual(stateIn(await check(flow), 'horn').state, 'ok');
    strictEqual(stateIn(await check(flow), 'horn').state, 'ok');
    const { state, findings, previous } = stateIn(await check(flow), 'horn');
    deepStrictEqual([state, previous, findings.map((one) => one.check)], ['offline', 'ok', ['contact']]);
    await horn.open();
    strictEqual(stateIn(await check(flow), 'horn').state, 'ok');
    deepStrictEqual(changes(flow), [
      ['The horn', 'offline', 'ok'],
      ['The horn', 'ok', 'offline'],
    ]);
  });

  it('tells nothing where only the actual value differs', async () => {
    const flow = await start({ settings: { a: '1' } });
    horn.answers['/api/settings/a'] = { a: '2' };
    await check(flow);
    horn.answers['/api/settings/a'] = { a: '3' };
    strictEqual(stateIn(await check(flow), 'horn').findings[0]?.actual, '3');
    deepStrictEqual(changes(flow), [['The horn', 'warning', 'unknown']]);
  });

  it('tells that another setting differs, although the state is the same', async () => {
    const flow = await start({ settings: { a: '1', b: '1' } });
    horn.answers['/api/settings/a'] = { a: '2' };
    await check(flow);
    horn.answers['/api/settings/a'] = { a: '1' };
    horn.answers['/api/settings/b'] = { b: '2' };
    await check(flow);
    deepStrictEqual(changes(flow), [
      ['The horn', 'warning', 'unknown'],
      ['The horn', 'warning', 'warning'],
    ]);
  });

  it('masks a device until it is unmasked, and then tells what differs', async () => {
    const flow = await start({ firmware: '5.0' });
    await check(flow);
    await flow.sendAndWait({ operation: 'mask', device: 'The horn', until: ahead });
    horn.answers['/api/info/about'] = tooOld;
    const masked = stateIn(await check(flow), 'horn');
    deepStrictEqual([masked.state, masked.findings.length], ['masked', 1]);
    strictEqual(masked.maskedUntil, new Date(ahead).toISOString());
    const earliest = Date.now() + 60_000;
    await flow.sendAndWait({ operation: 'mask', device: 'The horn', until: 60 });
    const until = Date.parse(stateIn(await flow.ask(), 'horn').maskedUntil ?? '');
    ok(until >= earliest && until <= Date.now() + 60_000, String(until - earliest));
    deepStrictEqual(changes(flow), []);
    strictEqual(lastStatus().text, 'status.devicesOk');
    await flow.sendAndWait({ operation: 'unmask', device: 'The horn' });
    await check(flow);
    deepStrictEqual(changes(flow), [['The horn', 'warning', 'ok']]);
    strictEqual(flow.answers.messages.length, 4);
  });

  it('waits for the end of a mask that is far ahead without an overflow of its timer', async () => {
    const warned: string[] = [];
    const noteWarning = ({ name }: Error) => name === 'TimeoutOverflowWarning' && warned.push(name);
    process.on('warning', noteWarning);
    const flow = await start();
    await flow.sendAndWait({ operation: 'mask', device: 'The horn', until: ahead });
    await check(flow);
    process.off('warning', noteWarning);
    deepStrictEqual(warned, []);
  });

  it('ends a mask by itself', async () => {
    const flow = await start({ firmware: '5.0' });
    await check(flow);
    horn.answers['/api/info/about'] = tooOld;
    await flow.sendAndWait({ operation: 'mask', device: 'tag:none', until: 1 }).catch(() => undefined);
    await flow.sendAndWait({ operation: 'mask', device: ['horn'], until: 0.3 });
    await check(flow);
    const { payload } = await flow.changes.next();
    strictEqual((payload as unknown as DeviceReport).state, 'warning');
  });

  const wrong: Record<string, [message: Record<string, unknown>, code: string]> = {
    'an unknown operation': [{ operation: 'sound' }, 'INVALID_PARAMETER'],
    'an operation that is no text': [{ operation: { a: 1 } }, 'INVALID_PARAMETER'],
    'a mask without an end': [{ operation: 'mask', device: 'The horn' }, 'INVALID_PARAMETER'],
    'a mask that ends in the past': [
      { operation: 'mask', device: 'The horn', until: '2001-01-01T00:00:00Z' },
      'INVALID_PARAMETER',
    ],
    'a mask that ends now': [{ operation: 'mask', device: 'The horn', until: 0 }, 'INVALID_PARAMETER'],
    'a mask that ends at no time': [
      { operation: 'mask', device: 'The horn', until: 'tomorrow' },
      'INVALID_PARAMETER',
    ],
    'a mask that ends on a day that does not exist': [
      { operation: 'mask', device: 'The horn', until: '2096-02-30T10:00:00Z' },
      'INVALID_PARAMETER',
    ],
    'a mask that never ends': [
      { operation: 'mask', device: 'The horn', until: Number.POSITIVE_INFINITY },
      'INVALID_PARAMETER',
    ],
    'a mask of an unknown device': [{ operation: 'mask', device: 'nobody', until: ahead }, 'NOT_CONFIGURED'],
    'a mask of one device that is known and one that is not': [
      { operation: 'mask', device: ['The horn', 'nobody'], until: ahead },
      'NOT_CONFIGURED',
    ],
    'a mask of no device': [{ operation: 'mask', until: ahead }, 'NOT_CONFIGURED'],
    'the end of a mask of no device': [{ operation: 'unmask' }, 'NOT_CONFIGURED'],
  };
  for (const [name, [message, code]] of Object.entries(wrong)) {
    it(`refuses ${name}, and masks nothing`, async () => {
      const flow = await start();
      strictEqual((await flow.refused(message)).code, code);
      strictEqual((await flow.ask()).payload.masked, 0);
    });
  }

  it('refuses a mask of a device that it does not supervise', async () => {
    const flow = await startSupervised([
      device('horn', horn.address),
      device('bell', bell.address),
      supervision({ device: 'horn' }),
    ]);
    const refused = await flow.refused({ operation: 'mask', device: 'The bell', until: ahead });
    strictEqual(refused.code, 'NOT_CONFIGURED');
  });

  const invalid: Record<string, [properties: Record<string, unknown>, code: string]> = {
    'an interval below ten seconds': [{ interval: 5 }, 'INVALID_PARAMETER'],
    'a clock difference that is no number': [{ clock: 'much' }, 'INVALID_PARAMETER'],
    'settings that are no object': [{ settings: ['a'] }, 'INVALID_PARAMETER'],
    'a setting that is an object': [{ settings: { a: {} } }, 'INVALID_PARAMETER'],
    'a setting with a slash': [{ settings: { 'a/b': '1' } }, 'INVALID_PARAMETER'],
    'files that are no list': [{ files: 'tones/a.wav' }, 'INVALID_PARAMETER'],
    'a path that leaves its folder': [{ files: ['tones/../../a'] }, 'INVALID_PARAMETER'],
    'a checksum that is none': [{ files: [{ path: 'a', md5: 'abc' }] }, 'INVALID_PARAMETER'],
    'a target that a message sets': [{ target: 'msg' }, 'INVALID_PARAMETER'],
    'misses that are none': [{ misses: 0 }, 'INVALID_PARAMETER'],
    'a firmware that is none': [{ firmware: 'new' }, 'INVALID_PARAMETER'],
    'a secret in the flow': [{ settings: { 'sip.u1.pwd': 'mice' } }, 'NOT_CONFIGURED'],
    'a key in the flow': [{ settings: { 'api.x.KEY': 'mice' } }, 'NOT_CONFIGURED'],
    'a secret whose variable is not set': [
      { settings: { 'sip.u1.pwd': '$' + '{ALGO_NOT_SET}' } },
      'NOT_CONFIGURED',
    ],
    'no target': [{ target: 'several', targets: [] }, 'NOT_CONFIGURED'],
  };
  for (const [name, [properties, code]] of Object.entries(invalid)) {
    it(`does not work with ${name}, and sends nothing`, async () => {
      const flow = await startSupervised([
        device('horn', horn.address),
        supervision({ device: 'horn', ...properties }),
      ]);
      const refused = await flow.refused({ operation: 'check' });
      strictEqual(refused.code, code);
      strictEqual(/mice/.test(refused.message), false);
      deepStrictEqual(horn.heard, []);
    });
  }

  it('says in its status that it has no devices', async () => {
    await startSupervised([supervision({ target: 'several', targets: ['nobody'] })]);
    while (lastStatus().text !== 'no device has this name') await new Promise((done) => setTimeout(done, 20));
  });

  it('keeps states, findings and masks over a deploy', async () => {
    const flow = await start({ firmware: '5.0' });
    horn.answers['/api/info/about'] = tooOld;
    const before = stateIn(await check(flow), 'horn');
    await flow.sendAndWait({ operation: 'mask', device: 'The bell', until: ahead });
    await redeploy(flowOf(withHelpers(both({ firmware: '5.0', name: 'other' }))), 'full');
    const answers = inboxOf('answers');
    const changesInbox = inboxOf('changes');
    const ask = async (operation: string) => {
      helper.getNode('watch').receive({ operation } as never);
      return (await answers.next()) as never;
    };
    deepStrictEqual(stateIn(await ask('report'), 'horn'), before);
    strictEqual(stateIn(await ask('check'), 'bell').state, 'masked');
    deepStrictEqual(changesInbox.messages, []);
    horn.answers['/api/info/about'] = current;
    strictEqual(stateIn(await ask('check'), 'horn').state, 'ok');
    deepStrictEqual(changesIn(changesInbox), [['The horn', 'ok', 'warning']]);
  });

  it('reports each device at the start if it should, and none again after a deploy', async () => {
    horn.answers['/api/info/about'] = tooOld;
    bell.answers['/api/info/about'] = current;
    const flow = await start({ firmware: '5.0', initial: true });
    await check(flow);
    const line = ({ topic, payload, ...more }: SupervisedFlow['changes']['messages'][number]) => {
      const { state, previous } = payload as unknown as DeviceReport;
      return [topic, state, previous, (more as { initial?: boolean }).initial, 'initial' in payload];
    };
    deepStrictEqual(flow.changes.messages.map(line).sort(), [
      ['The bell', 'ok', 'unknown', true, false],
      ['The horn', 'warning', 'unknown', true, false],
    ]);
    await redeploy(flowOf(withHelpers(both({ firmware: '5.0', initial: true, name: 'other' }))), 'full');
    const [answers, changesInbox] = [inboxOf('answers'), inboxOf('changes')];
    const again = async () => {
      helper.getNode('watch').receive({ operation: 'check' } as never);
      await answers.next();
    };
    await again();
    deepStrictEqual(changesInbox.messages, []);
    horn.answers['/api/info/about'] = current;
    await again();
    deepStrictEqual(changesInbox.messages.map(line), [['The horn', 'ok', 'warning', undefined, false]]);
  });

  it('keeps the state of a row that is renamed', async () => {
    const flow = (name: string) => [
      {
        id: 'rooms',
        type: 'algo-group',
        name: 'Rooms',
        auth: 'none',
        rows: [{ name, address: horn.address }],
      },
      supervision({ target: 'group', group: 'rooms', certificateDays: '', firmware: '5.0' }),
    ];
    horn.answers['/api/info/about'] = tooOld;
    const { payload } = await check(await startSupervised(flow('Gym'), { userDir: folder }));
    const [before] = payload.devices;
    strictEqual(before?.state, 'warning');
    await redeploy(flowOf(withHelpers(flow('Hall'))), 'full');
    const [answers, changesInbox] = [inboxOf('answers'), inboxOf('changes')];
    helper.getNode('watch').receive({ operation: 'check' } as never);
    const after = ((await answers.next()).payload as unknown as typeof payload).devices;
    deepStrictEqual(after, [{ ...before, device: 'Hall' }]);
    deepStrictEqual(changesInbox.messages, []);
  });

  it('has the metrics of each device', async () => {
    horn.offsetMs = 5_000;
    const flow = await startSupervised(
      [
        device('horn', horn.address, { name: 'A "horn"\\\nof two lines' }),
        device('bell', bell.address),
        supervision({ target: 'several', targets: ['horn', 'bell'], firmware: '5.6', misses: 1 }),
        { id: 'tone', type: 'algo-info', operation: 'about', target: 'device', device: 'horn', z: 'tab' },
      ],
      { userDir: folder },
    );
    await check(flow);
    await bell.close();
    helper.getNode('tone').receive({} as never);
    await check(flow);
    const { payload, headers } = await flow.ask<string>({ operation: 'metrics', headers: { a: 'b' } });
    deepStrictEqual(headers, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    const hornLabels = `device="A \\"horn\\"\\\\\\nof two lines",address="${horn.address}"`;
    const bellLabels = `device="The bell",address="${bell.address}"`;
    const lines = payload.split('\n');
    for (const line of [
      `algo_device_up{${hornLabels}} 1`,
      `algo_device_up{${bellLabels}} 0`,
      `algo_device_state{${hornLabels},state="warning"} 1`,
      `algo_device_state{${hornLabels},state="ok"} 0`,
      `algo_finding{${hornLabels},check="firmware"} 1`,
      `algo_finding{${bellLabels},check="contact"} 1`,
      `algo_receipts_total{${hornLabels},outcome="accepted"} 1`,
    ])
      ok(lines.includes(line), `${line} is not in\n${payload}`);
    match(payload, /algo_clock_offset_seconds\{[^}]*horn[^}]*\} [3-6]/);
    match(payload, /algo_round_trip_seconds\{/);
    // Prometheus refuses a text with two samples of the same labels.
    const samples = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ \S+$/, ''));
    strictEqual(new Set(samples).size, samples.length);
    ok(payload.endsWith('\n'));
  });

  it('shows the worst state in its status', async () => {
    const flow = await start({ firmware: '5.0', misses: 1 });
    await check(flow);
    const shown = () => {
      const { text, fill } = lastStatus();
      return [fill, text];
    };
    const until = async (fill: string, text: string) => {
      const node = helper.getNode('watch') as Node & { status: { args: unknown[][] } };
      while (shown().join() !== [fill, text].join()) {
        ok(node);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await until('green', 'status.devicesOk');
    horn.answers['/api/info/about'] = tooOld;
    await check(flow);
    await until('yellow', 'status.oneWarning');
    bell.answers['/api/info/about'] = 403;
    await check(flow);
    await until('red', 'status.oneFault');
    await horn.close();
    await check(flow);
    await until('red', 'status.offline');
  });
});
