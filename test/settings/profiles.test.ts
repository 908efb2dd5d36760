import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import type { Receipt } from '../../src/runtime/message/receipt';
import { ask, type NodeConfig, type Outcome, startFlow, stopFlow } from '../fixtures/flow';
import { withLeapingReads } from '../fixtures/leaping-clock';
import { act, Site } from '../fixtures/site';
import { wordingIn } from '../fixtures/wording';
import { SettingsDevice } from './settings-device';

/** A settings node that takes its operation and its profile from the message. */
const node = (more: Record<string, unknown> = {}): NodeConfig => ({
  ...{ id: 'settings', type: 'algo-settings', target: 'msg', operation: 'msg', ttl: '0' },
  ...{ parametersType: 'msg', parameters: 'payload' },
  ...more,
});

describe('algo-settings: profiles', () => {
  withLeapingReads();
  let hall: SettingsDevice;
  let gate: SettingsDevice;

  beforeEach(async () => {
    [hall, gate] = [new SettingsDevice('hall'), new SettingsDevice('gate')];
    await Promise.all([hall.open(), gate.open()]);
    for (const [name, value] of Object.entries({ 'audio.page.vol': '-18dB', 'audio.ring.vol': '-6dB' })) {
      hall.settings.set(name, value);
      gate.settings.set(name, value);
    }
    hall.settings.set('sip.u1.pwd', 'old secret');
  });

  afterEach(async () => {
    await stopFlow();
    await Promise.all([hall.close(), gate.close()]);
  });

  const start = (more = {}, ofDevice = {}, credentials = {}) =>
    startFlow([hall.config(ofDevice), gate.config(ofDevice), node(more)], credentials);

  const send = (operation: string, payload: unknown, device: unknown = 'hall') =>
    ask('settings', { operation, payload, device });

  const receiptsIn = ({ sent, caught }: Outcome): Receipt[] => [...sent, ...caught][0]?.receipts ?? [];

  const one = async (operation: string, payload: unknown): Promise<Receipt> => {
    const [receipt] = receiptsIn(await send(operation, payload));
    assert.ok(receipt);
    return receipt;
  };

  describe('compare', () => {
    beforeEach(() => start());

    it('says what is the same, what differs and what the device does not know, and changes nothing', async () => {
      const { sent } = await send('compare', {
        'audio.page.vol': '-12dB',
        'audio.ring.vol': '-6dB',
        'no.such': '1',
      });
      const answer = {
        same: 1,
        different: { 'audio.page.vol': { is: '-18dB', wanted: '-12dB' } },
        unknown: ['no.such'],
      };
      assert.deepEqual(sent[0]?.payload, answer);
      const [receipt] = sent[0]?.receipts ?? [];
      assert.deepEqual([receipt?.outcome, receipt?.response], ['accepted', answer]);
      assert.deepEqual(hall.requests, ['GET audio.page.vol', 'GET audio.ring.vol', 'GET no.such']);
    });

    it('compares a number by its text', async () => {
      hall.settings.set('audio.mic.mute', '1');
      assert.deepEqual((await one('compare', { 'audio.mic.mute': 1 })).response, {
        same: 1,
        different: {},
        unknown: [],
      });
    });

    it('shows no value of a secret', async () => {
      const { sent } = await send('compare', { 'sip.u1.pwd': 'new secret' });
      const shown = { 'sip.u1.pwd': { is: '***', wanted: '***' } };
      assert.deepEqual(Object(sent[0]?.payload).different, shown);
    });

    it('fails with REFUSED if the device knows none of the names', async () => {
      const receipt = await one('compare', { 'no.such': '1', 'nor.this': '2' });
      assert.deepEqual([receipt.outcome, receipt.error?.code], ['failed', 'REFUSED']);
      assert.equal(receipt.error?.reason, 'the device knows none of these settings');
    });

    it('takes 500 names, and stars for a value', async () => {
      const names = Array.from({ length: 500 }, (_, index) => `a.b${index}`);
      hall.settings.set('a.b499', '1');
      const { outcome, response } = await one(
        'compare',
        Object.fromEntries(names.map((name) => [name, '***'])),
      );
      assert.equal(outcome, 'accepted');
      assert.deepEqual(Object(response).different, { 'a.b499': { is: '1', wanted: '***' } });
    });

    it('reads behind the messages to the device', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `audio.${index}.vol`);
      for (const name of names) hall.settings.set(name, '1');
      const written = new Promise<void>((resolve) => {
        hall.onRequest = (request) => {
          if (hall.requests.length === 0)
            void ask('settings', { operation: 'put', payload: { 'a.b': '1' }, device: 'hall' });
          if (request.startsWith('PUT')) resolve();
        };
      });
      const comparing = send('compare', Object.fromEntries(names.map((name) => [name, '1'])));
      await Promise.all([written, comparing]);
      assert.ok(hall.requests.indexOf('PUT a.b') < names.length, hall.requests.join(', '));
    });
  });

  describe('apply', () => {
    it('writes in one request what differs, and reads it again', async () => {
      await start();
      const { sent } = await send('apply', {
        'audio.page.vol': '-12dB',
        'audio.ring.vol': '-6dB',
        'no.such': '1',
      });
      const answer = {
        same: 1,
        changed: { 'audio.page.vol': { was: '-18dB', is: '-12dB' } },
        unknown: ['no.such'],
      };
      assert.deepEqual(sent[0]?.payload, answer);
      const [receipt] = sent[0]?.receipts ?? [];
      assert.deepEqual([receipt?.outcome, receipt?.response], ['confirmed', answer]);
      const reads = ['GET audio.page.vol', 'GET audio.ring.vol', 'GET no.such'];
      assert.deepEqual(hall.requests, [...reads, 'PUT audio.page.vol', 'GET audio.page.vol']);
    });

    it('is confirmed and writes nothing if nothing differs', async () => {
      await start({ reloadAfter: true });
      const receipt = await one('apply', { 'audio.page.vol': '-18dB' });
      assert.deepEqual(
        [receipt.outcome, receipt.note, receipt.response],
        ['confirmed', 'nothing to change', { same: 1, changed: {}, unknown: [] }],
      );
      assert.deepEqual(hall.requests, ['GET audio.page.vol']);
    });

    it('reloads after a write, and reads until the values show', async () => {
      await start({ reloadAfter: true });
      hall.readsLate = 2;
      const receipt = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.equal(receipt.outcome, 'confirmed');
      const read = 'GET audio.page.vol';
      assert.deepEqual(hall.requests, [read, 'PUT audio.page.vol', 'reload', read, read, read]);
    });

    it('reads for ten seconds after a reload until the values show, twice a second', async () => {
      await start({ reloadAfter: true });
      hall.readsLate = Number.POSITIVE_INFINITY;
      const { outcome, error, response } = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.deepEqual([outcome, error?.code], ['failed', 'PROTOCOL']);
      assert.deepEqual(Object(response).changed, {});
      const afterReload = hall.requests.slice(hall.requests.indexOf('reload') + 1);
      assert.deepEqual(
        afterReload,
        Array.from({ length: 21 }, () => 'GET audio.page.vol'),
      );
    });

    it('reads once after a write without a reload', async () => {
      await start();
      hall.readsLate = Number.POSITIVE_INFINITY;
      const { outcome } = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.equal(outcome, 'failed');
      const read = 'GET audio.page.vol';
      assert.deepEqual(hall.requests, [read, 'PUT audio.page.vol', read]);
    });

    it('reads again after a reload only the names that it has written', async () => {
      await start({ reloadAfter: true });
      hall.readsLate = 1;
      await one('apply', { 'audio.page.vol': '-12dB', 'audio.ring.vol': '-6dB' });
      const afterReload = hall.requests.slice(hall.requests.indexOf('reload') + 1);
      assert.deepEqual(afterReload, ['GET audio.page.vol', 'GET audio.page.vol']);
    });

    it('reads each name once for each try before the write, and writes nothing after a read without an answer', async () => {
      await start({ retryFor: '20' });
      hall.lostReads = 2;
      const receipt = await one('apply', { 'audio.page.vol': '-12dB', 'audio.ring.vol': '0dB' });
      assert.equal(receipt.outcome, 'confirmed');
      const first = hall.requests.slice(
        0,
        hall.requests.findIndex((request) => request.startsWith('PUT')),
      );
      assert.deepEqual(first, [...Array(3).fill('GET audio.page.vol'), 'GET audio.ring.vol']);
    });

    it('fails and writes nothing if the device answers the first reading no more', async () => {
      await start();
      hall.lostReads = Number.POSITIVE_INFINITY;
      const receipt = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.deepEqual([receipt.outcome, receipt.error?.code], ['failed', 'PROTOCOL']);
      assert.ok(hall.requests.every((request) => request === 'GET audio.page.vol'));
    });

    it('has one turn for the write, the reload and the reading after it', async () => {
      await start({ reloadAfter: true });
      let other: Promise<Outcome> | undefined;
      hall.onRequest = (request) => {
        if (request === 'PUT audio.page.vol')
          other = ask('settings', { operation: 'put', payload: { 'a.b': '1' }, device: 'hall' });
      };
      await send('apply', { 'audio.page.vol': '-12dB' });
      await other;
      const read = 'GET audio.page.vol';
      assert.deepEqual(hall.requests.slice(0, 5), [read, 'PUT audio.page.vol', 'reload', read, 'PUT a.b']);
    });

    it('shows neither value of a secret that the device has stored differently', async () => {
      await start();
      hall.stores = () => 'cut';
      const { error, response } = await one('apply', { 'sip.u1.pwd': 'new secret' });
      assert.match(String(error?.message), /^the device stored \*\*\* for \*\*\*/);
      assert.doesNotMatch(JSON.stringify([error, response]), /cut|new secret|old secret/);
    });

    it('writes nothing if a first reading has no answer', async () => {
      await start();
      await gate.close();
      const [receipt] = receiptsIn(await send('apply', { 'audio.page.vol': '-12dB' }, 'gate'));
      assert.deepEqual([receipt?.outcome, receipt?.error?.code], ['failed', 'UNREACHABLE']);
      await gate.open();
    });

    it('fails with both values if the device has stored another one', async () => {
      await start();
      hall.stores = () => '-9dB';
      const { caught } = await send('apply', { 'audio.page.vol': '-10dB' });
      const [receipt] = caught[0]?.receipts ?? [];
      assert.deepEqual([receipt?.outcome, receipt?.error?.code], ['failed', 'PROTOCOL']);
      assert.match(
        String(receipt?.error?.message),
        /^the device stored -9dB for -10dB: .*correct the profile/,
      );
      assert.deepEqual(Object(receipt?.response).changed, {
        'audio.page.vol': { was: '-18dB', is: '-9dB' },
      });
    });

    for (const [fault, outcome, stored] of [
      ['lost-after', 'confirmed', true],
      ['lost-before', 'failed', false],
    ] as const)
      it(`finds out after a lost answer whether the device has the values: ${outcome}`, async () => {
        await start();
        // The client itself sends the write once more after the first connection that breaks.
        hall.faults.push(fault, fault);
        const receipt = await one('apply', { 'audio.page.vol': '-12dB' });
        assert.equal(receipt.outcome, outcome);
        assert.equal(hall.settings.get('audio.page.vol'), stored ? '-12dB' : '-18dB');
      });

    it('is unknown if the device has only a part after a lost answer', async () => {
      await start();
      hall.faults.push('half', 'half');
      const receipt = await one('apply', { 'audio.page.vol': '-12dB', 'audio.ring.vol': '0dB' });
      assert.equal(receipt.outcome, 'unknown');
      assert.deepEqual(Object(receipt.response).changed, {
        'audio.page.vol': { was: '-18dB', is: '-12dB' },
      });
    });

    it('is unknown if the device answers neither the write nor the reading after it', async () => {
      await start();
      hall.faults.push('lost-after', 'lost-after');
      hall.onRequest = (request) => {
        if (request.startsWith('PUT')) hall.lostReads = Number.POSITIVE_INFINITY;
      };
      const { outcome, error } = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.equal(outcome, 'unknown');
      assert.match(String(error?.message), wordingIn('reasons:notReadBack'));
    });

    it('has the refusal of the write for its error if the device does not answer the reading after it', async () => {
      await start();
      hall.faults.push('refused');
      hall.onRequest = (request) => {
        if (request.startsWith('PUT')) hall.lostReads = Number.POSITIVE_INFINITY;
      };
      const { outcome, error } = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.deepEqual([outcome, error?.code], ['failed', 'REFUSED']);
    });

    it('is accepted, with a note, if the device has taken the write and does not answer the reading after it', async () => {
      await start();
      hall.onRequest = (request) => {
        if (request.startsWith('PUT')) hall.lostReads = Number.POSITIVE_INFINITY;
      };
      const { outcome, note, response } = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.equal(outcome, 'accepted');
      assert.match(String(note), wordingIn('reasons:notReadBack'));
      assert.deepEqual(Object(response).changed, { 'audio.page.vol': { was: '-18dB', is: '-12dB' } });
    });

    it('reloads nothing after a refused write, and says what nevertheless differs', async () => {
      await start({ reloadAfter: true });
      hall.faults.push('refused-half');
      const receipt = await one('apply', { 'audio.page.vol': '-12dB', 'audio.ring.vol': '0dB' });
      assert.deepEqual([receipt.outcome, receipt.error?.code], ['failed', 'REFUSED']);
      assert.deepEqual(Object(receipt.response).changed, {
        'audio.page.vol': { was: '-18dB', is: '-12dB' },
      });
      assert.ok(!hall.requests.includes('reload'));
    });

    it('only reads in a dry run, and says what it would change', async () => {
      await start({}, { dryRun: true });
      const receipt = await one('apply', { 'audio.page.vol': '-12dB' });
      assert.equal(receipt.outcome, 'dry-run');
      assert.deepEqual(receipt.response, {
        same: 0,
        changed: { 'audio.page.vol': { was: '-18dB', is: '-12dB' } },
        unknown: [],
      });
      assert.deepEqual(hall.requests, ['GET audio.page.vol']);
    });

    it('shows no value of a secret, but writes it', async () => {
      await start();
      const { sent } = await send('apply', { 'sip.u1.pwd': 'new secret' });
      assert.deepEqual(sent[0]?.payload, {
        same: 0,
        changed: { 'sip.u1.pwd': { was: '***', is: '***' } },
        unknown: [],
      });
      assert.equal(hall.settings.get('sip.u1.pwd'), 'new secret');
    });
  });

  describe('backup', () => {
    beforeEach(() => start());

    it('reads the names of a list, each once', async () => {
      const names = ['audio.page.vol', 'audio.page.vol', 'no.such'];
      const { sent } = await send('backup', { names });
      assert.deepEqual(sent[0]?.payload, { 'audio.page.vol': '-18dB' });
      assert.deepEqual(hall.requests, ['GET audio.page.vol', 'GET no.such']);
    });

    it('reads the names of a profile, and leaves out passwords with a note', async () => {
      const { sent } = await send('backup', { 'audio.ring.vol': '0dB', 'sip.u1.pwd': '' });
      assert.deepEqual(sent[0]?.payload, { 'audio.ring.vol': '-6dB' });
      assert.equal(sent[0]?.receipts?.[0]?.note, 'passwords are left out: sip.u1.pwd');
    });
  });

  it('gives the value of a secret that is read by its name in the payload, and not in the receipt', async () => {
    await start();
    const { sent } = await send('get', { name: 'sip.u1.pwd' });
    assert.deepEqual(sent[0]?.payload, { 'sip.u1.pwd': 'old secret' });
    assert.equal(sent[0]?.receipts?.[0]?.response, '***');
  });

  it('names once a setting that no device of the message knows', async () => {
    await start();
    hall.settings.set('only.hall', '1');
    const { sent } = await send('compare', { 'audio.page.vol': '0dB', 'only.hall': '1', 'no.such': '1' }, [
      'hall',
      'gate',
    ]);
    const notes = sent[0]?.receipts?.map(({ note }) => note);
    assert.deepEqual(notes, ['no device knows no.such', undefined]);
  });

  it('names such a setting in the log only, if the message is split', async () => {
    await start({ split: true });
    const { sent } = await send('compare', { 'audio.page.vol': '0dB', 'no.such': '1' }, ['hall', 'gate']);
    const notes = sent.map(({ receipts }) => receipts?.[0]?.note);
    assert.deepEqual(notes, [undefined, undefined]);
    const lines = helper.log().args.map(([line]) => String(line.msg));
    assert.equal(lines.filter((line) => /no device knows no\.such/.test(line)).length, 1);
  });

  it('takes values from environment variables in the JSON of the node', async () => {
    process.env.HALL_SECRET = 'from the environment';
    const json = JSON.stringify({ 'sip.u1.pwd': '${HALL_SECRET}', 'audio.ring.vol': '-6dB' });
    await start({ operation: 'apply', parametersType: 'json', parameters: json });
    const [receipt] = receiptsIn(await ask('settings', { device: 'hall' }));
    delete process.env.HALL_SECRET;
    assert.equal(receipt?.outcome, 'confirmed');
    assert.equal(hall.settings.get('sip.u1.pwd'), 'from the environment');
  });

  it('sends nothing if an environment variable of its JSON is not set', async () => {
    await start({ operation: 'apply', parametersType: 'json', parameters: '{"a.b":"${NOT_SET}"}' });
    const [receipt] = receiptsIn(await ask('settings', { device: 'hall' }));
    assert.match(
      String(receipt?.error?.message),
      /^a\.b is \$\{NOT_SET\}, and that environment variable is not set/,
    );
    assert.deepEqual(hall.requests, []);
  });

  describe('refuses, and sends nothing:', () => {
    beforeEach(() => start());
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`a.b${index}`, '1']));
    const cases: readonly (readonly [what: string, operation: string, payload: unknown, words: RegExp])[] = [
      ['stars for a value', 'apply', { 'sip.u1.pwd': '***' }, /^sip\.u1\.pwd: \*\*\* stands for a password/],
      ['stars that are put', 'put', { 'sip.u1.pwd': '***' }, /stands for a password/],
      ['501 names', 'compare', many, /^a profile has at most 500 names/],
      ['501 listed names', 'backup', { names: Object.keys(many) }, /names must be a list of at most 500/],
      ['a list', 'apply', ['audio.page.vol'], /at least one/],
      ['no name', 'compare', {}, /at least one/],
      ['no listed name', 'backup', { names: [] }, /^names must be a list that is not empty/],
      ['a value that is an object', 'compare', { 'a.b': {} }, /^a\.b/],
      ['a variable in a message', 'apply', { 'a.b': '${ANY}' }, /^a\.b/],
      ['a restore without its consent', 'restore', {}, /to write a backup, use apply/],
    ];
    for (const [what, operation, payload, words] of cases)
      it(what, async () => {
        const receipt = await one(operation, payload);
        assert.equal(receipt.error?.code, 'INVALID_PARAMETER');
        assert.match(String(receipt.error?.message), words);
        assert.deepEqual(hall.requests, []);
      });
  });
});

