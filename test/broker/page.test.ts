import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NodeConfig } from '../fixtures/flow';
import { type NodeRed, startNodeRed } from '../fixtures/node-red';
import { root } from '../fixtures/pack';
import { Mosquitto } from './mosquitto';
import { Sidebar } from './sidebar';

type Answers = Record<string, { outcome: string; receipts: { device: string; outcome: string }[] }>;

/** What the page tells its reader to copy, by kind and in order. */
function blocks(kind: string): string[] {
  const page = readFileSync(path.join(root, 'docs', 'many-sites.md'), 'utf8');
  const fence = new RegExp(`^\`\`\`${kind}\\n([^\`]*)^\`\`\``, 'gm');
  return [...page.matchAll(fence)].map(([, text = '']) => text);
}

/** A Node-RED into which somebody imports a flow and deploys it. */
class Reader {
  private constructor(
    private readonly nodeRed: NodeRed,
    private readonly address: string,
    readonly sidebar: Sidebar,
  ) {}

  static async start(): Promise<Reader> {
    const nodeRed = await startNodeRed([]);
    const address = nodeRed.url.replace(/\/$/, '');
    return new Reader(nodeRed, address, await Sidebar.open(address));
  }

  deploy(flow: readonly object[]): Promise<void> {
    return this.sidebar.afterDeploy(() => this.#post(flow));
  }

  async #post(flow: readonly object[]): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${this.address}/flows`, {
      method: 'POST',
      headers,
      body: JSON.stringify(flow),
    });
    assert.ok(answer.ok, await answer.text());
  }

  /** Presses the button of an inject node, and gives what a debug node shows then. */
  async press(id: string, shownBy: string): Promise<unknown> {
    const shown = this.sidebar.next(shownBy);
    assert.equal((await fetch(`${this.address}/inject/${id}`, { method: 'POST' })).status, 200);
    return shown;
  }

  /** Whether the virtual device flashes. */
  async flashes(): Promise<boolean> {
    const answer = await fetch(`${this.address}/algo/virtual/site-virtual/state`);
    return ((await answer.json()) as { state: { strobe: unknown } }).state.strobe !== null;
  }

  async end(): Promise<void> {
    this.sidebar.close();
    await this.nodeRed.stop();
  }
}

describe('docs/many-sites.md does what it says', () => {
  let mosquitto: Mosquitto;
  let [north, south, centre]: Reader[] = [];
  const readers = () => [north, south, centre].filter((one) => one !== undefined);

  /** A block of the page as a reader of it deploys it. */
  const flow = (text: string | undefined, change: (node: NodeConfig) => object = () => ({})) =>
    (JSON.parse(text ?? '') as NodeConfig[]).map((node) => ({
      ...node,
      ...(node.type === 'mqtt-broker' && { port: String(mosquitto.port) }),
      ...change(node),
    }));
  const inSouth = ({ type }: NodeConfig) => (type === 'algo-site' ? { site: 'south' } : {});
  const outcomes = (answers: unknown) =>
    Object.entries(answers as Answers).map(([site, { outcome }]) => `${site} ${outcome}`);
  const flashing = () => Promise.all([north, south].map((site) => site?.flashes()));

  beforeEach(async () => {
    mosquitto = await Mosquitto.prepare();
    [north, south, centre] = await Promise.all([Reader.start(), Reader.start(), Reader.start()]);
  });
  afterEach(async () => {
    await Promise.all(readers().map((reader) => reader.end().catch(() => {})));
    await mosquitto.end();
  });

  it('takes a reader from one Node-RED to two sites', async () => {
    const [first = ''] = blocks('conf');
    assert.match(first, /^listener 1883$/m);
    await mosquitto.start(first.replace(/^listener 1883$/m, `listener ${mosquitto.port} 127.0.0.1`));
    const [atSite, atCentre] = blocks('flow');
    await north?.deploy(flow(atSite));
    await north?.sidebar.shows('site-north', 'active');
    await south?.deploy(flow(atSite, inSouth));
    await south?.sidebar.shows('site-north', 'active');
    await centre?.deploy(flow(atCentre));
    assert.deepEqual(await flashing(), [false, false]);
    assert.deepEqual(outcomes(await centre?.press('centre-lockdown', 'Results by site')), [
      'north accepted',
      'south accepted',
    ]);
    assert.deepEqual(await flashing(), [true, true]);
    assert.deepEqual(outcomes(await centre?.press('centre-all-clear', 'Results by site')), [
      'north accepted',
      'south accepted',
    ]);
    assert.deepEqual(await flashing(), [false, false]);
    await south?.end();
    south = undefined;
    const failed = await centre?.press('centre-lockdown', 'Errors');
    // A centre that has not heard yet that the site's instance is gone cannot rule out that it took the job.
    assert.match(
      String(failed),
      /the site did not (?:accept it|respond) in time: alert\/start; the site is "south"/,
    );
    assert.deepEqual(await north?.flashes(), true);
  });

  it('sets up TLS, and a user for each site who may do only what is theirs', async () => {
    const { directory, port } = mosquitto;
    const here = (text = '') =>
      text.replaceAll('/etc/mosquitto', directory).replaceAll(/\bDNS:broker\.example\.org/g, 'IP:127.0.0.1');
    const [, second = ''] = blocks('conf');
    const [acl = ''] = blocks('acl');
    await mosquitto.write('acl', acl);
    const isRoot = process.getuid?.() === 0;
    const script = here(blocks('sh')[0]).replace(/^chown .*$/m, isRoot ? '$&' : '');
    const ran = spawnSync('sh', ['-ec', script], { encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(second, /^listener 8883$/m);
    await mosquitto.start(here(second).replace(/^listener 8883$/m, `listener ${port} 127.0.0.1`));

    /** The broker node with what the page says to put into it. */
    const secured = (user: string, node: NodeConfig) => {
      const password = readFileSync(path.join(directory, `${user}.password`), 'utf8').trim();
      return node.type === 'mqtt-broker' && { usetls: true, tls: 'tls', credentials: { user, password } };
    };
    const tls = {
      id: 'tls',
      type: 'tls-config',
      cert: '',
      key: '',
      ca: path.join(directory, 'ca.crt'),
      verifyservercert: true,
    };
    const [atSite, atCentre] = blocks('flow');
    await north?.deploy([tls, ...flow(atSite, (node) => secured('north', node) || {})]);
    // Somebody with the password of the north who says that he is the south.
    await south?.deploy([tls, ...flow(atSite, (node) => secured('north', node) || inSouth(node))]);
    await centre?.deploy([tls, ...flow(atCentre, (node) => secured('centre', node) || {})]);
    await north?.sidebar.shows('site-north', 'active');
    await south?.sidebar.shows('site-north', 'no read access');
    await south?.deploy([tls, ...flow(atSite, (node) => secured('south', node) || inSouth(node))]);
    await south?.sidebar.shows('site-north', 'active');
    assert.deepEqual(outcomes(await centre?.press('centre-lockdown', 'Results by site')), [
      'north accepted',
      'south accepted',
    ]);
    assert.deepEqual(await flashing(), [true, true]);
  });

  it('says that a site has no read access which may write and not read', async () => {
    const [first = ''] = blocks('conf');
    await mosquitto.write('acl', 'topic write algo/#\n');
    const listener = `listener ${mosquitto.port} 127.0.0.1\nacl_file ${mosquitto.directory}/acl`;
    await mosquitto.start(first.replace(/^listener 1883$/m, listener));
    await north?.deploy(flow(blocks('flow')[0]));
    await north?.sidebar.shows('site-north', 'no read access');
  });
});
