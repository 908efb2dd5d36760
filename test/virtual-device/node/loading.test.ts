import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const dist = path.resolve(__dirname, '../../..');

/** Registers both nodes with a stand-in for Node-RED, runs more, and says which modules of the device are loaded. */
function loadedAfter(script: string): string[] {
  const program = `
    const types = {};
    const routes = {};
    const keep = (method) => (route, handler) => { routes[method + ' ' + route] = handler; };
    const RED = {
      nodes: { createNode() {}, getNode: () => null, registerType: (name, type) => { types[name] = type; } },
      auth: { needsPermission: () => (request, response, next) => next() },
      httpAdmin: { get: keep('get'), post: keep('post') },
      _: (key) => key,
    };
    for (const name of ['virtual-device', 'virtual']) require(${JSON.stringify(dist)} + '/nodes/' + name)(RED);
    const node = { on() {}, log() {}, error() {}, status() {} };
    ${script}
    const loaded = Object.keys(require.cache).filter((file) => file.includes('/src/virtual-device/'));
    console.log(JSON.stringify(loaded.map((file) => file.split('/src/virtual-device/')[1])));
    process.exit();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

describe('the modules of the virtual device', () => {
  it('are not loaded with the nodes', () => {
    assert.deepEqual(loadedAfter(''), []);
  });

  it('are loaded with the first virtual device, or the first node that does something to one', () => {
    assert.ok(loadedAfter("types['algo-virtual-device'].call(node, {});").includes('device.js'));
    assert.ok(loadedAfter("types['algo-virtual'].call(node, {});").includes('commands.js'));
  });

  it('are loaded by whoever opens a panel', () => {
    const open = `
      const response = { setHeader() {}, writeHead: () => response, end() {} };
      const request = { params: { id: 'a' }, query: {}, originalUrl: '/algo/virtual/a', headers: {} };
      routes['get /algo/virtual/:id'](request, response, () => {});`;
    assert.ok(loadedAfter(open).includes('panel/in-editor.js'));
  });
});