describe('algo-settings: profiles at a group', () => {
  let site: Site;
  beforeEach(() => {
    site = new Site();
  });
  afterEach(() => site.end());

  it('reads at no more than `maxParallel` devices at the same time', async () => {
    const devices = await site.devices('A', 'B', 'C');
    for (const device of devices) device.behavior = () => 'hold';
    const group = { id: 'all', type: 'algo-group', name: 'All', maxParallel: 2 };
    await site.start([
      ...devices.map((device) => device.config()),
      { ...group, devices: devices.map(({ id }) => id) },
      act('settings/compare', { target: 'group', group: 'all', given: { 'a.b': '1' } }),
      act('settings/get', { target: 'device', device: 'c', given: { name: 'c.d' } }),
    ]);
    const way = site.send('settings/compare');
    await site.until('two are asked', () => devices.filter(({ held }) => held.length > 0).length === 2);
    const other = site.send('settings/get');
    await site.until('C is asked by the other node', () => devices[2]?.held.length === 1);
    assert.deepEqual(devices[2]?.operationNames, ['settings/c.d']);
    for (const device of devices) device.releaseAll();
    await Promise.all([site.ended(way), site.ended(other)]);
    assert.deepEqual(devices[2]?.operationNames, ['settings/c.d', 'settings/a.b']);
  });
});
