import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../fixtures/package';

/** A process of the bench. */
interface Subject {
  ask<T>(name: string, input?: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** The files that a real Node-RED has loaded, with the package or without, and with this flow. */
async function modulesOfStart(ours: string | undefined, flow: readonly object[] = []): Promise<string[]> {
  const file = pathToFileURL(path.join(root, 'bench/processes/parent.mjs')).href;
  const { start }: { start(file: string): Subject } = await import(file);
  const nodeRed = require.resolve(process.env.ALGO_NODE_RED || 'node-red');
  const subject = start('processes/node-red.mjs');
  try {
    await subject.ask('deploy', { nodeRed, ours, flow, credentials: {} });
    return await subject.ask<string[]>('modules');
  } finally {
    await subject.stop();
  }
}

/** Each module is a file to find, read and compile, at every start of every user: more of them need a reason. */
const mostModules = 35;
/** With one device in a flow, which is what a first message needs besides its own kind. */
const mostWithDevice = 166;

describe('what a start of Node-RED loads for this package, counted', () => {
  let ours: string[];
  let others: string[];

  before(async () => {
    const without = new Set(await modulesOfStart(undefined));
    const more = (await modulesOfStart(root)).filter((file) => !without.has(file));
    ours = more.filter((file) => file.startsWith(path.join(root, 'dist/')));
    others = more.filter((file) => file.includes('/node_modules/'));
  });

  it('is all nodes, and no more modules than it was', () => {
    assert.ok(ours.includes(path.join(root, 'dist/nodes/door.js')));
    assert.ok(ours.length <= mostModules, `${ours.length} modules: ${ours.join(', ')}`);
  });

  it('is nothing of others: what sends, or makes certificates, waits until it is needed', () => {
    assert.deepEqual(others, []);
  });

  it('is also what sends, once there is a device: its first message may be an alarm', async () => {
    const device = { id: 'device', type: 'algo-device', name: 'Gate', address: '127.0.0.1', auth: 'none' };
    const files = await modulesOfStart(root, [device]);
    const loaded = files.map((file) => path.relative(root, file).split(path.sep).join('/'));
    const own = loaded.filter((file) => file.startsWith('dist/'));
    assert.ok(own.length <= mostWithDevice, `${own.length} modules`);
    const needless = /^dist\/src\/(?:runtime\/(?:overview|alert|bells|sites)|virtual-device|bells|sites)\//;
    assert.deepEqual(
      own.filter((file) => needless.test(file)),
      [],
    );
    assert.ok(loaded.includes('node_modules/undici/lib/dispatcher/client.js'));
    assert.ok(!loaded.includes('node_modules/undici/index.js'), 'all of undici is loaded');
  });
});
