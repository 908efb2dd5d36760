import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { read, root } from '../nodes/package';

/** Loads all nodes as a start of Node-RED does, and says which modules that needed. */
const script = `
  const RED = {
    nodes: { registerType() {} },
    auth: { needsPermission() {} },
    httpAdmin: { get() {}, post() {} },
  };
  for (const file of process.argv.slice(1)) require(file)(RED);
  console.log(JSON.stringify(Object.keys(require.cache)));
`;

function modulesOfStart(): string[] {
  const manifest: { 'node-red': { nodes: Record<string, string> } } = read('package.json');
  const files = Object.values(manifest['node-red'].nodes).map((file) => path.join(root, file));
  return JSON.parse(execFileSync(process.execPath, ['-e', script, ...files], { encoding: 'utf8' }));
}

// Each module is a file to find, read and compile, at every start of every user: more than this needs a reason.
const mostOfOurs = 190;
/** The validator, in 88 modules. */
const mostOfOthers = 88;

describe('what a start of Node-RED loads, counted', () => {
  const modules = modulesOfStart();
  const ours = modules.filter((file) => file.startsWith(path.join(root, 'dist/')));
  const others = modules.filter((file) => file.includes('/node_modules/'));

  it('is all nodes, and no more modules than it was', () => {
    assert.ok(ours.includes(path.join(root, 'dist/nodes/door.js')));
    assert.ok(ours.length <= mostOfOurs, `${ours.length} modules of ours`);
    assert.ok(others.length <= mostOfOthers, `${others.length} modules of others`);
  });

  it('is nothing that sends or that makes certificates: that waits for the first message', () => {
    const early = others.filter((file) => /\/node_modules\/(?:undici|selfsigned)\//.test(file));
    assert.deepEqual(early, []);
  });
});
