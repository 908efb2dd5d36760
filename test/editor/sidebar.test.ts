import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { browserDirectory, bundle } from '../../src/editor/bundle';
import type { OverviewAlert, OverviewNews, OverviewRow } from '../../src/runtime/answers';
import { checkNames, deviceStates } from '../../src/runtime/supervision/finding';
import { read, textsIn } from './pages';
import { standInBrowser } from './stand-in-browser';

type Piece = { readonly rows?: readonly number[]; readonly gap?: number };

interface Column {
  readonly id: string;
  text(row: OverviewRow): string;
  key(row: OverviewRow): string | number | undefined;
}

interface List {
  sorting: { column: string; isDescending: boolean };
  readonly shown: readonly string[];
  get(id: string): OverviewRow | undefined;
  placeOf(id: string): number;
  take(news: OverviewNews): boolean;
  search(text: string): void;
  arrange(): void;
}

/** The parts of the sidebar that need no page. */
interface Script {
  readonly RowList: new (columns: readonly Column[], textOf: (row: OverviewRow) => string) => List;
  readonly columns: readonly Column[];
  countFitting(columns: readonly Column[], width: number): number;
  csvOf(rows: readonly (readonly string[])[], separator: string): string;
  separatorIn(language: string): string;
  piecesOf(length: number, screen: object, kept: number): Piece[];
}

const device = (id: string, more: Partial<OverviewRow> = {}): OverviewRow => ({
  id,
  kind: 'device',
  name: id,
  ...more,
});

