import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const place = { z: 'tab', x: 200, y: 100, wires: [[], []] };
const usual = {
  ...{ name: '', target: 'device', device: 'horn', group: '', targets: [] },
  ...{ interval: '300', misses: '3', clock: '15', certificateDays: '30' },
  ...{ firmware: '', sip: false, settings: {}, files: [] },
};
const watch = (id: string, more: object = {}): FlowNode => ({
  ...place,
  ...usual,
  id,
  type: 'algo-supervision',
  ...more,
});

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Supervisions' },
  { id: 'virtual', type: 'algo-virtual-device', name: 'Panel', model: '8301', auth: 'none', port: '0' },
  { id: 'horn', type: 'algo-device', name: 'Yard horn', virtual: 'virtual' },
  watch('usual'),
  watch('off', { clock: '', certificateDays: '', target: 'several', targets: ['horn', 'tag:yard'] }),
  watch('full', {
    sip: true,
    firmware: '5.5',
    settings: { 'audio.page.vol': '-12dB', 'sip.u1.pwd': '${SECRET}', level: 5 },
    files: ['tones/a.wav', { path: 'tones/b.wav', md5: '0'.repeat(32) }],
  }),
  watch('of-environment', { interval: '${A}', misses: '${B}', clock: '${C}', sip: '${D}', firmware: '${E}' }),
  watch('no-list', { settings: '${ALL}', files: 'tones/a.wav' }),
  { ...place, id: 'bare', type: 'algo-supervision', device: 'horn' },
  watch('wrong', {
    ...{ interval: '9', misses: '0', clock: '0', certificateDays: '-1', firmware: 'new' },
    ...{ settings: { 'sip.u1.pwd': 'mice' }, files: [{ path: 'a', md5: 'b' }] },
  }),
];

describe('the dialog of a supervision', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  const form = () => editor.page.locator('#dialog-form');
  const table = (kind: 'settings' | 'files') => form().locator(`.algo-expected-${kind}`);
  const cell = (kind: 'settings' | 'files', column: string, row: number) => {
    const words = { column: wording(`supervision:rows.${column}`), row: String(row) };
    const label = wording('rows:rows.cell', words);
    return table(kind).getByLabel(label, { exact: true });
  };
  const add = (kind: 'settings' | 'files') =>
    table(kind)
      .getByRole('button', { name: wording('rows:rows.add') })
      .click();

  for (const { id } of flow.slice(3, -1)) {
    it(`leaves "${id}" as it was`, async () => {
      const before = await editor.stored(id);
      await editor.edit(id);
      assert.deepEqual(await cutIn(editor.page), []);
      assert.deepEqual(namelessIn(await snapshotOf(form())), []);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
      assert.equal(before.changed, false);
    });
  }

  it('says what is wrong', async () => {
    assert.equal(((await editor.stored('wrong')).problems as string[]).length, 7);
    for (const id of ['usual', 'off', 'full', 'of-environment', 'bare'])
      assert.deepEqual((await editor.stored(id)).problems, [], id);
  });

  it('stores settings and files', async () => {
    await editor.edit('usual');
    await add('settings');
    await cell('settings', 'setting', 1).fill('audio.page.vol');
    await cell('settings', 'expected', 1).fill('-9dB');
    await add('files');
    await cell('files', 'path', 1).fill('tones/a.wav');
    await add('files');
    await cell('files', 'path', 2).fill('tones/b.wav');
    await cell('files', 'md5', 2).fill('1'.repeat(32));
    await add('files');
    await editor.done();
    const stored = JSON.stringify(await editor.stored('usual'));
    assert.match(stored, /"settings":\{"audio\.page\.vol":"-9dB"\}/);
    assert.match(stored, /"files":\["tones\/a\.wav",\{"path":"tones\/b\.wav","md5":"1{32}"\}\]/);
  });
});
