import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext, Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { phrases } from '../../src/catalogue/phrases';
import { reasons } from '../../src/catalogue/reasons';
import { strobe } from '../../src/catalogue/strobe';
import { browserDirectory, bundle } from '../../src/editor/bundle';
import { read } from './pages';

/** What the page of the plugin runs. */
function scriptOf(page: string): string {
  const [, script = ''] = /<script type="text\/javascript">([\s\S]+)<\/script>\n$/.exec(page) ?? [];
  return script;
}

describe('the page of the plugin', () => {
  const page = read('dist', 'nodes', 'algo-forms.html');
  const script = scriptOf(page);

  it('has its script inline, since the editor would wait forever for a file that is missing', () => {
    assert.ok(script.length > 10_000);
    assert.doesNotMatch(page, /<script[^>]* src=|<link/);
    assert.doesNotMatch(script, /<\/script/i);
  });

  it('has all that it needs in it: nothing is loaded, and nothing made of text', () => {
    assert.doesNotMatch(script, /\brequire\(|\bimport\b[ ({]|\beval\(|new Function\b/);
    const window: { algoForm?: Record<string, unknown> } = {};
    runInNewContext(script, { window });
    const uses = read('dist', 'nodes', 'door.html') + read('dist', 'nodes', 'device.html');
    const used = [...uses.matchAll(/algoForm\.(\w+)\(/g)].map(([, name = '']) => name);
    assert.ok(used.length > 5);
    for (const name of used) assert.equal(typeof window.algoForm?.[name], 'function', name);
  });

  it('leaves nothing in the page but algoForm', () => {
    const before = { window: {} };
    const context = { ...before };
    new Script(script).runInNewContext(context);
    assert.deepEqual(Object.keys(context), Object.keys(before));
  });

  it('is small enough, with all that the editor loads at its start', () => {
    const files = readdirSync('dist/nodes').filter((file) => file.endsWith('.html'));
    const whole = Buffer.concat(files.map((file) => readFileSync(`dist/nodes/${file}`)));
    assert.ok(files.length > 20);
    assert.ok(whole.length <= 384_500, `${whole.length} bytes`);
    const indented = files.filter((file) => /^ +</m.test(read('dist', 'nodes', file)));
    assert.deepEqual(indented, []);
    assert.ok(gzipSync(whole).length <= 65_200, `${gzipSync(whole).length} bytes, packed`);
  });

  it('is joined by no large file when a dialog, the sidebar or the calendar opens', () => {
    const files = readdirSync('resources').filter((file) => !file.endsWith('algo-week.js'));
    assert.ok(files.length > 5);
    for (const file of files) {
      const content = readFileSync(`resources/${file}`);
      assert.ok(content.length <= 80_500, `${file} has ${content.length} bytes`);
      assert.ok(gzipSync(content).length <= 28_900, `${file} has ${gzipSync(content).length} bytes, packed`);
    }
    const ofDialogs = files.filter((file) => file.endsWith('.js') && !file.endsWith('algo-sidebar.js'));
    const sizes = ofDialogs.map((file) => readFileSync(`resources/${file}`).length);
    const sum = sizes.reduce((before, size) => before + size);
    assert.ok(sum <= 238_100, `the scripts of the dialogs have ${sum} bytes together`);
    // The calendar is a library, and comes when somebody wants to see weeks.
    assert.ok(readFileSync('resources/algo-week.js').length <= 150_000);
  });

  it('has neither the catalogue nor what errors say in English, nor has any other script', () => {
    const scripts = readdirSync('resources').filter((file) => file.endsWith('.js'));
    const pages = [script, ...scripts.map((file) => read('resources', file))];
    const english = [phrases.saysWhatIsMeant, reasons.noAddress, strobe.operations[0].description];
    for (const sentence of english) {
      assert.ok(sentence.length > 15);
      assert.ok(!pages.some((page) => page.includes(sentence)), sentence);
    }
  });
});

describe('the modules in a page', () => {
  const stdinOf = (contents: string) => ({ stdin: { contents, resolveDir: browserDirectory } });

  it('are no packages, for none of them is made for it', async () => {
    await assert.rejects(bundle(stdinOf("import 'mocha/lib/utils.js';")), /mocha|resolve/);
    await assert.rejects(bundle(stdinOf("import escape from 'escape-html'; escape('');")), /escape-html/);
    await assert.rejects(bundle(stdinOf("import 'node:fs';")), /node:fs/);
  });

  it('have the checks of the catalogue, and a Buffer that is one', async () => {
    const contents = "import { takes } from '../judge.ts'; window.takes = takes;";
    const window: { takes?: (field: object, value: unknown) => boolean } = {};
    runInNewContext(await bundle(stdinOf(contents)), { window });
    const takes = window.takes ?? assert.fail();
    assert.equal(takes({ type: 'binary', encoding: 'utf8' }, 'text'), true);
    assert.equal(takes({ type: 'binary' }, 'text'), false);
    assert.equal(takes({ type: 'string', format: 'color' }, 'navy'), true);
    assert.equal(takes({ type: 'string', format: 'color' }, 'nevy'), false);
  });
});
