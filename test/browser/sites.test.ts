import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { keyOfSite } from '../../src/sites/signing';
import type { FlowNode } from '../fixtures/node-red';
import { root } from '../fixtures/pack';
import { wording } from '../fixtures/wording';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const onTab = { z: 'tab', x: 200, y: 100, wires: [[], []] };
const site = { ...onTab, type: 'algo-site', name: '', broker: 'broker', site: 'north', rank: '0' };
const remote = { ...onTab, type: 'algo-remote', name: '', broker: 'broker', sites: 'north', devices: '' };
const others = { knownSites: '', prefix: 'algo/v2', ttl: '60' };
const lists = { allow: 'emergency, door/lock', alerts: 'Lockdown', prefix: 'algo/v2' };
const flash = { operation: 'strobe/start', parametersType: 'msg', parameters: 'payload' };

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Sites', disabled: true },
  {
    ...{ id: 'broker', type: 'mqtt-broker', name: 'Broker', broker: '127.0.0.1', port: '1883', clientid: '' },
    ...{ autoConnect: false, usetls: false, protocolVersion: '5', keepalive: '60', cleansession: true },
  },
  { ...site, ...lists, id: 'site' },
  { ...site, ...lists, id: 'site-of-environment', site: '${SITE}', rank: '${RANK}' },
  { ...site, ...lists, id: 'wrong-site', site: 'a/b', rank: 'first' },
  { ...remote, ...others, id: 'lockdown', job: { alert: 'Lockdown', action: 'clear' } },
  { ...remote, ...others, id: 'start', job: { alert: 'Lockdown', action: 'start' } },
  { ...remote, ...others, id: 'flash', job: flash },
  { ...remote, ...others, id: 'with-priority', job: { alert: 'Lockdown', action: 'start', priority: 9 } },
  { ...remote, ...others, id: 'remote-of-environment', job: '${JOB}', ttl: '${TTL}' },
  { ...remote, ...others, id: 'wrong-remote', job: { alert: '' }, ttl: '0' },
  { ...remote, ...others, id: 'untouched', job: {} },
  { ...remote, ...others, id: 'signed', job: { alert: 'Lockdown', action: 'start' }, knownSites: 'south' },
];
const secret = 'a secret that nobody guesses';

