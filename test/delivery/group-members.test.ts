import assert from 'node:assert/strict';
import type { NodeConfig } from '../fixtures/flow';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site } from '../fixtures/site';

describe('delivery: the members of a group', () => {
  let site: Site;
  beforeEach(() => {
    site = new Site();
  });
  afterEach(() => site.end());

  const group = (more: Record<string, unknown>): NodeConfig => ({
    id: 'hall',
    type: 'algo-group',
    name: 'Hall',
    auth: 'none',
    ...more,
  });
  const toGroup = { target: 'group', group: 'hall' };
  const byMessage = { target: 'msg' };

  it('are its devices, then its rows as listed, then what is tagged, by name', async () => {
    const [a, b, z, row1, row2] = await site.devices('A', 'B', 'Z', 'Row 1', 'Row 2');
    assert.ok(a && b && z && row1 && row2);
    await site.start([
      z.config({ tags: 'yard' }),
      a.config({ tags: 'yard' }),
      b.config(),
      group({ devices: ['b'], rows: [row2.row(), row1.row()], tags: 'yard' }),
      act('door/lock', toGroup),
    ]);
    const way = await site.ask('door/lock');
    assert.deepEqual(outcomesOf(way), [
      'B accepted',
      'Row 2 accepted',
      'Row 1 accepted',
      'A accepted',
      'Z accepted',
    ]);
    assert.deepEqual(way.caught, []);
    for (const device of [a, b, z, row1, row2]) assert.deepEqual(device.operationNames, ['door/lock']);
  });

  it('keep the order in which the devices are listed', async () => {
    const [a, b, c] = await site.devices('A', 'B', 'C');
    assert.ok(a && b && c);
    await site.start([
      a.config(),
      b.config(),
      c.config(),
      group({ devices: ['c', 'a', 'b'] }),
      act('door/lock', toGroup),
    ]);
    assert.deepEqual(outcomesOf(await site.ask('door/lock')), ['C accepted', 'A accepted', 'B accepted']);
  });

  it('are addressed once, however often they belong to it', async () => {
    const [a, b] = await site.devices('A', 'B');
    assert.ok(a && b);
    await site.start([
      a.config({ tags: 'yard, night' }),
      b.config({ tags: 'night' }),
      group({ devices: ['a', 'a'], tags: 'night, yard' }),
      act('door/lock', toGroup),
    ]);
    assert.deepEqual(outcomesOf(await site.ask('door/lock')), ['A accepted', 'B accepted']);
    assert.deepEqual([a.operationNames, b.operationNames], [['door/lock'], ['door/lock']]);
  });

  it('include rows that carry one of its tags only once, in their place as rows', async () => {
    const [a, row] = await site.devices('A', 'Row');
    assert.ok(a && row);
    await site.start([
      a.config({ tags: 'yard' }),
      group({ rows: [row.row({ tags: 'yard' })], tags: 'yard' }),
      act('door/lock', toGroup),
    ]);
    assert.deepEqual(outcomesOf(await site.ask('door/lock')), ['Row accepted', 'A accepted']);
  });

  it('are found when the message comes: a later deploy counts', async () => {
    const [a, b] = await site.devices('A', 'B');
    assert.ok(a && b);
    const rest = [group({ tags: 'yard' }), act('door/lock', toGroup)];
    await site.start([a.config({ tags: 'yard' }), b.config(), ...rest]);
    assert.deepEqual(outcomesOf(await site.ask('door/lock')), ['A accepted']);
    await site.redeploy([a.config({ tags: 'yard' }), b.config({ tags: 'yard' }), ...rest]);
    assert.deepEqual(outcomesOf(await site.ask('door/lock')), ['A accepted', 'B accepted']);
  });

  for (const [what, members] of [
    ['has nothing at all', {}],
    ['has empty lists and a tag that nobody carries', { devices: [], rows: [], tags: 'nobody' }],
  ] as const) {
    it(`that ${what} are NOT_CONFIGURED`, async () => {
      const [a] = await site.devices('A');
      assert.ok(a);
      await site.start([a.config(), group(members), act('door/lock', toGroup)]);
      const way = await site.ask('door/lock');
      assert.deepEqual(caughtOf(way), ['NOT_CONFIGURED']);
      assert.deepEqual(way.sent, []);
      assert.deepEqual(site.requests, []);
    });
  }

  it('are NOT_CONFIGURED where no group is chosen', async () => {
    await site.start([act('door/lock', { target: 'group', group: '' })]);
    assert.deepEqual(caughtOf(await site.ask('door/lock')), ['NOT_CONFIGURED']);
  });

  it('that are rows without an address fail by themselves', async () => {
    const [good] = await site.devices('Good');
    assert.ok(good);
    const rows = [
      { name: 'No address' },
      { name: 'Empty', address: '' },
      good.row(),
      { name: 'Odd', address: 'ftp://1.2.3.4' },
    ];
    await site.start([group({ rows }), act('door/lock', toGroup)]);
    const way = await site.ask('door/lock');
    assert.deepEqual(outcomesOf(way), ['No address failed', 'Empty failed', 'Good accepted', 'Odd failed']);
    assert.deepEqual(
      receiptsOf(way).map(({ attempts }) => attempts),
      [0, 0, 1, 0],
    );
    for (const code of [0, 1, 3].map((index) => codesOf(way)[index])) {
      assert.match(String(code), /^(?:NOT_CONFIGURED|INVALID_PARAMETER)$/);
    }
    assert.equal(way.sent.length, 1, 'the message goes on since one target succeeded');
    assert.equal(way.caught.length, 1);
    assert.deepEqual(good.operationNames, ['door/lock']);
  });

  it('that are rows without a password fail by themselves, and nothing of theirs is sent', async () => {
    const [row, other] = await site.devices('Row', 'Other');
    assert.ok(row && other);
    await site.start([
      other.config(),
      group({ devices: ['other'], rows: [row.row()], auth: 'standard' }),
      act('door/lock', toGroup),
    ]);
    const way = await site.ask('door/lock');
    assert.deepEqual(outcomesOf(way), ['Other accepted', 'Row failed']);
    assert.equal(codesOf(way)[1], 'NOT_CONFIGURED');
    assert.match(String(receiptsOf(way)[1]?.error?.message), /password/i);
    assert.deepEqual(row.requests, []);
  });

  it('of which two rows have one address are addressed once', async () => {
    const [row] = await site.devices('Row');
    assert.ok(row);
    const rows = [row.row(), row.row({ name: 'Again' })];
    await site.start([group({ rows }), act('door/lock', toGroup)]);
    const way = await site.ask('door/lock');
    assert.deepEqual(row.operationNames, ['door/lock']);
    assert.equal(outcomesOf(way)[0], 'Row accepted');
  });

  it('that are rows without a name go by their address', async () => {
    const [row] = await site.devices('Row');
    assert.ok(row);
    const address = row.address.slice('http://'.length);
    await site.start([group({ rows: [{ address: row.address }] }), act('door/lock', toGroup)]);
    const [receipt] = receiptsOf(await site.ask('door/lock'));
    assert.ok([row.address, address].includes(String(receipt?.device)), String(receipt?.device));
  });

  it('share the password of the group as rows', async () => {
    const [row] = await site.devices('Row');
    assert.ok(row);
    await site.start([group({ rows: [row.row()], auth: 'basic' }), act('door/lock', toGroup)], {
      hall: { password: 'secret' },
    });
    assert.deepEqual(outcomesOf(await site.ask('door/lock')), ['Row accepted']);
  });

  it('that are rows have a model of their own, which is not asked for', async () => {
    process.env.ALGO_TEST_MODEL = '8190S';
    const [tower, gym, hall] = await site.devices('Tower', 'Gym', 'Hall');
    assert.ok(tower && gym && hall);
    for (const device of [tower, gym])
      device.behavior = ({ operationName }) => (operationName === 'info/about' ? 403 : 200);
    hall.model = '8410';
    const rows = [
      tower.row({ model: '8128' }),
      gym.row({ model: '${ALGO_TEST_MODEL}' }),
      hall.row({ model: '' }),
    ];
    await site.start([
      group({ rows }),
      act('strobe/start', { ...toGroup, given: { pattern: 'fast', ledlvl: 'high' } }),
    ]);
    const way = await site.ask('strobe/start');
    delete process.env.ALGO_TEST_MODEL;
    assert.deepEqual(outcomesOf(way), ['Tower accepted', 'Gym accepted', 'Hall accepted']);
    const sent = [tower, gym, hall].map(({ requests: heard }) => heard.at(-1)?.parameters);
    assert.deepEqual(
      sent.map((parameters) => [parameters?.pattern, parameters?.ledlvl]),
      [
        [13, '255'],
        [7, '3'],
        [2, '255'],
      ],
    );
  });

  it('that are rows are found by name and by tag, among other devices by name', async () => {
    const [b, a, c] = await site.devices('B', 'A', 'C');
    assert.ok(a && b && c);
    await site.start([
      b.config({ tags: 'yard' }),
      group({ rows: [c.row({ tags: 'yard, night' }), a.row({ tags: 'yard' })] }),
      act('door/lock', byMessage),
    ]);
    assert.deepEqual(outcomesOf(await site.ask('door/lock', { device: 'A' })), ['A accepted']);
    assert.deepEqual(outcomesOf(await site.ask('door/lock', { device: 'tag:night' })), ['C accepted']);
    assert.deepEqual(outcomesOf(await site.ask('door/lock', { device: 'tag:yard' })), [
      'A accepted',
      'B accepted',
      'C accepted',
    ]);
  });
});
