import assert from 'node:assert/strict';
import { resources } from '../editor/pages';
import type { Editor } from './editor';
import { languages } from './languages';
import { leftoversIn, readIn } from './leftovers';
import { brokenLabels } from './palette-labels';
import { byForm, device, emptyTab, text } from './ruled-flow';
import { editorSessionIn } from './session';

/** The operation of a resource's node in this flow; another resource has the first of its list. */
const operations: Readonly<Record<string, string>> = {
  ...{ door: 'munlock', relay: 'menable', tone: 'upload-play', audio: 'mcast-update', call: 'start' },
  ...{ strobe: 'start', screen: 'start', emergency: 'start', console: 'activate', scheduler: 'sync' },
  ...{ settings: 'put', files: 'put', info: 'about', system: 'reboot', request: 'request' },
};

const config = ['device', 'group', 'virtual-device'];

const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) });
const forms: Readonly<Record<string, object>> = {
  scheduler: {
    tag: text('school'),
    bells: json([{ name: 'A', time: '08:00', days: 'daily', audio: 'b.wav' }]),
  },
  screen: { type: text('image'), image1: text('a.png'), strobeFlash: text('slow') },
  strobe: { pattern: text('slow'), color1: text('red'), ledlvl: text('loud') },
};

const flow = [
  emptyTab,
  { id: 'tab', type: 'tab', label: '1' },
  device,
  {
    ...device,
    id: 'again',
    name: 'Hall',
    auth: 'basic',
    address: 'http://192.0.2.1',
    model: 'abcd',
    firmware: 'x',
  },
  {
    id: 'group',
    type: 'algo-group',
    name: '3',
    devices: ['device'],
    rows: [{ name: '4', address: 'ftp://x y' }],
  },
  { id: 'virtual-device', type: 'algo-virtual-device', name: '5', model: '8301', firmware: '5.7', port: 0 },
  ...resources
    .filter((resource) => !config.includes(resource))
    .map((resource, index) => ({
      ...byForm,
      ...{
        id: resource,
        type: `algo-${resource}`,
        name: `${index}`,
        y: 40 * index,
        operation: operations[resource] ?? '',
        virtual: 'virtual-device',
        path: '/calls',
      },
      ...{
        actions: [{ operation: 'strobe/start', form: {} }],
        priority: 'x',
        interval: 0,
        ttl: -1,
        rank: -1,
      },
      form: forms[resource] ?? {},
    })),
];

for (const language of languages) {
  describe(`an editor set to ${language}`, () => {
    let editor: Editor;
    editorSessionIn(language, flow, (opened) => {
      editor = opened;
    });

    /** All that folds is opened first: what is in it is made then. */
    async function englishInDialog(): Promise<string[]> {
      const { page } = editor;
      await page.evaluate(
        `for (const one of document.querySelectorAll('.red-ui-tray details')) one.open = true`,
      );
      const add = page.locator('.algo-add-field:not([hidden]) button:visible').first();
      if ((await add.count()) > 0) {
        await add.click();
        await page.locator('.algo-fields [role="option"]').first().waitFor();
      }
      const texts = await readIn(page, '#dialog-form, #node-config-dialog-edit-form');
      assert.ok(texts.length > 3, texts.join('\n'));
      return leftoversIn(language, texts);
    }

    // A text outside the catalogues is in English in every language. French also has its own signs.
    const looked = language === 'es' ? ['device', 'tone', 'alert'] : resources;

    it('leaves nothing in English in the dialog of any node', async () => {
      const found: string[] = [];
      for (const resource of looked) {
        if (config.includes(resource)) await editor.editConfig(`algo-${resource}`, resource);
        else await editor.edit(resource);
        found.push(...(await englishInDialog()).map((one) => `${resource}: ${one}`));
        await editor.done(config.includes(resource) ? '#node-config-dialog-cancel' : '#node-dialog-cancel');
      }
      await editor.editConfig('algo-device', 'again');
      found.push(...(await englishInDialog()).map((one) => `warnings: ${one}`));
      await editor.done('#node-config-dialog-cancel');
      assert.deepEqual(found, []);
    });

    it('leaves nothing in English in what nodes are marked with, and in the palette', async () => {
      const problems: string[] = await editor.page.evaluate(
        'RED.nodes.filterNodes({}).flatMap((node) => node.validationErrors ?? [])',
      );
      assert.ok(problems.length > 5, problems.join('\n'));
      const labels = await readIn(editor.page, '.red-ui-palette-node[data-palette-type^="algo-"]');
      assert.ok(labels.length > 20);
      assert.deepEqual(leftoversIn(language, [...problems, ...labels]), []);
    });

    it('breaks the labels of the palette between words alone', async () => {
      assert.deepEqual(await brokenLabels(editor.page), []);
    });

    it('leaves nothing in English in the sidebar', async () => {
      await editor.page.evaluate('RED.sidebar.show("algo")');
      await editor.page.locator('.algo-sidebar tr[data-id="device"]').click();
      await editor.page.locator('.algo-sidebar .algo-details dl').waitFor();
      const texts = await readIn(editor.page, '.algo-sidebar');
      assert.ok(texts.length > 10);
      assert.deepEqual(leftoversIn(language, texts), []);
    });
  });
}
