import assert from 'node:assert/strict';
import { operation } from '../../../src/catalogue/operation-name';
import { Abort } from '../../../src/client/queue/entry';
import { Device } from '../../../src/runtime/device/device';
import { Group, type GroupProperties } from '../../../src/runtime/device/group';
import {
  deregister,
  deregisterGroup,
  devicesNamed,
  devicesTagged,
  forgetClosed,
  register,
  registerGroup,
} from '../../../src/runtime/device/registry';
import type { DeviceProperties } from '../../../src/runtime/device/settings';
import { sentence, wording, wordingIn } from '../../fixtures/wording';

const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };

describe('the members of a group', () => {
  // The end of another test's flows has closed its devices, and no deploy came that forgets them.
  before(forgetClosed);
  const groups: Group[] = [];
  const devices: Device[] = [];

  afterEach(() => {
    groups.splice(0).forEach(deregisterGroup);
    devices.splice(0).forEach(deregister);
  });

  function group(properties: GroupProperties, variable?: (name: string) => unknown): Group {
    const made = new Group('all', { name: 'All', auth: 'none', ...properties }, {}, surroundings, variable);
    groups.push(made);
    registerGroup(made);
    return made;
  }

  function device(id: string, properties: DeviceProperties = {}): Device {
    const made = new Device(id, { name: id, auth: 'none', ...properties }, '', surroundings);
    devices.push(made);
    register(made);
    return made;
  }

  /** Names, and of what is not found or cannot be used the sentence. */
  async function shown(of: Group): Promise<string[]> {
    const all = of.members.map(async (member) => {
      if (member.error) return `${member.asked}: ${member.error.message}`;
      const { name } = member.device;
      const place = member.device.take(operation('info/about'), new Abort());
      const ended = member.device.during(place, undefined, 'info/about', async () => name);
      return ended.catch((error: Error) => `${name}: ${error.message}`);
    });
    return Promise.all(all);
  }
  const names = (of: Group) => of.members.map((member) => member.device?.name ?? member.asked);

  it('are its devices, then its rows, then what is tagged by name, each once', () => {
    for (const id of ['z', 'y', 'x']) device(id, { tags: 'north' });
    device('b', { tags: 'north,south' });
    device('a', { tags: 'south' });
    device('nowhere', { tags: 'northern' });
    const rows = [
      { name: 'Row 2', address: '192.0.2.2', tags: 'north' },
      { name: 'Row 1', address: '192.0.2.1' },
    ];
    const all = group({ devices: ['y', 'x', 'y'], rows, tags: 'north, south' });
    assert.deepEqual(names(all), ['y', 'x', 'Row 2', 'Row 1', 'a', 'b', 'z']);
  });

  it('follow what is deployed and taken away', () => {
    const all = group({ devices: ['gate'], tags: 'north' });
    assert.match(String(all.members[0]?.error?.message), wordingIn('reasons:listedIs', { device: 'gate' }));
    assert.equal(all.members[0]?.error?.code, 'NOT_CONFIGURED');
    const gate = device('gate');
    const yard = device('yard', { tags: 'north' });
    assert.deepEqual(names(all), ['gate', 'yard']);
    deregister(yard);
    assert.deepEqual(names(all), ['gate']);
    assert.equal(all.members, all.members, 'they are looked for again though nothing has changed');
    assert.equal(all.members[0]?.device, gate);
  });

  it('are told from others without being looked for', () => {
    const all = group({ devices: ['gate'], rows: [{ address: '192.0.2.1' }], tags: 'north' });
    assert.equal(all.has(device('gate')), true);
    assert.equal(all.has(device('yard', { tags: 'south, north' })), true);
    assert.equal(all.has(device('hall', { tags: 'south' })), false);
    assert.equal(all.has(devicesNamed('192.0.2.1')[0] ?? assert.fail()), true);
  });

  it('are found by the name of their row, else its address, and by their tags', () => {
    group({
      rows: [
        { name: ' Gate ', address: '192.0.2.1', tags: 'front, north' },
        { name: '', address: ' 192.0.2.2 ', tags: ['front'] },
        { name: 7, address: '192.0.2.3' },
      ],
    });
    assert.equal(devicesNamed('Gate').length, 1);
    assert.equal(devicesNamed('192.0.2.2').length, 1);
    assert.equal(devicesNamed('7').length, 1);
    assert.deepEqual(
      devicesTagged('front').map(({ name }) => name),
      ['192.0.2.2', 'Gate'],
    );
    deregisterGroup(groups[0] ?? assert.fail());
    assert.equal(devicesNamed('Gate').length, 0);
    assert.equal(devicesTagged('front').length, 0);
  });

  it('keep their ids through a deploy, whatever their place in the list', () => {
    const rows = [
      { name: 'A', address: '192.0.2.1' },
      { name: 'B', address: '192.0.2.2' },
    ];
    const before = group({ rows }).rows.map(({ id }) => id);
    const after = group({ rows: rows.toReversed() }).rows.map(({ id }) => id);
    assert.deepEqual(after, before.toReversed());
    assert.equal(devicesNamed('A').length, 1);
  });

  const unusable = (name: string, reason: string, ...details: string[]) =>
    `${name}: ${sentence(reason, `"${name}"`, ...details)}`;
  const inRow = (row: number) => wording('reasons:inRow', { row, group: 'All' });
  const usedBy = wording('reasons:usedBy', { device: 'Gate' });
  const noObject = (row: number) => unusable(`row ${row}`, wording('reasons:rowNoObject'), inRow(row));
  const wrong: [string, readonly unknown[], readonly string[]][] = [
    ['no address', [{ name: 'Gate' }], [unusable('Gate', wording('reasons:noAddress'))]],
    ['neither name nor address', [{}], [unusable('row 1', wording('reasons:noAddress'))]],
    [
      'an address that cannot be read',
      [{ name: 'Gate', address: 'http://admin:secret@192.0.2.9' }],
      [unusable('Gate', wording('reasons:addressUser'))],
    ],
    [
      'the address of another row',
      [
        { name: 'Gate', address: '192.0.2.1' },
        { name: 'Yard', address: 'https://192.0.2.1:443/' },
      ],
      ['Gate', unusable('Yard', wording('reasons:addressTwin'), usedBy, inRow(2))],
    ],
    [
      'the name of another row',
      [
        { name: 'Gate', address: '192.0.2.1' },
        { name: 'Gate', address: '192.0.2.2' },
      ],
      ['Gate', unusable('Gate', wording('reasons:rowTwin', { row: 1 }), inRow(2))],
    ],
    [
      'an environment variable that is not set',
      [{ name: '${NAME}', address: '192.0.2.1' }, { address: '${ADDRESS}' }],
      [
        unusable(
          '${NAME}',
          wording('reasons:unsetVariable', { name: 'name', variable: '${NAME}' }),
          inRow(1),
        ),
        unusable('${ADDRESS}', wording('reasons:unsetVariable', { name: 'address', variable: '${ADDRESS}' })),
      ],
    ],
    [
      'anything but a row',
      ['192.0.2.1', null, { name: 'Gate', address: '192.0.2.3' }],
      [noObject(1), noObject(2), 'Gate'],
    ],
  ];
  for (const [what, rows, expected] of wrong) {
    it(`say what is wrong with a row that has ${what}, and the others are usable`, async () => {
      const messages = await shown(group({ rows }));
      assert.deepEqual(
        messages.map((line) => line.replace(/^[^:]*: (?=Device|The device)/, '')),
        expected,
      );
    });
  }

  it('say that a row has no password', async () => {
    const [messages] = await shown(
      group({ auth: 'standard', rows: [{ name: 'Gate', address: '192.0.2.1' }] }),
    );
    assert.match(String(messages), /"Gate"/);
    assert.match(String(messages), wordingIn('reasons:noPassword'));
  });

  for (const [how, properties] of [
    ['listed', { devices: ['gate'] }],
    ['tagged', { tags: 'north' }],
  ] as const) {
    it(`say that a row has the address of a ${how} member`, async () => {
      device('gate', { name: 'Gate', address: '192.0.2.1', tags: 'north' });
      const rows = [
        { name: 'Twin', address: 'https://192.0.2.1' },
        { name: 'Yard', address: '192.0.2.2' },
      ];
      const messages = await shown(group({ rows, ...properties }));
      assert.deepEqual(messages.toSorted(), [
        'Gate',
        unusable(
          'Twin',
          wording('reasons:addressTwin'),
          usedBy,
          wording('reasons:inGroup', { group: 'All' }),
        ),
        'Yard',
      ]);
    });
  }

  it('are read from the JSON text of the rows too, with variables in it', () => {
    const variables: Record<string, unknown> = { WHERE: '192.0.2.1', TAGS: 'north' };
    const rows = JSON.stringify([{ name: 'Gate', address: '${WHERE}', tags: '$(TAGS)' }]);
    const all = group({ rows }, (name) => variables[name]);
    assert.deepEqual(names(all), ['Gate']);
    assert.equal(all.rows[0]?.address, '192.0.2.1');
    assert.deepEqual(all.rows[0]?.tags, ['north']);
  });

  for (const [rows, words] of [
    [
      '[{',
      wordingIn('reasons:ofPlace', {
        place: wording('reasons:inGroup', { group: 'All' }),
        reason: wording('reasons:rowsUnreadable'),
      }),
    ],
    ['{}', wordingIn('reasons:rowsNoList')],
    [42, wordingIn('reasons:rowsNoList')],
    ['${ROWS}', wordingIn('reasons:unsetRows', { variable: '${ROWS}' })],
  ] as const) {
    it(`say that rows such as ${rows} cannot be read, and the devices are there`, async () => {
      device('gate', { address: '192.0.2.1' });
      const messages = await shown(group({ rows, devices: 'gate' }));
      assert.equal(messages[0], 'gate');
      assert.match(String(messages[1]), words);
      assert.equal(messages.length, 2);
    });
  }

  it('say that a variable is not set, be it of its tags or its devices', async () => {
    const messages = await shown(group({ devices: '${GATE}', tags: '${TAGS}' }));
    assert.match(String(messages[0]), wordingIn('reasons:listedIs', { device: '${GATE}' }));
    assert.match(String(messages[1]), wordingIn('reasons:unsetTags', { variable: '${TAGS}' }));
  });
});