describe('the sidebar, without a page', () => {
  let script: Script;
  let leave: () => void;

  after(() => leave());

  before(async () => {
    const parts = ['columns', 'csv', 'row-list', 'window'];
    const contents = parts.map((part) => `export * from './sidebar/${part}';`).join('\n');
    const text = await bundle({ stdin: { contents, resolveDir: browserDirectory }, format: 'esm' });
    Object.assign(globalThis, { RED: { _: (key: string) => key } });
    leave = standInBrowser('en-US', null);
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  });

  it('calls a clock right that is as near as a device can say', () => {
    const clock = script.columns.find(({ id }) => id === 'clock');
    const words = [-2, -1, 0, 1, 40].map((clockSeconds) => clock?.text(device('hall', { clockSeconds })));
    assert.deepEqual(words, ['−2 s', '±0 s', '±0 s', '±0 s', '+40 s']);
  });

  it('writes nothing into a CSV file that a spreadsheet would run', () => {
    const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'];
    const [row = ''] = script.csvOf([hostile], ',').split('\r\n"');
    assert.equal(row.match(/"'/g)?.length, hostile.length);
    assert.equal(script.csvOf([['a "b", c', '192.0.2.1', '']], ','), '\uFEFF"a ""b"", c","192.0.2.1",""\r\n');
  });

  it('takes cells apart as spreadsheets do where the browser speaks that language', () => {
    assert.equal(script.csvOf([['Hall', '192.0.2.1']], ';'), '\uFEFF"Hall";"192.0.2.1"\r\n');
    const languages = ['en-US', 'en-GB', 'es-MX', 'de-DE', 'fr-FR', 'es-ES'];
    assert.deepEqual(languages.map(script.separatorIn), [',', ',', ',', ';', ';', ';']);
  });

  it('draws what is on the screen, and the row that has the focus', () => {
    const screen = { top: 26_000, height: 520, rowHeight: 26 };
    const [before, seen, after] = script.piecesOf(10_000, screen, -1);
    assert.equal(before?.gap, 992);
    assert.deepEqual([seen?.rows?.[0], seen?.rows?.length], [992, 36]);
    assert.equal((before?.gap ?? 0) + (seen?.rows?.length ?? 0) + (after?.gap ?? 0), 10_000);
    for (const [kept, places] of [
      [3, [3]],
      [9_999, [9_999]],
    ] as const) {
      const pieces = script.piecesOf(10_000, screen, kept);
      assert.ok(pieces.some(({ rows }) => rows?.length === 1 && rows[0] === places[0]));
      const sum = pieces.reduce((all, { rows, gap }) => all + (rows?.length ?? gap ?? 0), 0);
      assert.equal(sum, 10_000);
    }
    assert.deepEqual(script.piecesOf(0, screen, -1), []);
    assert.deepEqual(script.piecesOf(2, { ...screen, top: 0 }, 1), [{ rows: [0, 1] }]);
    const huge = script.piecesOf(10_000, { top: 0, height: 1e9, rowHeight: 26 }, -1);
    assert.equal(huge[0]?.rows?.length, 200);
  });

  it('sorts by each column, with what has nothing at the end either way', () => {
    const rows = [
      device('gate 10', { model: '8063', roundTripMs: 12, clockSeconds: -40, reachable: true }),
      device('gate 9', { reachable: false, awaySince: '2026-11-22T10:00:00.000Z' }),
      device('hall', { model: '8301', roundTripMs: 3, clockSeconds: 1 }),
    ];
    const list = new script.RowList(script.columns, ({ name }) => name);
    list.take({ changes: rows, removed: [], total: 3, begins: true });
    const by = (column: string, isDescending = false) => {
      list.sorting = { column, isDescending };
      list.arrange();
      return list.shown;
    };
    assert.deepEqual(by('name'), ['gate 9', 'gate 10', 'hall']);
    assert.deepEqual(by('name', true), ['hall', 'gate 10', 'gate 9']);
    assert.deepEqual(by('roundTrip'), ['hall', 'gate 10', 'gate 9']);
    assert.deepEqual(by('roundTrip', true), ['gate 10', 'hall', 'gate 9']);
    assert.deepEqual(by('model', true), ['hall', 'gate 10', 'gate 9']);
    assert.deepEqual(by('clock'), ['gate 10', 'hall', 'gate 9']);
    assert.deepEqual(by('state'), ['gate 9', 'hall', 'gate 10']);
    for (const { id } of script.columns) assert.equal(by(id).length, 3, id);
    assert.equal(list.placeOf('hall') >= 0, true);
  });

  it('shows the name, the state and the alerts in 300 px, failures next, and everything in a wide sidebar', () => {
    const { columns, countFitting } = script;
    // 13 px letters, and a scrollbar of 15 px.
    const narrow = columns.slice(0, countFitting(columns, 285 / 13)).map(({ id }) => id);
    assert.deepEqual(narrow, ['name', 'state', 'alerts']);
    assert.equal(columns[3]?.id, 'error');
    assert.equal(countFitting(columns, 3), 1);
    assert.equal(countFitting(columns, 1500 / 13), columns.length);
  });

  it('calls a device bad that answers and rejects the login', () => {
    const column = script.columns.find(({ id }) => id === 'state');
    const rejecting = device('gate', { reachable: true, rejected: true });
    assert.equal(column?.text(rejecting), '@openpaging/node-red-algo/algo-forms:state.rejected');
    const list = new script.RowList(script.columns, ({ name }) => name);
    list.take({
      changes: [device('a', { reachable: true }), rejecting],
      removed: [],
      total: 2,
      begins: true,
    });
    list.sorting = { column: 'state', isDescending: false };
    list.arrange();
    assert.deepEqual(list.shown, ['gate', 'a']);
  });

  it('names an announcement by its node, by the label of a node without a name, and sorts most announcements first', () => {
    const { RED } = globalThis as unknown as { RED: Record<string, unknown> };
    const { _: original } = RED;
    const known = { id: 'f00d' };
    Object.assign(RED, {
      _: (key: string, values: object = {}) => [key.split('.').at(-1), ...Object.values(values)].join(' '),
      nodes: { node: (id: string) => (id === 'f00d' ? known : null) },
      utils: { getNodeLabel: (node: unknown) => (node === known ? 'announce · Hall' : '') },
    });
    try {
      const tea = { node: 'Tea', priority: 5 };
      const unnamed = { node: 'f00d', priority: 5 };
      const rows = [
        device('none'),
        device('one', { announcements: { playing: tea, waiting: [], count: 0 } }),
        device('three', { announcements: { playing: unnamed, waiting: [tea, tea], count: 2 } }),
      ] as OverviewRow[];
      const text = script.columns.find(({ id }) => id === 'announcements')?.text;
      const texts = rows.map((row) => text?.(row));
      assert.deepEqual(texts, ['', 'playing Tea', 'playing announce · Hall · waiting 2']);
      const list = new script.RowList(script.columns, ({ name }) => name);
      list.take({ changes: rows, removed: [], total: 3, begins: true });
      list.sorting = { column: 'announcements', isDescending: false };
      list.arrange();
      assert.deepEqual(list.shown, ['three', 'one', 'none']);
    } finally {
      Object.assign(RED, { _: original });
    }
  });

  it('sorts the worst state of supervision first, and shows an alert by its status, its people and its report', () => {
    const since = '2026-11-22T10:00:00.000Z';
    const numbers = { active: 1, targets: 2, pending: 0, acknowledged: 0 };
    const report = { drill: true, startedAt: since, targets: 2, reached: 1, held: 0, missed: 1 };
    const alert = (id: string, more: Partial<OverviewAlert> = {}): OverviewRow => ({
      ...{ id, kind: 'alert', name: id, alert: { state: 'active', ...numbers, ...more } },
    });
    const list = new script.RowList(script.columns, ({ name }) => name);
    const states = ['ok', 'masked', 'offline', 'warning', 'fault'] as const;
    const devices = states.map((state) => device(state, { supervision: { state, since } }));
    const changes = [...devices, device('none'), alert('drill')];
    list.take({ changes, removed: [], total: 7, begins: true });
    list.sorting = { column: 'supervision', isDescending: false };
    list.arrange();
    assert.deepEqual(list.shown, ['offline', 'fault', 'warning', 'masked', 'ok', 'drill', 'none']);
    list.sorting = { column: 'state', isDescending: false };
    list.arrange();
    assert.equal(list.shown[0], 'drill');
    const textOf = (row: OverviewRow) => (column: string) =>
      script.columns
        .find(({ id }) => id === column)
        ?.text(row)
        .replaceAll('@openpaging/node-red-algo/', '');
    const shown = (row: OverviewRow) =>
      ['state', 'alerts', 'supervision', 'pending', 'last'].map(textOf(row));
    assert.deepEqual(shown(alert('drill')), [
      ...['alert:status.on', 'algo-forms:acknowledged.count', '', '', ''],
    ]);
    const idle = shown(alert('drill', { state: 'idle', acknowledged: 2, report }));
    assert.deepEqual(idle.slice(0, 4), ['alert:status.idle', 'algo-forms:acknowledged.count', '', '']);
    assert.match(idle[4] ?? '', / algo-forms:report\.reached · algo-forms:report\.missed$/);
    const clearing = shown(alert('drill', { state: 'clearing', pending: 2 }));
    assert.deepEqual(clearing, ['alert:status.clearing', '', '', '2', '']);
  });

  it('says of what cannot be asked which variable is not set', () => {
    const text = (row: OverviewRow) => script.columns.find(({ id }) => id === 'state')?.text(row);
    assert.equal(text(device('gate')), '@openpaging/node-red-algo/algo-forms:state.unknown');
    const rowText = text(device('gate', { unset: '${GATE}' }));
    assert.equal(rowText, '@openpaging/node-red-algo/algo-forms:state.unset');
    const list = new script.RowList(script.columns, ({ name }) => name);
    list.take({
      changes: [device('a'), device('b', { unset: '${GATE}' })],
      removed: [],
      total: 2,
      begins: true,
    });
    list.sorting = { column: 'state', isDescending: false };
    list.arrange();
    assert.deepEqual(list.shown, ['b', 'a']);
  });

  it('finds rows that have every word somewhere', () => {
    const list = new script.RowList(script.columns, ({ name, mac = '' }) => `${name} ${mac}`);
    list.take({ changes: [device('Hall', { mac: '00:22:ee:01' }), device('Gate')], removed: [], total: 2 });
    const found = (text: string) => {
      list.search(text);
      list.arrange();
      return list.shown;
    };
    assert.deepEqual(found('hALL ee'), ['Hall']);
    assert.deepEqual(found('hall gate'), []);
    assert.deepEqual(found('  '), ['Gate', 'Hall']);
    assert.equal(list.placeOf('nobody'), -1);
  });

  it('takes what has changed, field by field, and says when rows came or went', () => {
    const list = new script.RowList(script.columns, ({ name }) => name);
    const news = { removed: [], total: 1 };
    assert.equal(list.take({ ...news, changes: [device('a', { model: '8301', roundTripMs: 3 })] }), true);
    assert.equal(list.take({ ...news, changes: [{ id: 'a', roundTripMs: null, firmware: '5.7' }] }), false);
    assert.deepEqual(list.get('a'), { ...device('a'), model: '8301', firmware: '5.7' });
    assert.equal(list.take({ changes: [], removed: ['a'], total: 0 }), true);
    assert.equal(list.take({ changes: [], removed: ['a'], total: 0 }), false);
    list.take({ ...news, changes: [device('b')] });
    assert.equal(list.take({ ...news, begins: true, changes: [device('c')] }), true);
    assert.equal(list.get('b'), undefined);
  });

  it('asks the editor once for each word, and once for each way to write a number or a moment', () => {
    let asked = 0;
    const { RED, Intl: intl } = globalThis as unknown as {
      RED: { _: (key: string) => string };
      Intl: object;
    };
    const { _: original } = RED;
    RED._ = (key) => {
      asked += 1;
      return original(key);
    };
    const counted = new Proxy(intl, {
      get(target, name) {
        asked += 1;
        return Reflect.get(target, name);
      },
    });
    Object.assign(globalThis, { Intl: counted });
    try {
      const last = { operation: 'tone/start', outcome: 'accepted' };
      for (let count = 0; count < 1_000; count += 1) {
        const at = new Date(1e12 + count * 1e7).toISOString();
        const rows: OverviewRow[] = [
          device(`a${count}`, { reachable: false, awaySince: at, last: { ...last, at } }),
          device(`b${count}`),
          { id: `c${count}`, kind: 'group', name: 'All', members: count, there: count, away: count % 2 },
        ];
        for (const row of rows) for (const { text } of script.columns) text(row);
      }
    } finally {
      RED._ = original;
      Object.assign(globalThis, { Intl: intl });
    }
    assert.ok(asked > 0 && asked < 40, `${asked} times`);
  });

  it('has a word for everything, and none that nothing asks for', () => {
    const directory = path.join(browserDirectory, 'sidebar');
    const source = readdirSync(directory)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => read('src', 'editor', 'browser', 'sidebar', file))
      .join('\n');
    const texts = textsIn('locales', 'en-US', 'sidebar.json');
    const asked = new Set([
      ...[...source.matchAll(/\bwords\(\s*'([\w.]+)'/g)].map(([, key = '']) => key),
      ...[...source.matchAll(/'((?:state|count|details|pending|acknowledged|report)\.\w+)'/g)].map(
        ([, key = '']) => key,
      ),
      ...script.columns.map(({ id }) => `column.${id}`),
      ...deviceStates.map((state) => `supervision.${state}`),
      ...checkNames.map((check) => `check.${check}`),
      ...[...source.matchAll(/^ {4,6}\[?\s*'(\w+)',/gm)].map(([, key = '']) => `fact.${key}`),
      ...['name', 'last', 'missing'].map((key) => (key === 'missing' ? key : `fact.${key}`)),
    ]);
    assert.ok(asked.size > 40, `${asked.size} keys`);
    assert.deepEqual(
      [...asked].filter((key) => !texts.get(key)),
      [],
    );
    assert.deepEqual(
      [...texts.keys()].filter((key) => !asked.has(key)),
      [],
    );
  });
});
