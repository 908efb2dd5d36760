import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { byForm, device, text } from './ruled-flow';
import { editorSession } from './session';

const ring = { ...byForm, type: 'algo-scheduler', operation: 'ring', form: { audio: text('gong.wav') } };
const flow = [
  { id: 'tab', type: 'tab', label: 'Foremost' },
  device,
  { ...ring, id: 'ring' },
  { ...ring, id: 'later', y: 260, form: { ...ring.form, delay: { type: 'num', value: '60' } } },
  { ...byForm, id: 'flash', y: 380, type: 'algo-strobe', operation: 'start' },
  { ...byForm, id: 'sign', y: 440, type: 'algo-screen', operation: 'start' },
  { ...ring, id: 'preview', y: 320, operation: 'preview', form: {} },
];

describe('a field that an operation is about', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  const delay = () => editor.row('Delay').locator('.red-ui-typedInput-input');

  it('is there at once, and left empty it is neither stored nor wrong', async () => {
    await editor.edit('ring');
    await editor.showsRows(['Audio', 'Delay (s)']);
    assert.equal(
      await delay().getAttribute('placeholder'),
      wording('shared:form.example', { value: '10' }),
      'no value that holds already',
    );
    await delay().fill('x');
    assert.equal(
      await textOf(editor.row('Delay').locator('.algo-error')),
      wording('shared:form.invalid.value', { limits: wording('relay:field.duration.limits') }),
    );
    await delay().fill('');
    await delay().blur();
    assert.equal(await textOf(editor.row('Delay').locator('.algo-error')), '');
    assert.equal(await delay().getAttribute('aria-invalid'), 'false');
    assert.equal(await editor.page.locator('[data-field="delay"] .input-error').count(), 0);
    assert.equal(
      await editor.page
        .getByRole('button', { name: wording('shared:fields.remove', { name: 'Delay' }) })
        .count(),
      0,
    );
    await editor.done();
    const { form, changed, problems } = await editor.stored('ring');
    assert.deepEqual([form, changed, problems], [ring.form, false, []]);
  });

  it('is stored once something is in it, and no longer when that is emptied', async () => {
    await editor.edit('ring');
    await delay().fill('5');
    await editor.done();
    assert.deepEqual((await editor.stored('ring')).form, {
      ...ring.form,
      delay: { type: 'num', value: '5' },
    });
    await editor.edit('later');
    assert.equal(await delay().inputValue(), '60');
    await delay().fill('');
    await editor.done();
    const { form, problems } = await editor.stored('later');
    assert.deepEqual([form, problems], [ring.form, []]);
  });

  it('is in no JSON that begins with what the form held', async () => {
    await editor.edit('later');
    await editor.choose(editor.page.locator('.algo-parameters .red-ui-typedInput-type-select'), 'JSON');
    const box = editor.page.locator('.algo-parameters .red-ui-typedInput-input');
    assert.equal(await box.inputValue(), '{"audio":"gong.wav"}');
    await editor.done('#node-dialog-cancel');
  });

  it('is how long a strobe flashes, and the texts of a template that holds texts', async () => {
    await editor.edit('flash');
    await editor.showsRows(['Pattern', 'Color', 'Brightness', 'Duration (s)']);
    await editor.done('#node-dialog-cancel');
    await editor.edit('sign');
    const variant = editor.page.locator('#algo-start-variant');
    await variant.selectOption('announcement');
    await editor.showsRows([
      wording('screen:field.start-template-announcement-text1.label'),
      wording('screen:field.text2.label'),
    ]);
    await variant.selectOption('hospital_scrolling_text');
    await editor.showsRows(['Text']);
    await editor.done('#node-dialog-cancel');
  });

  it('leaves a required field required: who closes the dialog without it is told', async () => {
    await editor.edit('flash');
    await editor.done();
    const notice = editor.page.locator('.red-ui-notification-warning').last();
    await notice.filter({ hasText: 'Saved, but "Flash → ' }).waitFor();
    assert.deepEqual(await notice.locator('li').allTextContents(), [
      'Pattern: Required',
      'Color: Required',
      'Brightness: Required',
    ]);
    await notice.click();
  });

  it('is how many days one looks ahead', async () => {
    await editor.edit('preview');
    await editor.showsRows(['Days']);
    await editor.done('#node-dialog-cancel');
  });
});
