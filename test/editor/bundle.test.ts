import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { bundle } from '../../src/editor/bundle';

describe('the modules in the page of the plugin', () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'algo-bundle-'));
  });

  after(() => rm(directory, { recursive: true, force: true }));

  const write = (name: string, text: string) => writeFile(path.join(directory, name), text);

  it('work without a module system, each once, whoever needs it', async () => {
    await write(
      'deep.js',
      'exports.count = 0; exports.next = () => { exports.count += 1; return exports.count; };',
    );
    await write('left.js', 'const deep_1 = require("./deep"); deep_1.next(); exports.left = deep_1.next;');
    await write(
      'top.js',
      'const { left } = require("./left"); exports.top = () => left() + require("./deep").count;',
    );
    const script = await bundle(path.join(directory, 'top.js'));
    assert.equal(runInNewContext(`(() => { ${script}\nreturn top(); })()`), 4);
  });

  it('are no packages, for a page has none', async () => {
    await write('greedy.js', 'const ajv_1 = require("ajv"); exports.greedy = ajv_1;');
    await assert.rejects(bundle(path.join(directory, 'greedy.js')), /greedy\.js needs ajv/);
  });

  it('give the dialogs the checks of the catalogue, and a Buffer that is one', async () => {
    const script = await bundle(path.resolve(__dirname, '../../src/editor/judge.js'));
    const run = (code: string): unknown => runInNewContext(`(() => { ${script}\nreturn ${code}; })()`);
    assert.equal(run("takes({ type: 'binary', encoding: 'utf8' }, 'text')"), true);
    assert.equal(run("takes({ type: 'binary' }, 'text')"), false);
    assert.equal(run("takes({ type: 'string', format: 'color' }, 'navy')"), true);
    assert.equal(run("takes({ type: 'string', format: 'color' }, 'nevy')"), false);
  });
});
