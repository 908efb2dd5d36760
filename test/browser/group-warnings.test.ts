import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { bringAxe, complaintsOf } from './axe';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { cutIn } from './every-width';
import { flow, group } from './group-flow';
import { editorSession } from './session';

const row = (name: string, address: string) => ({ name, address, tags: '', fingerprint: '' });
const secured = { ...group, id: 'secured', name: 'Secured', rows: [row('Gym', '192.0.2.50')] };
const without = { ...group, id: 'without', name: 'Without', auth: 'none', certificate: 'any', rows: [] };
const empty = { ...without, id: 'empty', name: 'Empty', auth: 'standard' };

describe('what the dialog of a group warns of', () => {
  let editor: Editor;
  editorSession([...flow, secured, without, empty], (opened) => {
    editor = opened;
  });
  afterEach(async () => {
    await editor.done('#node-config-dialog-cancel');
  });

  const input = (name: string) => editor.page.locator(`#node-config-input-${name}`);
  const cell = (column: string, place: number) =>
    editor.page.getByLabel(wording('rows:rows.cell', { column, row: place }));
  /** All that is said, by the fields. */
  const warnings = async () => {
    const shownWarnings = await editor.page.locator('.algo-warning:visible').all();
    const ids = await Promise.all(shownWarnings.map((one) => one.getAttribute('id')));
    const texts = await Promise.all(shownWarnings.map((one) => one.textContent()));
    return texts.map((text, place) => `${ids[place]}: ${text}`);
  };
  const auth = (key: string) => `algo-weak-auth: ${wording(`group:weak.${key}`)}`;
  const certificate = (key: string) => `algo-weak-certificate: ${wording(`group:weak.${key}`)}`;
  const write = async (place: number, address: string) => {
    await cell('Address', place).fill(address);
    await cell('Address', place).press('Tab');
  };

  it('says below the rows that an address goes without a path', async () => {
    await editor.editConfig('algo-group', 'secured');
    const address = (key: string) => `algo-weak-address: ${wording(`group:weak.${key}`)}`;
    await write(1, 'http://192.0.2.50/api');
    assert.deepEqual(await warnings(), [address('apiPath')]);
    await write(1, '192.0.2.50/proxy');
    assert.deepEqual(await warnings(), [address('path')]);
    await write(1, '192.0.2.50');
    assert.deepEqual(await warnings(), []);
  });

  it('says beside the field what is weak, as it is chosen', async () => {
    await editor.editConfig('algo-group', 'secured');
    assert.deepEqual(await warnings(), []);
    await input('auth').selectOption('basic');
    assert.deepEqual(await warnings(), []);
    await input('certificate').selectOption('any');
    await input('password').fill('algo');
    assert.deepEqual(await warnings(), [
      `algo-weak-password: ${wording('group:weak.factory')}`,
      certificate('any'),
    ]);
    await input('auth').selectOption('none');
    assert.deepEqual(await warnings(), [auth('noAuth'), certificate('any')]);
    assert.match((await input('auth').getAttribute('aria-describedby')) ?? '', /algo-weak-auth/);
    const ratios = await contrasts(editor.page, '.algo-warning');
    assert.ok(Math.min(...ratios) >= 4.5, String(ratios));
    assert.deepEqual(await cutIn(editor.page), []);
    await bringAxe(editor.page);
    assert.deepEqual(await complaintsOf(editor.page, '.red-ui-tray .algo-access'), []);
  });

  it('counts in which rows speak plain HTTP, while they are written', async () => {
    await editor.editConfig('algo-group', 'secured');
    await input('auth').selectOption('basic');
    await write(1, 'http://192.0.2.50');
    assert.deepEqual(await warnings(), [auth('basicPlain')]);
    await input('certificate').selectOption('any');
    assert.deepEqual(await warnings(), [auth('basicPlain')]);
    await editor.page.getByRole('button', { name: wording('rows:rows.add') }).click();
    await write(2, 'HTTP://192.0.2.51');
    assert.deepEqual(await warnings(), [auth('basicPlain')]);
    await write(2, '192.0.2.51');
    assert.deepEqual(await warnings(), [auth('basicPlain'), certificate('any')]);
    await input('certificate').selectOption('pin');
    assert.deepEqual(await warnings(), [auth('basicPlain'), certificate('pinPlain')]);
    await write(1, 'https://192.0.2.50');
    assert.deepEqual(await warnings(), []);
  });

  it('says that the rows have no password as soon as there are some', async () => {
    const missing = editor.page.getByText(wording('device:invalid.noPassword'));
    await editor.editConfig('algo-group', 'empty');
    assert.equal(await missing.isVisible(), false);
    await editor.page.getByRole('button', { name: wording('rows:rows.add') }).click();
    await write(1, '192.0.2.60');
    await missing.waitFor();
    await editor.page.locator('.algo-access > summary').click();
    await write(1, '192.0.2.61');
    assert.equal(await missing.isVisible(), false);
  });

  it('says nothing of how to be let into rows that there are not', async () => {
    await editor.editConfig('algo-group', 'without');
    await editor.page.locator('.algo-access > summary').click();
    await input('auth').waitFor();
    assert.deepEqual(await warnings(), []);
  });
});
