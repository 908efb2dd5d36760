import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Where something cites; `locales` and `examples` have words for people only. */
const citing = ['src', 'nodes', 'test', 'scripts', 'bench', '.ci'];

/** What people read in the repository itself. */
const pages = [...readdirSync(root), ...readdirSync(path.join(root, 'docs')).map((file) => `docs/${file}`)]
  .concat('bench/README.md')
  .filter((file) => file.endsWith('.md'));

/** The document that a section belongs to where none is named. */
const theInterface = 'docs/interface.md';

/** Where a sentence leads to: a file, and one of its sections or headings. */
interface Citation {
  readonly words: string;
  readonly document: string;
  readonly section?: string;
}

const number = String.raw`\d+(?:\.\d+)*a?`;
const numbers = `${number}(?:(?:, | and | to )${number})*`;
const grammar = new RegExp(
  [
    // docs/field-notes.md · docs/field-notes.md, section 4 · docs/contract.md 2.1 and 2.2 · docs/readings.md, "Files"
    String.raw`(?<document>[\w.@/-]*\w\.md)\b(?:,? (?:sections? )?(?<of>${numbers})\b|, "(?<heading>[^"]+)")?`,
    // section 4.5.2 · sections 4.2 and 4.5 · section 1, item 6
    String.raw`\b[Ss]ections? (?<bare>${numbers})\b(?:, item (?<item>\d+))?`,
    // section: '4.4' of a catalogue entry, a route or a transcript
    String.raw`\bsection: '(?<stated>${number})'`,
    // (4.5.2) · (2.6a, play_tone), and at the beginning of a comment "4.8.1: …"
    String.raw`(?:\(|/\*\* )(?<brief>[24]\.\d+(?:\.\d+)?a?(?:, [24]\.\d+(?:\.\d+)?a?)*)(?=[),:])`,
  ].join('|'),
  'g',
);

/** Every citation in a text. Lines of a comment count as one. */
function citationsIn(text: string): Citation[] {
  const flat = text.replace(/\n\s*(?:\*|\/\/|#)? ?/g, ' ');
  return [...flat.matchAll(grammar)].flatMap(({ 0: words, groups = {} }) => {
    const { document = theInterface, of, bare, stated, brief, heading, item } = groups;
    const list = of ?? bare ?? stated ?? brief;
    const sections = heading ? [heading.toLowerCase()] : (list?.match(new RegExp(number, 'g')) ?? []);
    const whole = item ? sections.map((section) => `${section}.${item}`) : sections;
    return whole.length > 0 ? whole.map((section) => ({ words, document, section })) : [{ words, document }];
  });
}

/** The numbers and names of a document's headings; item 3 of a list in section 1 is 1.3. */
function sectionsOf(document: string): Set<string> {
  const sections = new Set<string>();
  let current = '';
  for (const line of read(document).split('\n')) {
    const [, own, title = ''] = /^#+ (?:(\d[\d.]*a?)\.? )?(.*)$/.exec(line) ?? [];
    if (title) sections.add(title.toLowerCase());
    if (own) current = own.replace(/\.$/, '');
    if (own) sections.add(current);
    const [, item] = /^(\d+)\. /.exec(line) ?? [];
    if (item) sections.add(`${current}.${item}`);
  }
  return sections;
}

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:png|svg)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Why a citation leads nowhere, or nothing. */
function problemOf(file: string, { words, document, section }: Citation): string | undefined {
  // An address of the repository ends with the path of the file.
  const bare = document.replace(/^(?:\.\.\/)+|^.*\/blob\/main\//, '');
  const found = [bare, path.join('docs', bare), path.join(path.dirname(file), document)].find((one) =>
    existsSync(path.join(root, one)),
  );
  if (!found) return `${file}: "${words}": there is no ${document}`;
  if (section === undefined || sectionsOf(found).has(section)) return undefined;
  return `${file}: "${words}": ${found} has no section ${section}`;
}

/** Files and folders of ours that a page names, less what stands for many. */
function placesIn(page: string): string[] {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, to = '']) => to);
  const local = links.filter((to) => !/^[a-z]+:/.test(to));
  const named = [
    ...read(page).matchAll(/`((?:src|nodes|test|scripts|bench|locales)\/[\w./-]*(?:\.\w+|\/))`/g),
  ];
  return [
    ...local.map((to) => path.join(path.dirname(page), decodeURIComponent(to))),
    ...named.map(([, place = '']) => place),
  ];
}

describe('what cites a document', () => {
  it('leads to a section that is in the repository', () => {
    const found = citing
      .flatMap(filesIn)
      .flatMap((file) => citationsIn(read(file)).map((citation) => ({ file, citation })));
    assert.ok(found.length > 100, `only ${found.length} citations were found`);
    const problems = found.flatMap(({ file, citation }) => problemOf(file, citation) ?? []);
    assert.deepEqual(problems, []);
  });
});

describe('the pages', () => {
  for (const page of pages) {
    it(`${page} names only what is there`, () => {
      const missing = placesIn(page).filter((place) => !existsSync(path.join(root, place)));
      assert.deepEqual(missing, []);
    });
  }

  it('name something', () => {
    assert.ok(pages.length > 5 && placesIn('README.md').length > 5, pages.join(', '));
  });

  it('leave the README short', () => {
    assert.ok(Buffer.byteLength(read('README.md')) < 9000);
  });
});
