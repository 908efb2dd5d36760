import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const place = { z: 'tab', x: 200, y: 100, wires: [[]] };
const action = {
  ...place,
  ...{ name: '', target: 'group', device: '', group: 'group', parametersType: 'form', parameters: 'payload' },
};
const untouched = { split: false, ttl: '', retryFor: '', endAfter: '' };
const row = { name: 'Gym', address: '192.0.2.50', tags: '', fingerprint: '' };

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Delivery', disabled: true },
  { id: 'group', type: 'algo-group', name: 'School', devices: [], rows: [row], tags: '', auth: 'none' },
  {
    ...action,
    id: 'bare',
    type: 'algo-door',
    operation: 'lock',
    form: { doorid: { type: 'str', value: 'local' } },
  },
  {
    ...action,
    ...untouched,
    id: 'door',
    type: 'algo-door',
    operation: 'unlock',
    form: { doorid: { type: 'str', value: 'local' } },
  },
  {
    ...{
      ...action,
      id: 'tone',
      type: 'algo-tone',
      operation: 'start',
      endAfter: '${LONG}',
      split: '${SPLIT}',
    },
    ...{
      ttl: 5,
      retryFor: '',
      form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'true' } },
    },
  },
  { ...place, id: 'receipts', type: 'algo-receipts', name: '', show: 'all' },
  { ...place, id: 'receipts by environment', type: 'algo-receipts', name: 'All', show: '${SHOW}' },
];