describe('the dialogs of many sites', () => {
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  const form = () => editor.page.locator('#dialog-form');
  const field = (name: string) => form().getByLabel(name, { exact: true });
  const priority = () => form().locator('.algo-remote-start').getByLabel('Priority', { exact: true }).first();

  for (const { id } of flow.slice(2)) {
    it(`leave "${id}" as it was`, async () => {
      const before = await editor.stored(id);
      await editor.edit(id);
      assert.deepEqual(await cutIn(editor.page), []);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
      assert.equal(before.changed, false);
    });
  }

  it('say what is wrong, and nothing of what an environment variable brings', async () => {
    const problemsOf = async (id: string) => (await editor.stored(id)).problems as string[];
    assert.equal((await problemsOf('wrong-site')).length, 2);
    assert.equal((await problemsOf('wrong-remote')).length, 2);
    for (const id of ['site', 'site-of-environment', 'lockdown', 'flash', 'remote-of-environment'])
      assert.deepEqual(await problemsOf(id), [], id);
  });

  it('store what a person chooses, and show it again', async () => {
    await editor.edit('untouched');
    await field('Action').selectOption({ label: wording('remote:action.clear') });
    await field('Alert').fill('Lockdown');
    await field('Sites').fill('*');
    await editor.done();
    const stored = await editor.stored('untouched');
    assert.deepEqual([stored.job, stored.sites], [{ alert: 'Lockdown', action: 'clear' }, '*']);
    assert.deepEqual(stored.problems, []);
    await editor.edit('untouched');
    assert.equal(await field('Action').inputValue(), 'clear');
    assert.equal(await field('Alert').inputValue(), 'Lockdown');
    assert.equal(await field('Job').isVisible(), false);
    await field('Action').selectOption({ label: wording('remote:action.other') });
    assert.equal(await field('Alert').isVisible(), false);
    assert.equal(await priority().isVisible(), false);
    await field('Job').fill(JSON.stringify(flash));
    await editor.done();
    assert.deepEqual((await editor.stored('untouched')).job, flash);
    await editor.edit('site');
    await field('Site').fill('south');
    await field('Failover order').fill('1');
    await editor.done();
    const { site: name, rank } = await editor.stored('site');
    assert.deepEqual([name, rank], ['south', '1']);
  });

  it('store the priority of a start, or the property of the message that holds it', async () => {
    await editor.edit('start');
    assert.equal(await priority().inputValue(), '');
    await priority().fill('9');
    await editor.done();
    const before = await editor.stored('start');
    assert.deepEqual([before.priority, before.priorityType, before.problems], ['9', undefined, []]);
    await editor.edit('start');
    await editor.choose(form().locator('.algo-remote-start .red-ui-typedInput-type-select'), 'msg.');
    await priority().fill('level');
    await editor.done();
    const after = await editor.stored('start');
    assert.deepEqual([after.priority, after.priorityType, after.problems], ['level', 'msg', []]);
    await editor.edit('start');
    await field('Action').selectOption({ label: wording('remote:action.clear') });
    assert.equal(await priority().isVisible(), false);
    await editor.done('#node-dialog-cancel');
  });

  for (const id of ['start', 'lockdown', 'flash', 'site']) {
    it(`lead to every box of "${id}" by Tab, and name it`, async () => {
      await editor.edit(id);
      assert.deepEqual(namelessIn(await snapshotOf(form())), []);
      const wanted: string[] = await editor.page.evaluate(`
        [...document.querySelectorAll('#dialog-form .form-row :is(input, select, textarea)')]
          .filter((box) => box.offsetParent && box.id).map(({ id }) => id)`);
      assert.ok(wanted.length > 6);
      await editor.page.locator('#node-input-name').focus();
      const reached = new Set<string>();
      for (let presses = 0; presses < 2 * wanted.length + 4; presses += 1) {
        reached.add(await editor.page.evaluate('document.activeElement.id'));
        await editor.page.keyboard.press('Tab');
      }
      assert.deepEqual(
        wanted.filter((one) => !reached.has(one)),
        [],
      );
      await editor.done('#node-dialog-cancel');
    });
  }

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      await editor.edit('lockdown');
      const ratios = await contrasts(editor.page, '#dialog-form :is(label, .algo-hint, input, select)');
      assert.ok(ratios.length > 10);
      for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
      await editor.done();
    });
  }

  it('show the keys of the sites to be copied, which are in no flow and in no log', async () => {
    const { page } = editor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const exported = () =>
      page.evaluate<string>('JSON.stringify(RED.nodes.createExportableNodeSet([RED.nodes.node("signed")]))');
    const before = await exported();
    await editor.edit('signed');
    await field('Secret').fill(secret);
    const show = form().getByRole('button', { name: wording('remote:keys.show') });
    await show.press('Enter');
    const keys = ['north', 'south'].map((site) => keyOfSite(secret, site));
    for (const [index, site] of ['north', 'south'].entries()) {
      await field(site).click();
      await page.keyboard.press('Control+C');
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), keys[index]);
    }
    await show.press('Enter');
    await page.waitForFunction('$.active === 0');
    assert.equal(await form().locator('#algo-remote-keys input').count(), 2);
    assert.deepEqual(await cutIn(page), []);
    await editor.done('#node-dialog-cancel');
    assert.equal(await exported(), before);

    await editor.edit('signed');
    await field('Secret').fill(secret);
    await show.press('Enter');
    await field('north').waitFor();
    await editor.done();
    const flows = await exported();
    for (const word of [secret, ...keys]) {
      assert.ok(!flows.includes(word), flows);
      assert.ok(!shared.nodeRed.log().includes(word), shared.nodeRed.log());
    }
  });

  it('say so where the secret is not known to the runtime', async () => {
    await editor.edit('flash');
    await field('Secret').fill('__PWRD__');
    await form()
      .getByRole('button', { name: wording('remote:keys.show') })
      .press('Enter');
    await form().getByText(wording('remote:keys.unknown')).waitFor();
    await editor.done('#node-dialog-cancel');
  });

  it('find nothing wrong with what docs/many-sites.md gives to import', async () => {
    const page = readFileSync(path.join(root, 'docs', 'many-sites.md'), 'utf8');
    const flows = [...page.matchAll(/^```flow\n([^`]*)^```/gm)].map(([, text = '']) => JSON.parse(text));
    assert.equal(flows.length, 2);
    for (const imported of flows as FlowNode[][]) {
      await editor.page.evaluate(`RED.nodes.import(${JSON.stringify(imported)})`);
      await editor.page.evaluate('RED.nodes.eachNode((node) => RED.editor.validateNode(node))');
      for (const { id, type, z } of imported) {
        if (z) assert.deepEqual((await editor.stored(id)).problems, [], type);
      }
    }
  });
});
