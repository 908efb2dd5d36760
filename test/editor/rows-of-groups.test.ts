import assert from 'node:assert/strict';
import { browserDirectory, bundle } from '../../src/editor/bundle';

type Row = Readonly<Record<'name' | 'address' | 'tags' | 'fingerprint' | 'model' | 'password', string>> & {
  readonly passwordKey?: unknown;
};
interface Placed {
  readonly row: Row;
  readonly line: number;
}
interface Found {
  readonly line: number;
  readonly what: string;
}
interface Device {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly tags: readonly string[];
}

/** The parts of the group's dialog that need no page. */
interface Script {
  readonly groupTable: object;
  readRows(text: string, kind: object): { rows: Placed[]; findings: Found[] };
  findingsIn(rows: readonly Placed[], context: object): Found[];
  membersOf(parts: object): { name: string; why: string }[];
  rowsOf(stored: unknown): Row[];
  storePasswords(rows: readonly Row[], before: readonly Row[], credentials: object): Row[];
  storedRow(row: Row): object;
}

const print = 'ab'.repeat(32);

describe('the rows of a group', () => {
  let script: Script;

  before(async () => {
    const contents = `export * from './targets/group-rows'; export * from './dialogs/row-passwords'; export * from './targets/members'; export { readRows } from './table/row-reader';`;
    Object.assign(globalThis, { window: {} });
    const stdin = { contents, resolveDir: browserDirectory };
    const text = await bundle({ stdin, format: 'esm' }, ['papaparse']);
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
    Reflect.deleteProperty(globalThis, 'window');
  });

  const read = (text: string) =>
    script
      .readRows(text, script.groupTable)
      .rows.map(({ row: { name, address, tags, fingerprint, model, password }, line }) =>
        [line, name, address, tags, fingerprint, model, password].join('|').replace(/\|+$/, ''),
      );
  const wrong = (text: string) =>
    script.readRows(text, script.groupTable).findings.map(({ line, what }) => `${line} ${what}`);
  const check = (text: string, context: object = {}) =>
    script
      .findingsIn(script.readRows(text, script.groupTable).rows, {
        isPinned: false,
        place: 'inLine',
        taken: [],
        ...context,
      })
      .map(({ line, what }) => `${line} ${what}`);

  const texts: [string, string, string[]][] = [
    [
      'cells of a spreadsheet',
      'Gym\t192.0.2.1\tnorth\nHall\t192.0.2.2\t\n',
      ['1|Gym|192.0.2.1|north', '2|Hall|192.0.2.2'],
    ],
    ['semicolons, with commas inside', 'Gym;192.0.2.1;north, east', ['1|Gym|192.0.2.1|north, east']],
    ['commas, and quotes around some', 'Gym,192.0.2.1,"north, east"', ['1|Gym|192.0.2.1|north, east']],
    ['a heading in another order', 'Fingerprint;IP Address;NAME\nab;192.0.2.1;Gym', ['2|Gym|192.0.2.1||ab']],
    ['a byte order mark', '\uFEFFname,address\nGym,192.0.2.1', ['2|Gym|192.0.2.1']],
    ['lines of Windows and of old Macs', 'address\r\n192.0.2.1\r192.0.2.2', ['2||192.0.2.1', '3||192.0.2.2']],
    ['a single column', '192.0.2.1\n192.0.2.2', ['1||192.0.2.1', '2||192.0.2.2']],
    ['empty lines and lines of commas', '\n\n,,\nGym,192.0.2.1\n\n', ['4|Gym|192.0.2.1']],
    [
      'a cell over two lines',
      '"Gym\nEast",192.0.2.1\nHall,192.0.2.2',
      ['1|Gym\nEast|192.0.2.1', '3|Hall|192.0.2.2'],
    ],
    ['a column of passwords', 'name;address;Password\nGym;192.0.2.1;algo', ['2|Gym|192.0.2.1||||algo']],
    ['a column of passwords in German', 'address,Passwort\n192.0.2.1,algo', ['2||192.0.2.1||||algo']],
    ['nothing', '', []],
  ];
  for (const [name, text, rows] of texts) {
    it(`are read from ${name}`, () => {
      assert.deepEqual(read(text), rows);
      assert.deepEqual(wrong(text), []);
    });
  }

  const broken: [string, string, string[]][] = [
    ['a column that nobody knows', 'name,address,floor\nGym,192.0.2.1,3', ['1 column']],
    ['a column that is there twice', 'address,ip\n192.0.2.1,192.0.2.2', ['1 columnTwice']],
    ['no column of addresses', 'name,tags\nGym,north', ['1 noColumn']],
    ['more cells than columns', 'Gym,192.0.2.1,,,8301,algo,third floor', ['1 tooMany']],
    ['more cells than the heading', 'name,address\nGym,192.0.2.1\nHall,192.0.2.2,x', ['3 tooMany']],
    ['text behind a quote', 'Gym,192.0.2.1\n"Ha"ll,192.0.2.2\nYard,192.0.2.3', ['2 quotes']],
    ['a quote that is never closed', 'Gym,192.0.2.1\nHall,"192.0.2.2\nYard,192.0.2.3', ['2 quotes']],
  ];
  for (const [name, text, findings] of broken) {
    it(`have their lines named: ${name}`, () => {
      assert.deepEqual(wrong(text), findings);
    });
  }

  const findings: [string, string, string[]][] = [
    ['good rows', 'Gym,192.0.2.1\nHall,hall.example.org:8443\nYard,[2001:db8::1]:443\nPorch,2001:db8::2', []],
    ['an environment variable', 'Gym,${GYM}', []],
    ['no address', 'Gym,192.0.2.1\nHall,', ['2 noAddress']],
    ['a bad address', 'Gym,the gym', ['1 address']],
    ['a login in an address', 'Gym,admin:x@192.0.2.1', ['1 userInfo']],
    ['an address twice', 'Gym,192.0.2.1\nHall,192.0.2.2\nYard,https://192.0.2.1:443/', ['3 addressTwice']],
    ['a name twice', 'Gym,192.0.2.1\nGym,192.0.2.2', ['2 nameTwice']],
    ['a fingerprint of OpenSSL', `Gym,192.0.2.1,,sha256 Fingerprint=${print}`, []],
    ['models', 'Gym,192.0.2.1,,,8301\nHall,192.0.2.2,,,Algo 8190S\nYard,192.0.2.3,,,${MODEL}', []],
    ['a bad model', 'Gym,192.0.2.1,,,speaker', ['1 model']],
    ['a bad fingerprint', `Gym,192.0.2.1,,ab\nHall,192.0.2.2,,${print}`, ['1 fingerprint']],
  ];
  for (const [name, text, found] of findings) {
    it(`are checked one by one: ${name}`, () => {
      assert.deepEqual(check(text), found);
    });
  }

  it('need fingerprints where certificates are pinned', () => {
    assert.deepEqual(check(`Gym,192.0.2.1\nHall,192.0.2.2,,${print}`, { isPinned: true }), [
      '1 noFingerprint',
    ]);
  });

  it('have no address that a device of the group has', () => {
    const taken = [{ name: 'Lobby', address: '192.0.2.1', by: 'ofDevice', words: { name: 'Lobby' } }];
    assert.deepEqual(check('Gym,192.0.2.1\nLobby,192.0.2.2', { taken }), ['1 addressTwice', '2 nameTwice']);
  });

  it('are stored without a model where they have none', () => {
    const [gym, hall] = script.rowsOf([
      { name: 'Gym', address: '192.0.2.1' },
      { name: 'Hall', address: '192.0.2.2', model: ' 8301 ' },
    ]);
    assert.ok(gym && hall);
    assert.deepEqual(script.storedRow(gym), { name: 'Gym', address: '192.0.2.1', tags: '', fingerprint: '' });
    const { password: _, ...stored } = hall;
    assert.deepEqual(script.storedRow(hall), stored);
    assert.equal(hall.model, '8301');
  });

  /** Rows of these passwords and keys, as the dialog has them. */
  const secrets = (...rows: (readonly [password: string, passwordKey?: unknown])[]): Row[] =>
    rows.map(([password, passwordKey], place) => ({
      ...{
        name: `Row ${place}`,
        address: `192.0.2.${place}`,
        tags: '',
        fingerprint: '',
        model: '',
        password,
      },
      ...(passwordKey !== undefined && { passwordKey }),
    }));
  const kept = '__PWRD__';

  it('put a password that is typed at a key that no row had, and empty the one before', () => {
    const before = secrets([kept, 1], [kept, 2], ['']);
    const credentials = { has_rowPassword1: true, has_rowPassword2: true, has_rowPassword3: true };
    const after = script.storePasswords(secrets([kept, 1], ['new', 2], ['other']), before, credentials);
    assert.deepEqual(
      after.map(({ passwordKey }) => passwordKey),
      [1, 4, 5],
    );
    assert.deepEqual(credentials, {
      ...{ has_rowPassword1: true, has_rowPassword2: false, has_rowPassword3: true },
      ...{ rowPassword2: '', rowPassword4: 'new', has_rowPassword4: true },
      ...{ rowPassword5: 'other', has_rowPassword5: true },
    });
    assert.doesNotMatch(JSON.stringify(after.map(script.storedRow)), /new|other|PWRD/);
  });

  it('empty the key of a row that is gone or shares the password again', () => {
    const credentials = { has_rowPassword1: true, has_rowPassword2: true };
    const [row] = script.storePasswords(secrets(['', 2]), secrets([kept, 1], [kept, 2]), credentials);
    assert.ok(row && !('passwordKey' in row));
    assert.deepEqual(credentials, {
      ...{ has_rowPassword1: false, rowPassword1: '', has_rowPassword2: false, rowPassword2: '' },
    });
  });

  it('have a thousand passwords at most, and never the shared one in the place of one more', () => {
    const typed = secrets(...Array.from({ length: 1001 }, () => ['algo'] as const));
    const after = script.storePasswords(typed, [], {});
    assert.deepEqual([after[999]?.passwordKey, after[1000]?.passwordKey], [1000, 1001]);
    const again = script.storePasswords(
      after.slice(0, 1000).map((row, place) => ({ ...row, password: place === 6 ? 'new' : kept })),
      after.slice(0, 1000),
      {},
    );
    assert.equal(again[6]?.passwordKey, 7);
  });

  it('say whose own password is missing, where a login is needed', () => {
    const rows = secrets([kept, 1], [kept, 2], ['typed', 3], [kept, 1], [kept, 'odd'], ['']);
    const placed = rows.map((row, place) => ({ row, line: place + 1 }));
    const found = (credentials?: object) =>
      script
        .findingsIn(placed, { isPinned: false, place: 'inRow', taken: [], credentials })
        .map(({ line, what }) => `${line} ${what}`);
    assert.deepEqual(found({ has_rowPassword1: true }), ['2 noPassword', '4 noPassword', '5 noPassword']);
    assert.deepEqual(found(), []);
  });

  it('show no password that somebody wrote into a row', () => {
    assert.equal(script.rowsOf([{ address: '192.0.2.1', password: 'plain' }])[0]?.password, '');
  });

  it('are read from what was stored by hand', () => {
    const gym = { name: 'Gym', address: '192.0.2.1', tags: '', fingerprint: '', model: '', password: '' };
    assert.deepEqual(script.rowsOf([{ name: ' Gym', address: '192.0.2.1' }]), [gym]);
    assert.deepEqual(script.rowsOf('[{"name":"Gym","address":"192.0.2.1"}]'), [gym]);
    assert.deepEqual(script.rowsOf('{"name":'), []);
    assert.deepEqual(script.rowsOf(undefined), []);
  });

  it('are counted with the devices and what tags bring, each once and in order', () => {
    const device = (id: string, tags: readonly string[]): Device => ({
      id,
      name: id.toUpperCase(),
      address: '',
      tags,
    });
    const members = script.membersOf({
      picked: ['b', 'gone'],
      rows: script.rowsOf([{ name: 'Gym', address: '192.0.2.1', tags: 'north' }, {}]),
      tags: ' north ,',
      devices: [
        device('c', ['north']),
        device('a', ['south', 'north']),
        device('b', ['north']),
        device('d', []),
      ],
      rowsOfOthers: [device('aa', ['north'])],
    });
    const reasons = members.map(({ name, why }) => `${why} ${name}`);
    assert.deepEqual(reasons, ['device B', 'device gone', 'row Gym', 'tag A', 'tag AA', 'tag C']);
  });

  it('are read and checked by the thousand in a moment', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, place) => `Row ${place},10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`,
    );
    assert.deepEqual(check(lines.join('\n')), []);
  });
});
