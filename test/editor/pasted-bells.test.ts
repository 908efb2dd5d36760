import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browserDirectory, bundle } from '../../src/editor/bundle';

interface Row {
  readonly name: string;
  readonly time: string;
  readonly days: string;
  readonly audio: string;
}

interface Script {
  readonly bellKind: { readonly titles: object };
  readonly OwnWords: new (translate: (key: string) => string) => { titles: object; stored(row: Row): Row };
  bellOf(row: Row): Record<string, unknown>;
  timesGoingBack(rows: readonly { row: Row; line: number }[]): { line: number; words: object }[];
  decodeTextFile(content: ArrayBuffer): string;
  readRows(text: string, kind: object): { rows: { row: Row }[]; findings: { what: string }[] };
}

/** A text of a locale file by its dotted key. */
function lookup(language: string): (key: string) => string {
  const words = JSON.parse(readFileSync(`locales/${language}/scheduler.json`, 'utf8'));
  return (key) =>
    key.split('.').reduce((part, name) => part[name] ?? assert.fail(`${language}: ${key}`), words);
}

describe('a list of bells that is pasted', () => {
  let script: Script;
  let language = 'en-US';
  const globals = globalThis as Record<string, unknown>;

  before(async () => {
    Object.assign(globals, { window: {} });
    Object.defineProperty(globals, 'localStorage', {
      value: { getItem: () => language },
      configurable: true,
    });
    const contents =
      "export * from './bells/own-words'; export * from './bells/cells'; export { decodeTextFile, readRows } from './table/row-reader';";
    const stdin = { contents, resolveDir: browserDirectory };
    const text = await bundle({ stdin, format: 'esm' }, ['papaparse']);
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  });
  after(() => {
    Reflect.deleteProperty(globals, 'window');
    Reflect.deleteProperty(globals, 'localStorage');
  });

  /** The bells of a text, as they would be stored. */
  function pasted(text: string, inLanguage: string): unknown[] {
    language = inLanguage;
    const own = new script.OwnWords(lookup(language));
    const titles = { ...own.titles, ...script.bellKind.titles };
    const { rows, findings } = script.readRows(text, { ...script.bellKind, titles });
    assert.deepEqual(findings, []);
    return rows.map(({ row }) => {
      const { name, time, days, audio } = script.bellOf(own.stored(row));
      return [name, time, days, audio];
    });
  }

  const cases: [language: string, heading: string, days: readonly (readonly [string, string])[]][] = [
    [
      'de',
      'Name;Uhrzeit;Tage;Ton',
      [
        ['Mo-Fr', 'mon-fri'],
        ['Mo – Fr', 'mon-fri'],
        ['Montag, Mittwoch', 'mon,wed'],
        ['Di und Do', 'tue,thu'],
        ['Mo bis Sa', 'mon-sat'],
        ['täglich', 'daily'],
        ['mon-fri', 'mon-fri'],
      ],
    ],
    [
      'fr',
      'Nom;Heure;Jours;Son',
      [
        ['lun-ven', 'mon-fri'],
        ['lun.-ven.', 'mon-fri'],
        ['lundi au vendredi', 'mon-fri'],
        ['Mardi et jeudi', 'tue,thu'],
        ['tous les jours', 'daily'],
        ['une fois', 'once'],
      ],
    ],
    [
      'es',
      'Nombre;Hora;Dias;Sonido',
      [
        ['lun-vie', 'mon-fri'],
        ['Miércoles, sab', 'wed,sat'],
        ['lunes a viernes', 'mon-fri'],
      ],
    ],
    [
      'en-US',
      'Name;Time;Weekdays;Tone',
      [
        ['Mon-Fri', 'mon-fri'],
        ['Monday to Friday', 'mon-fri'],
      ],
    ],
  ];
  for (const [name, heading, days] of cases) {
    it(`may be written in the editor's language: ${name}`, () => {
      const lines = days.map(([written]) => `Break;8:05;"${written}";chime.wav`);
      assert.deepEqual(
        pasted([heading, ...lines].join('\n'), name),
        days.map(([, stored]) => ['Break', '08:05', stored, 'chime.wav']),
      );
    });
  }

  it('comes out of a file as a spreadsheet writes it, whatever its encoding', () => {
    const text = 'Große Halle;8:05;täglich';
    const reversed = (bytes: Buffer) => Buffer.from(bytes).swap16();
    const files: Record<string, Buffer> = {
      'UTF-8': Buffer.from(text),
      'UTF-8 with a byte order mark': Buffer.from(`\uFEFF${text}`),
      'Windows-1252': Buffer.from(text, 'latin1'),
      'UTF-16, as Unicode text': Buffer.from(`\uFEFF${text}`, 'utf16le'),
      'UTF-16 of the other byte order': reversed(Buffer.from(`\uFEFF${text}`, 'utf16le')),
    };
    for (const [name, bytes] of Object.entries(files))
      assert.equal(script.decodeTextFile(new Uint8Array(bytes).buffer), text, name);
    const broken = Buffer.concat([Buffer.from('\uFEFFGro'), Buffer.from([0xdf]), Buffer.from('e Halle')]);
    assert.equal(script.decodeTextFile(new Uint8Array(broken).buffer), 'Gro\uFFFDe Halle');
    assert.equal(script.decodeTextFile(new ArrayBuffer(0)), '');
  });

  const headings: [language: string, heading: string][] = [
    ['en-US', 'Title;Ring time;Day of week;Sound'],
    ['de', 'Bezeichnung;Startzeit;Wochentag;Sound'],
    ['de', 'Name;Klingelzeit;Wochentage;Klang'],
    ['fr', 'Intitulé;Heure de début;Jour de la semaine;Fichier son'],
    ['es', 'Titulo;Hora de inicio;Día de la semana;Archivo de audio'],
  ];
  for (const [name, heading] of headings) {
    it(`may have the headings ${heading}`, () => {
      const bells = pasted(`${heading}\nBreak;8:05;mon;chime.wav`, name);
      assert.deepEqual(bells, [['Break', '08:05', 'mon', 'chime.wav']]);
    });
  }

  describe('whose first line', () => {
    /** What is read of a text by the titles of an editor's language: names with their times, and what is wrong. */
    function read(text: string, inLanguage = 'en-US') {
      language = inLanguage;
      const titles = { ...new script.OwnWords(lookup(language)).titles, ...script.bellKind.titles };
      const { rows, findings } = script.readRows(text, { ...script.bellKind, titles });
      return {
        bells: rows.map(({ row }) => `${row.name} ${row.time}`),
        wrong: findings.map(({ what }) => what),
      };
    }
    const rest = Array.from({ length: 12 }, (_, hour) => `Break;${hour + 8}:05;mon-fri;chime.wav`);
    const breaks = rest.map((line) => line.split(';').slice(0, 2).join(' '));

    for (const [inLanguage, name] of [
      ['en-US', 'Start'],
      ['en-US', 'End'],
      ['en-US', 'Bell'],
      ['de', 'Ton'],
      ['fr', 'Fin'],
    ] as const) {
      it(`is a bell with the name of a column: ${name}`, () => {
        const text = [`${name};08:00;mon-fri;chime.wav`, ...rest].join('\n');
        assert.deepEqual(read(text, inLanguage), { bells: [`${name} 08:00`, ...breaks], wrong: [] });
      });
    }

    it('is one cell, above rows of several, keeps none of them from being read', () => {
      for (const delimiter of [';', '\t']) {
        const text = ['Bell', ...rest].join('\n').replaceAll(';', delimiter);
        assert.deepEqual(read(text), { bells: ['Bell ', ...breaks], wrong: [] });
      }
    });

    it('is one cell, above a heading, is no row', () => {
      for (const caption of ['Bells 2030', 'Bell', 'Bells;;;']) {
        const text = [caption, 'Time;Name;Days;Sound', ...rest.map(swapped)].join('\n');
        assert.deepEqual(read(text), { bells: breaks, wrong: [] });
      }
    });

    it('has one title among other words, is a heading with wrong columns', () => {
      const { bells, wrong } = read(['Name;Moment;Days on;Jingle', ...rest].join('\n'));
      assert.deepEqual(wrong, ['column', 'column', 'column']);
      assert.equal(bells.length, 12);
    });

    function swapped(line: string): string {
      const [name, time, ...others] = line.split(';');
      return [time, name, ...others].join(';');
    }
  });

  it('has times as people write them, where only one can be meant', () => {
    const times: [string, string][] = [
      ['8:05', '08:05'],
      ['8.05', '08:05'],
      ['8h05', '08:05'],
      ['8 h 05', '08:05'],
      ['13.45 Uhr', '13:45'],
      ['8:05 Uhr', '08:05'],
      ['1:05 PM', '13:05'],
      ['0.25', '0.25'],
      ['8.5', '8.5'],
      ['25.30', '25.30'],
      ['8h', '8h'],
    ];
    const text = times.map(([written]) => `Break;${written};daily;chime.wav`).join('\n');
    assert.deepEqual(
      pasted(text, 'de').map((bell) => (bell as string[])[1]),
      times.map(([, stored]) => stored),
    );
  });

  describe('whose times go back', () => {
    /** The lines with a hint, each with the time that is probably meant. */
    function hints(text: string): string[] {
      language = 'en-US';
      const { rows } = script.readRows(text, script.bellKind);
      const found = script.timesGoingBack(rows.map(({ row }, index) => ({ row, line: index + 1 })));
      return found.map(({ line, words }) => `${line}: ${Object.values(words).join(' ')}`);
    }
    const days = (times: string, name: string) =>
      times
        .split(' ')
        .map((time) => `Break;${time};${name};chime.wav`)
        .join('\n');

    it('gets a hint where the afternoon is probably meant', () => {
      assert.deepEqual(hints(days('8:00 12:57 1:00 1:45 2:30', 'mon-fri')), ['3: 12:57 1:00 13:00']);
      assert.deepEqual(hints(days('11:50 0:30', 'mon-fri')), ['2: 11:50 0:30 12:30']);
    });

    it('gets none where the afternoon is written, on other days, or where it makes no order', () => {
      assert.deepEqual(hints(days('8:00 12:57 13:00 13:45', 'mon-fri')), []);
      assert.deepEqual(hints(`${days('8:00 12:57', 'mon')}\n${days('1:00 2:00', 'tue')}`), []);
      assert.deepEqual(hints(days('23:00 1:00', 'mon-fri')), []);
      assert.deepEqual(hints(days('15:00 12:30 soon', 'mon-fri')), []);
      assert.deepEqual(hints(`${days('12:57', 'mon')}\n${days('12:00', 'fri')}\n${days('1:00', 'mon')}`), [
        '3: 12:57 1:00 13:00',
      ]);
    });
  });
});
