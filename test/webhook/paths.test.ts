import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import helper from 'node-red-node-test-helper';
import type { NodeConfig } from '../fixtures/flow';
import { Hooks, hook } from './hooks';

const open = { auth: 'none' };

describe('webhook: paths', () => {
  let hooks: Hooks;
  beforeEach(() => {
    hooks = new Hooks();
  });
  afterEach(() => hooks.stop());

  const served = async (path: string) => (await hooks.send('GET', path)).text === '{}';

  it('answers for the path and for what is below it, and leaves all else to Node-RED', async () => {
    await hooks.start([hook('bell', { ...open, path: '/bell' })]);
    const plain = ['/bell', '/bell/', '/bell/a/b', '/bell?x', '/bell/%ZZ', '/bell/..', '/bell//'];
    for (const path of [...plain, '/bell%2F', '/bell/%2e%2e/x', '/bell%2f..%2fx']) {
      assert.equal(await served(path), true, path);
    }
    for (const path of [
      '/',
      '/bel',
      '/bells',
      '/bell.',
      '/Bell',
      '//bell',
      '/x/bell',
      '/bell%00',
      '/x/../bell',
      '/x%2F..%2Fbell',
      '/%2e/bell',
      '/bell%2e',
    ]) {
      assert.equal(await served(path), false, path);
    }
    assert.equal(hooks.passed.length, 12);
    const calls = await hooks.calls(10);
    assert.equal(calls.at(-1)?.webhook.path, '/bell%2f..%2fx');
  });

  it('leaves all to Node-RED as it was when there is no webhook any more', async () => {
    const bell = hook('bell', { ...open, path: '/bell' });
    await hooks.start([bell]);
    await hooks.redeploy([]);
    assert.equal(await served('/bell'), false);
    assert.deepEqual(hooks.passed, ['/bell']);
  });

  it('compares paths decoded', async () => {
    const twice = hook('twice', { ...open, path: '/%2561' });
    await hooks.start([hook('bell', { ...open, path: '/b%65ll/a b/ö' }), twice]);
    for (const path of ['/bell/a%20b/%C3%B6', '/%62ell/a%20b/%c3%b6', '/bell%2Fa%20b/%C3%B6/x']) {
      assert.equal(await served(path), true, path);
    }
    assert.deepEqual(
      [await served('/%2561'), await served('/a'), await served('/%61')],
      [true, false, false],
    );
    const [, second] = await hooks.calls(4);
    assert.equal(second?.webhook.path, '/%62ell/a%20b/%c3%b6');
  });

  it('gives a request to the longest of nested paths', async () => {
    await hooks.start(
      [hook('outer', { ...open, path: '/bell' }), hook('inner', { auth: 'token', path: '/bell/in' })],
      { inner: { password: 'sesame' } },
    );
    assert.equal((await hooks.send('GET', '/bell/inner')).status, 200);
    for (const path of ['/bell/in', '/bell/in/x', '/bell/%69n', '/bell%2fin', '/bell/in%2Fx']) {
      assert.equal((await hooks.send('GET', path)).status, 401, path);
    }
    await hooks.calls(1);
  });

  it('is below the root of the HTTP nodes', async () => {
    await hooks.start([hook('bell', { ...open, path: 'bell/' })], {}, { httpNodeRoot: '/red/' });
    assert.equal(await served('/bell'), false);
    assert.equal(await served('/red/bell'), true);
    const [call] = await hooks.calls(1);
    assert.equal(call?.webhook.path, '/red/bell');
  });

  const unserved: readonly (readonly [string, object, object])[] = [
    ['a path that is the editor', { path: '/admin' }, { httpAdminRoot: '/admin/' }],
    ['a path above the editor', { path: '/a' }, { httpAdminRoot: '/a/b/' }],
    ['an encoded path above the editor', { path: '/%61' }, { httpAdminRoot: '/a/b/' }],
    ['a path with dots', { path: '/a/../b' }, {}],
    ['a path with encoded dots', { path: '/a/%2e%2e/b' }, {}],
    ['a path with an empty part', { path: '/a//b' }, {}],
    ['a path with a query', { path: '/a?b=1' }, {}],
    ['a path with a control character', { path: '/a%0Ab' }, {}],
    ['a variable that is not set', { path: '${NOT_SET_ANYWHERE}' }, {}],
    ['an unknown authentication', { path: '/a', auth: 'digest' }, {}],
    ['a tolerance of nothing', { path: '/a', tolerance: 0 }, {}],
    ['a tolerance that is no number', { path: '/a', tolerance: 'long' }, {}],
    ['a cooldown below 0', { path: '/a', cooldown: -1 }, {}],
    ['HTTP nodes that are off', { path: '/a' }, { httpNodeRoot: false }],
  ];
  for (const [what, properties, settings] of unserved) {
    it(`does not serve ${what}, and shows it`, async () => {
      await hooks.start([hook('bell', { ...open, ...properties })], {}, { ...settings });
      for (const path of ['/admin', '/a', '/a/b', '/b', '/bell', '/algo/bell']) {
        assert.equal(await served(path), false, path);
      }
      assert.deepEqual(hooks.status('bell'), { fill: 'red', shape: 'ring', text: 'status.notServed' });
      const lines = helper.log().args.map(([{ msg }]) => String(msg));
      assert.equal(lines.filter((line) => /this webhook receives nothing/.test(line)).length, 1);
    });
  }

  it('serves a path next to the editor and one below it', async () => {
    await hooks.start(
      [hook('beside', { ...open, path: '/adm' }), hook('below', { ...open, path: '/admin/settings' })],
      {},
      { httpAdminRoot: '/admin/' },
    );
    assert.equal(await served('/adm'), true);
    assert.equal(await served('/admin/settings'), true);
    assert.equal(await served('/admin'), false);
    assert.equal(await served('/admin/flows'), false);
  });

  it('shows who is let in', async () => {
    await hooks.start(
      [
        hook('all', { ...open, path: '/all' }),
        hook('some', { ...open, path: '/some', from: ['x'] }),
        hook('locked', { path: '/locked' }),
      ],
      { locked: { password: 'sesame' } },
    );
    assert.deepEqual(hooks.status('all'), { fill: 'yellow', shape: 'dot', text: 'status.open' });
    assert.deepEqual(hooks.status('some'), { fill: 'green', shape: 'dot', text: 'status.ready' });
    assert.deepEqual(hooks.status('locked'), { fill: 'green', shape: 'dot', text: 'status.ready' });
  });

  describe('that two nodes have', () => {
    const a = hook('a', { ...open, path: '/bell', wires: [['first'], []] });
    const b = hook('b', { ...open, path: '/%62ell/', wires: [['second'], []] });
    const waits = { fill: 'yellow', shape: 'ring', text: 'status.taken' };
    const works = { fill: 'yellow', shape: 'dot', text: 'status.open' };
    const reached = async () => {
      const before = [hooks.first.length, hooks.second.length];
      await hooks.send('GET', '/bell');
      await hooks.until('one of them has it', () => hooks.first.length + hooks.second.length > sum(before));
      return hooks.first.length > (before[0] ?? 0) ? 'a' : 'b';
    };
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

    it('belong to the first in the flow; the later one waits and shows it', async () => {
      await hooks.start([a, b]);
      assert.deepEqual([hooks.status('a'), hooks.status('b')], [works, waits]);
      assert.equal(await reached(), 'a');
    });

    it('go to the later one when a deploy removes the first', async () => {
      await hooks.start([a, b]);
      await hooks.redeploy([b]);
      assert.deepEqual(hooks.status('b'), works);
      assert.equal(await reached(), 'b');
    });

    for (const type of ['nodes', 'full'] as const) {
      it(`stay with the first when a deploy (${type}) only changes it`, async () => {
        await hooks.start([a, b]);
        await hooks.redeploy([{ ...a, name: 'changed' }, b], type);
        assert.deepEqual([hooks.status('a'), hooks.status('b')], [works, waits]);
        assert.equal(await reached(), 'a');
      });
    }

    it('go to the one that a deploy puts before', async () => {
      await hooks.start([b]);
      assert.equal(await reached(), 'b');
      await hooks.redeploy([a, b]);
      assert.deepEqual([hooks.status('a'), hooks.status('b')], [works, waits]);
      assert.equal(await reached(), 'a');
    });
  });

  it('loses no request to a deploy that restarts only the node behind', async () => {
    await hooks.start([hook('bell', { auth: 'none', path: '/bell', wires: [['behind'], []] }), behind(0)]);
    let accepted = 0;
    let received = 0;
    const heard = new WeakSet<object>();
    const hear = () => {
      const node = helper.getNode('behind');
      if (!node || heard.has(node)) return;
      heard.add(node);
      node.on('input', () => {
        received += 1;
      });
    };
    hear();
    let isOver = false;
    const press = async () => {
      while (!isOver) {
        if ((await hooks.send('GET', '/bell')).status === 200) accepted += 1;
        hooks.look();
      }
    };
    const presses = [press(), press(), press()];
    // The new node listens before the requests that wait go on.
    const { _events: events } = helper as unknown as { readonly _events: EventEmitter };
    events.prependListener('flows:started', hear);
    for (let count = 1; count <= 20; count += 1) {
      await hooks.redeploy([
        hook('bell', { auth: 'none', path: '/bell', wires: [['behind'], []] }),
        behind(count),
      ]);
      // What was accepted at the end of this deploy is delivered before the next one begins.
      const before = accepted;
      await hooks.until('a request is accepted after the deploy', () => accepted > before);
    }
    isOver = true;
    await Promise.all(presses);
    events.off('flows:started', hear);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    assert.ok(accepted > 0);
    assert.equal(received, accepted);
  });
});

/** A node behind a webhook that a deploy restarts if its name changes. */
function behind(count: number): NodeConfig {
  return { id: 'behind', type: 'helper', z: 'tab', x: 1, y: 1, name: String(count) };
}
