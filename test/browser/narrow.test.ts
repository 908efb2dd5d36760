import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { cutIn } from './every-width';
import { editorSessionIn } from './session';

const onTab = { z: 'tab', name: '', x: 200, y: 100, wires: [[], []] };
const action = {
  ...onTab,
  target: 'device',
  device: '',
  operation: 'lock',
  parametersType: 'form',
  form: {},
};

const group = {
  type: 'algo-group',
  name: '',
  devices: [],
  tags: '',
  auth: 'basic',
  certificate: 'any',
  timeout: 10,
  rows: [{ name: 'Halle', address: 'http://192.0.2.1', tags: '', fingerprint: '' }],
};

const strobe = {
  ...{ ...action, id: 'strobe', type: 'algo-strobe', operation: 'start' },
  form: { ledlvl: { type: 'str', value: '255' }, color2: { type: 'str', value: 'amber' } },
};

/** Where there is no device or broker yet, core's select of them holds one long sentence. */
const flow = [
  { id: 'tab', type: 'tab', label: 'Schmal', disabled: true },
  { ...onTab, id: 'remote', type: 'algo-remote', broker: '', sites: 'nord', ttl: '60' },
  { ...onTab, id: 'job', type: 'algo-remote', broker: '', job: { operation: 'strobe/msg' }, ttl: '60' },
  { ...onTab, id: 'site', type: 'algo-site', broker: '', site: 'nord', rank: '0' },
  { ...action, id: 'door', type: 'algo-door' },
  { ...action, id: 'emergency', type: 'algo-emergency', operation: 'start' },
  { ...onTab, id: 'relay-input', type: 'algo-relay-input', target: 'device', device: '' },
  { ...onTab, id: 'alert', type: 'algo-alert', target: 'device', device: '' },
  { ...group, id: 'group' },
  strobe,
];

describe('a dialog in German, on a small screen and without a device', () => {
  let editor: Editor;
  editorSessionIn('de', flow, (opened) => {
    editor = opened;
  });

  beforeEach(() => editor.page.setViewportSize({ width: 750, height: 500 }));

  for (const { id } of flow.slice(1, -2)) {
    it(`shows all of "${id}" without scrolling sideways`, async () => {
      await editor.edit(id);
      assert.deepEqual(await beyond(), []);
      assert.deepEqual(await cutIn(editor.page), []);
      await editor.done('#node-dialog-cancel');
    });
  }

  it('shows all of a group without scrolling sideways', async () => {
    await editor.editConfig('algo-group', 'group');
    assert.deepEqual(await beyond(), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.done('#node-config-dialog-cancel');
  });

  for (const id of ['group', 'emergency']) {
    it(`breaks words and buttons of "${id}" on a tablet, rather than letting them out`, async () => {
      await editor.page.setViewportSize({ width: 620, height: 900 });
      const isGroup = id === 'group';
      await (isGroup ? editor.editConfig('algo-group', id) : editor.edit(id));
      const cut = await cutIn(editor.page);
      await editor.done(isGroup ? '#node-config-dialog-cancel' : '#node-dialog-cancel');
      assert.deepEqual(
        cut.filter((one) => /^(?:algo-hint|red-ui-button) /.test(one)),
        [],
      );
    });
  }

  it('has both menus of a field beside a value that is too long for it', async () => {
    await editor.edit('strobe');
    await editor.page.getByText('255 (8128, 8138, 8410, 8420)').first().waitFor();
    assert.deepEqual(await beyond(), []);
    await editor.done('#node-dialog-cancel');
  });

  /** What reaches beyond the right edge of the form, and is not scrolled by itself. */
  function beyond(): Promise<string[]> {
    return editor.page.evaluate(`(() => {
      const form = document.querySelector('.red-ui-tray form.algo-form');
      const { right } = form.getBoundingClientRect();
      const seen = [...form.querySelectorAll('*')].filter((one) => one.checkVisibility() && !one.closest('.algo-scroll *'));
      const out = seen.filter((one) => one.getBoundingClientRect().right > right + 1);
      return out.map((one) => one.tagName + ' ' + one.id + ' ' + one.className);
    })()`);
  }
});
