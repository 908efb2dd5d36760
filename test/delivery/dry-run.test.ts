import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site } from '../fixtures/site';

describe('delivery: a dry run', () => {
  let site: Site;
  let device: FakeDevice;
  let other: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    [device, other] = (await site.devices('Gate', 'Other')) as [FakeDevice, FakeDevice];
  });
  afterEach(() => site.end());

  const toGate = { device: 'gate' };
  const onDryRun = (more = {}) => device.config({ dryRun: true, ...more });
  const group = (more = {}) => ({ id: 'hall', type: 'algo-group', name: 'Hall', auth: 'none', ...more });

  for (const name of [
    ...[
      'door/unlock',
      'door/lock',
      'tone/start',
      'strobe/start',
      'strobe/stop',
      'screen/start',
      'call/start',
    ],
    ...[
      'relay/enable',
      'emergency/start',
      'emergency/stop',
      'audio/rx-start',
      'system/reboot',
      'system/reload',
    ],
  ]) {
    it(`sends no ${name} and counts as success`, async () => {
      await site.start([onDryRun({ letDeviceDecide: true }), act(name, toGate)]);
      const way = await site.ask(name, { payload: 'mine' });
      assert.deepEqual(outcomesOf(way), ['Gate dry-run']);
      assert.equal(receiptsOf(way)[0]?.attempts, 0);
      assert.equal(way.sent.length, 1);
      assert.equal(way.sent[0]?.payload, 'mine');
      assert.deepEqual(way.caught, []);
      assert.deepEqual(device.operationNames, []);
    });
  }

  for (const [name, given] of [
    ['settings/put', { 'audio.page.vol': '-9dB' }],
    ['settings/restore', { confirm: true }],
    ['files/put', { path: 'tones/new.wav', content: 'RIFF' }],
    ['files/delete', { path: 'tones/old.wav' }],
    ['scheduler/apply', { delete: [{ tag: 'old' }] }],
  ] as const) {
    it(`sends no ${name}, also with all that its node may add`, async () => {
      const more = { confirmWrite: true, reloadAfter: true, skipUnchanged: true, waitUntilBack: true };
      await site.start([
        onDryRun({ letDeviceDecide: true }),
        { ...act(name, { ...toGate, ...more }), parametersType: 'json', parameters: JSON.stringify(given) },
      ]);
      const way = await site.ask(name);
      assert.deepEqual(outcomesOf(way), ['Gate dry-run']);
      for (const { operationName } of device.requests)
        assert.match(operationName, /^(?:info|file-md5sum|settings|tones)\//);
    });
  }

  it('sends what only reads', async () => {
    await site.start([onDryRun(), act('info/tonelist', toGate)]);
    const way = await site.ask('info/tonelist');
    assert.deepEqual(outcomesOf(way), ['Gate accepted']);
    assert.deepEqual(way.sent[0]?.payload, { tonelist: ['Gate.wav'] });
    assert.deepEqual(device.operationNames, ['info/tonelist']);
  });

  for (const [name, parameters, operationName] of [
    ['files/download', { path: 'tones/gong.wav' }, 'files/download'],
    ['system/upgrade-check', {}, 'upgrade/check'],
  ] as const) {
    it(`sends ${name}, a POST that only reads`, async () => {
      const json = { parametersType: 'json', parameters: JSON.stringify(parameters) };
      await site.start([onDryRun(), { ...act(name, toGate), ...json }]);
      assert.deepEqual(outcomesOf(await site.ask(name)), ['Gate accepted']);
      assert.deepEqual(device.operationNames, [operationName]);
    });
  }

  it('tells a free request that reads from one that does not', async () => {
    const free = (id: string, method: string) => ({
      id,
      type: 'algo-request',
      operation: 'request',
      ...toGate,
      parametersType: 'json',
      parameters: JSON.stringify({ method, path: '/api/info/tonelist' }),
    });
    await site.start([onDryRun(), free('reads', 'GET'), free('writes', 'POST')]);
    assert.deepEqual(outcomesOf(await site.ask('writes')), ['Gate dry-run']);
    assert.deepEqual(device.operationNames, []);
    assert.deepEqual(outcomesOf(await site.ask('reads')), ['Gate accepted']);
    assert.deepEqual(device.operationNames, ['info/tonelist']);
  });

  it('checks the parameters all the same', async () => {
    const wrong = act('door/unlock', { ...toGate, given: { doorid: 'nowhere' } });
    await site.start([onDryRun(), wrong]);
    const way = await site.ask('door/unlock');
    assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
    assert.deepEqual(outcomesOf(way), ['Gate failed']);
    assert.deepEqual(device.requests, []);
  });

  it('checks model, firmware and password all the same', async () => {
    await site.start([
      onDryRun(),
      other.config({ dryRun: true, firmware: '5.3' }),
      { ...other.config({ dryRun: true, auth: 'standard' }), id: 'locked', name: 'Locked' },
      act('strobe/start', toGate),
      act('door/munlock', { device: 'other' }),
      act('door/lock', { device: 'locked' }),
    ]);
    const strobe = await site.ask('strobe/start');
    assert.deepEqual([outcomesOf(strobe), codesOf(strobe)], [['Gate skipped'], ['NOT_SUPPORTED']]);
    const munlock = await site.ask('door/munlock');
    assert.deepEqual([outcomesOf(munlock), codesOf(munlock)], [['Other failed'], ['NOT_SUPPORTED']]);
    assert.deepEqual(codesOf(await site.ask('door/lock')), ['NOT_CONFIGURED']);
  });

  it('is over when it is switched off, also by its text and by the environment', async () => {
    process.env.ALGO_TEST_DRY_RUN = 'true';
    await site.start([
      device.config({ dryRun: '${ALGO_TEST_DRY_RUN}' }),
      other.config({ dryRun: false }),
      act('door/unlock', { target: 'msg' }),
    ]);
    delete process.env.ALGO_TEST_DRY_RUN;
    const way = await site.ask('door/unlock', { device: ['Gate', 'Other'] });
    assert.deepEqual(outcomesOf(way), ['Gate dry-run', 'Other accepted']);
    assert.deepEqual(device.operationNames, []);
  });

  it('of a group is one of its rows', async () => {
    const rows = [device.row()];
    await site.start([group({ rows, dryRun: true }), act('door/lock', { target: 'msg' })]);
    for (const to of ['group:Hall', 'Gate']) {
      assert.deepEqual(outcomesOf(await site.ask('door/lock', { device: to })), ['Gate dry-run']);
    }
    assert.deepEqual(device.operationNames, []);
  });

  it('of a group is one of its devices too, when they are addressed as its members', async () => {
    await site.start([
      device.config(),
      other.config({ dryRun: true }),
      group({ devices: ['gate', 'other'], dryRun: true }),
      act('door/lock', { target: 'group', group: 'hall' }),
    ]);
    const way = await site.ask('door/lock');
    assert.deepEqual(outcomesOf(way), ['Gate dry-run', 'Other dry-run']);
    assert.deepEqual(site.requests, []);
  });
});
