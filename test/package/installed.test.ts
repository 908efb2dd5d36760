import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { exampleFiles, titleOf } from '../fixtures/examples';
import { InstalledNodeRed } from '../fixtures/installed-node-red';
import { moduleName, root } from '../fixtures/pack';
import { describeLibrary } from './as-library';

interface NodeSet {
  readonly id: string;
  readonly module: string;
  readonly types: readonly string[];
  readonly enabled: boolean;
  readonly err?: unknown;
}

interface FlowNode {
  readonly id: string;
  readonly type: string;
}

describe('the package installed into a user directory', () => {
  let nodeRed: InstalledNodeRed;
  let names: string[];

  before(async () => {
    const manifest: { 'node-red': { nodes: Record<string, string> } } = JSON.parse(
      await readFile(path.join(root, 'package.json'), 'utf8'),
    );
    names = Object.keys(manifest['node-red'].nodes);
    nodeRed = await InstalledNodeRed.start();
  });

  after(() => nodeRed?.stop());

  it('loads each set of nodes, one type each, without an error', async () => {
    const all: NodeSet[] = JSON.parse(await nodeRed.get('/nodes'));
    const ours = all.filter(({ module }) => module === moduleName);
    assert.deepEqual(
      ours.map(({ id, types, enabled, err }) => ({ id, types, enabled, err })),
      names.map((name) => ({
        id: `${moduleName}/${name}`,
        types: [`algo-${name}`],
        enabled: true,
        err: undefined,
      })),
    );
    assert.ok(ours.length >= 4);
  });

  it('brings the dialog and the help of each node to the editor', async () => {
    for (const name of names) {
      const page = await nodeRed.get(`/nodes/${moduleName}/${name}`, 'text/html');
      assert.ok(page.includes(`data-template-name="algo-${name}"`), name);
      assert.ok(page.includes(`data-help-name="algo-${name}"`), name);
    }
  });

  it('brings the words of each node to the editor', async () => {
    const words: Record<string, Record<string, unknown>> = JSON.parse(
      await nodeRed.get('/nodes/messages?lng=en-US'),
    );
    for (const name of names) {
      const ours = words[`${moduleName}/${name}`];
      assert.ok(ours && Object.keys(ours).length > 0, `${name} has no words`);
    }
  });

  it('serves our own icons, among them the one of each node', async () => {
    const sources = await readdir(path.join(root, 'icons'));
    for (const icon of sources) {
      const served = await nodeRed.get(`/icons/${moduleName}/${icon}`, 'image/svg+xml');
      assert.equal(served, await readFile(path.join(root, 'icons', icon), 'utf8'), icon);
    }
    const pages = await Promise.all(
      names.map((name) => nodeRed.get(`/nodes/${moduleName}/${name}`, 'text/html')),
    );
    const used = pages.flatMap((page) => [...page.matchAll(/\bicon: "([^"/]+)"/g)].map(([, icon]) => icon));
    assert.ok(used.length >= 2);
    assert.deepEqual(
      used.filter((icon) => !sources.includes(String(icon))),
      [],
    );
  });

  it('brings the script that the dialogs share', async () => {
    const plugins: NodeSet[] = JSON.parse(await nodeRed.get('/plugins'));
    const ours = plugins.find(({ id }) => id === `${moduleName}/algo-forms`);
    assert.equal(ours?.enabled, true);
    assert.equal(ours.err, undefined);
    const page = await nodeRed.get('/plugins', 'text/html');
    assert.ok(page.includes('algoForm'));
  });

  /** Without a broker nothing happens: `npm run test:broker` has one. */
  const wantsBroker = (file: string): boolean =>
    readFileSync(path.join(root, file), 'utf8').includes('"mqtt-broker"');
  /** Dashboard and the e-mail nodes, without which the flow does not start; a token, without which it does nothing. */
  const wantsMore = (file: string): boolean =>
    /"type": "(?:ui-|e-mail")|MAIL_TOKEN/.test(readFileSync(path.join(root, file), 'utf8'));

  it('offers the examples that the repository holds', async () => {
    const list = async (folder: string): Promise<(string | { fn: string })[]> =>
      JSON.parse(await nodeRed.get(`/library/examples/flows/${moduleName}/${encodeURIComponent(folder)}`));
    const folders = (await list('')).map(String);
    const listed = await Promise.all(
      folders.map(async (folder) =>
        (await list(folder)).map((entry) => `examples/${folder}/${Object(entry).fn}.json`),
      ),
    );
    assert.ok(folders.length > 5);
    assert.deepEqual(listed.flat().sort(), exampleFiles);
  });

  for (const file of exampleFiles.filter((one) => !wantsBroker(one) && !wantsMore(one))) {
    it(`runs "${titleOf(file)}" as it is, and its button makes a virtual device do something`, async () => {
      const [, folder = '', name = ''] = /^examples\/(.*)\/(.*)\.json$/.exec(file) ?? [];
      const inMenu = `${encodeURIComponent(folder)}/${encodeURIComponent(name)}`;
      const place = `/library/examples/flows/${moduleName}/${inMenu}`;
      // Examples with a webhook call Node-RED at its usual port.
      const { host } = new URL(nodeRed.address);
      const nodes: FlowNode[] = JSON.parse((await nodeRed.get(place)).replaceAll('127.0.0.1:1880', host));
      const output = await nodeRed.deploy(nodes);
      assert.doesNotMatch(output, /missing types/);
      const button = nodes.find(({ type }) => type === 'inject');
      assert.ok(button, 'there is no button to press');
      const from = nodeRed.program.output.length;
      await nodeRed.post(`/inject/${button.id}`);
      const [line] = await nodeRed.program.waitForOutput(/(?:GET|POST|PUT) \/api\/.* -> \d+/, from);
      assert.match(line, /-> 20[04]$/);
    });
  }

  describe('as a library', () => describeLibrary(() => nodeRed));
});