describe('the delivery in the dialogs', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const form = () => editor.page.locator('form:has(#node-input-name)');
  const fold = () => form().locator('.algo-delivery');
  const box = (label: string) => fold().getByLabel(label, { exact: true });
  const isOpen = async () => (await fold().getAttribute('open')) !== null;
  const error = (name: string) => textOf(fold().locator(`#algo-delivery-${name}-error`));

  for (const id of ['bare', 'door']) {
    it(`is folded away as long as nothing is set, and leaves "${id}" as it was`, async () => {
      const before = await editor.stored(id);
      assert.deepEqual(before.problems, []);
      await editor.edit(id);
      assert.equal(await isOpen(), false);
      await fold().locator('summary').click();
      await box(wording('shared:delivery.ttl')).waitFor();
      assert.deepEqual(namelessIn(await snapshotOf(form())), []);
      assert.deepEqual(await cutIn(editor.page), []);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
    });
  }

  it('shows what the operation does by itself, and what ends it', async () => {
    await editor.edit('door');
    await fold().locator('summary').click();
    const placeholders = async () => [
      await box(wording('shared:delivery.ttl')).getAttribute('placeholder'),
      await box(wording('shared:delivery.retryFor')).getAttribute('placeholder'),
    ];
    assert.deepEqual(await placeholders(), ['60 s', wording('shared:delivery.usual.notAgain')]);
    assert.match(
      await textOf(fold().locator('#algo-delivery-endAfter-hint')),
      wordingIn('shared:delivery.endedBy', { end: wording('door:operation.lock.title') }),
    );
    await editor.page.locator('#node-input-operation').selectOption('lock');
    assert.deepEqual(await placeholders(), [wording('shared:delivery.usual.noLimit'), '10 s']);
    await box(wording('shared:delivery.endAfter')).waitFor({ state: 'hidden' });
    await editor.page.locator('#node-input-operation').selectOption('msg');
    assert.deepEqual(await placeholders(), [
      wording('shared:delivery.usual.byOperation'),
      wording('shared:delivery.usual.byOperation'),
    ]);
    await box(wording('shared:delivery.endAfter')).waitFor();
    await editor.page.locator('#node-input-operation').selectOption('unlock');
    await editor.done();
  });

  it('says an auto-stop of more than a day in words', async () => {
    await editor.edit('door');
    await fold().locator('summary').click();
    const time = () => textOf(fold().locator('#algo-delivery-endAfter-time'));
    const found: string[] = [];
    for (const seconds of ['999999', '86400', '${LONG}', '90000']) {
      await box(wording('shared:delivery.endAfter')).fill(seconds);
      found.push(await time());
    }
    const words = (text: string) => wording('shared:delivery.endsInDays', { time: text });
    assert.deepEqual(found, [words('11 days 13 hours'), '', '', words('1 day 1 hour')]);
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.startOver();
  });

  it('takes seconds and nothing else, and says so for the node too', async () => {
    await editor.edit('door');
    await fold().locator('summary').click();
    await box(wording('shared:delivery.ttl')).fill('-1');
    assert.equal(await error('ttl'), wording('shared:delivery.invalid.seconds'));
    await box(wording('shared:delivery.retryFor')).fill('${AGAIN}');
    assert.equal(await error('retryFor'), '');
    await box(wording('shared:delivery.endAfter')).fill('0');
    assert.equal(await error('endAfter'), wording('shared:delivery.invalid.positive'));
    await editor.done();
    const { ttl, retryFor, endAfter, split, problems } = await editor.stored('door');
    assert.deepEqual([ttl, retryFor, endAfter, split], ['-1', '${AGAIN}', '0', false]);
    assert.deepEqual(problems, [
      `Expires after (s): ${wording('shared:delivery.invalid.seconds')}`,
      `Auto-stop after (s): ${wording('shared:delivery.invalid.positive')}`,
    ]);
  });

  it('says that nothing ends an operation, and shows what is set there', async () => {
    await editor.edit('door');
    assert.equal(await isOpen(), true);
    await box(wording('shared:delivery.endAfter')).fill('10');
    await box(wording('shared:delivery.ttl')).fill('');
    await editor.page.locator('#node-input-operation').selectOption('lock');
    assert.equal(await error('endAfter'), wording('shared:delivery.invalid.noEnd'));
    await editor.page.locator('#node-input-operation').selectOption('unlock');
    assert.equal(await error('endAfter'), '');
    await box(wording('shared:delivery.split')).check();
    await editor.done();
    const { ttl, endAfter, split, problems } = await editor.stored('door');
    assert.deepEqual([ttl, endAfter, split, problems], ['', '10', true, []]);
  });

  it('keeps environment variables, and wants either the seconds here or those of the operation', async () => {
    const before = await editor.stored('tone');
    await editor.edit('tone');
    assert.equal(await isOpen(), true);
    assert.equal(await box(wording('shared:delivery.split')).inputValue(), '${SPLIT}');
    assert.match(
      await textOf(fold().locator('#algo-delivery-endAfter-hint')),
      wordingIn('shared:delivery.endsItself', { field: 'duration' }),
    );
    await editor.done();
    assert.deepEqual(await editor.stored('tone'), before);
    await editor.edit('tone');
    await editor.add('Duration (s)');
    await editor.row('Duration').locator('.red-ui-typedInput-input').fill('7');
    assert.equal(await error('endAfter'), wording('shared:delivery.invalid.twice', { field: 'duration' }));
    await box(wording('shared:delivery.endAfter')).fill('10');
    await editor.done();
    assert.deepEqual((await editor.stored('tone')).problems, [
      `Auto-stop after (s): ${wording('shared:delivery.invalid.twice', { field: 'duration' })}`,
    ]);
  });

  it('shows the group, and only where the target is one', async () => {
    await editor.edit('bare');
    await form().locator('#node-input-group').waitFor();
    assert.equal(await form().locator('#node-input-group').inputValue(), 'group');
    await form().locator('#node-input-device').waitFor({ state: 'hidden' });
    await form().locator('#node-input-target').selectOption('device');
    await form().locator('#node-input-group').waitFor({ state: 'hidden' });
    await form().locator('#node-input-device').waitFor();
    await editor.done();
    assert.match(String((await editor.stored('bare')).problems), /Device|device/);
    const label: string = await editor.page.evaluate('RED.utils.getNodeLabel(RED.nodes.node("door"))');
    assert.match(label, / → School$/);
  });

  for (const id of ['receipts', 'receipts by environment']) {
    it(`leaves "${id}" as it was`, async () => {
      const before = await editor.stored(id);
      assert.deepEqual(before.problems, []);
      await editor.edit(id);
      assert.deepEqual(namelessIn(await snapshotOf(form())), []);
      assert.deepEqual(await cutIn(editor.page), []);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
    });
  }

  it('shows only problems if somebody wants that', async () => {
    await editor.edit('receipts');
    await form()
      .getByLabel('Receipts')
      .selectOption({ label: wording('receipts:show.problems') });
    await editor.done();
    assert.equal((await editor.stored('receipts')).show, 'problems');
    assert.equal(await textOf(editor.palette('algo-receipts').locator('.red-ui-palette-label')), 'receipts');
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      await editor.edit('tone');
      const parts = ':is(label, summary, .algo-hint, .algo-error, input)';
      const ratios = await contrasts(editor.page, `.algo-delivery ${parts}`);
      assert.ok(ratios.length > 12);
      for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
      await editor.done();
    });
  }
});
