import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { Hooks, hook } from './hooks';

describe('webhook: requests of the editor', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  const open = { auth: 'none' };
  const ask = async (path: string, referer: string, method = 'GET') =>
    (await hooks.send(method, path, '', { Referer: referer })).text;
  const warnings = () =>
    helper
      .log()
      .args.map(([{ msg }]) => String(msg))
      .filter((line) => /this webhook left to Node-RED/.test(line));

  it('are left to the editor, whatever the path, and the node warns once', async () => {
    await hooks.start([hook('flows', { ...open, path: '/flows' }), hook('algo', { ...open, path: '/algo' })]);
    for (const path of ['/flows', '/flows/state', '/algo/devices']) {
      assert.equal(await ask(path, `${hooks.url}/`, 'POST'), 'Node-RED');
      assert.equal(await ask(path, `${hooks.url}/?a=b`), 'Node-RED');
      assert.equal((await hooks.send('POST', path)).text, '{}');
    }
    await hooks.calls(3);
    assert.deepEqual(
      warnings().map((line) => /the page of the editor sent a request to (\S+),/.exec(line)?.[1]),
      ['/flows', '/algo/devices'],
    );
  });

  it('are left to an editor at another root', async () => {
    const roots = { httpAdminRoot: '/admin/' };
    await hooks.start([hook('settings', { ...open, path: '/admin/settings' })], {}, roots);
    assert.equal(await ask('/admin/settings', `${hooks.url}/admin/`), 'Node-RED');
    assert.equal(await ask('/admin/settings', `${hooks.url}/admin`), 'Node-RED');
    assert.equal(await ask('/admin/settings', `${hooks.url}/`), '{}');
  });

  it('are not those of other pages and servers', async () => {
    await hooks.start([hook('flows', { ...open, path: '/flows' })]);
    // A URL parser would take this spelling for the host of the editor.
    const encoded = hooks.url.replace(/\d(?=\.)/, (digit) => `%3${digit}`);
    assert.equal(new URL(encoded).origin, hooks.url);
    const pages = [
      `${encoded}/`,
      `${hooks.url}/dashboard`,
      `${hooks.url}/flows`,
      'http://other.example/',
      '/',
      'x',
      '',
    ];
    for (const referer of pages) assert.equal(await ask('/flows', referer), '{}', referer);
    await hooks.calls(pages.length);
    assert.deepEqual(warnings(), []);
  });

  it('are not those of an operator page at the root, where the editor is disabled', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })], {}, { disableEditor: true });
    assert.equal(await ask('/bell', `${hooks.url}/`), '{}');
  });

  it('do not exist without an editor', async () => {
    await hooks.start([hook('flows', { ...open, path: '/flows' })], {}, { httpAdminRoot: false });
    assert.equal(await ask('/flows', `${hooks.url}/`), '{}');
  });
});
