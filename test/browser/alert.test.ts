import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { entry, flow, relay, strobe, words } from './alert-flow';
import { type Editor, textOf } from './editor';
import { editorSession } from './session';

describe('the dialog of an alert', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  // Scripts that an earlier file has loaded are not loaded again.
  before(() => editor.reload());

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const form = () => editor.page.locator('form:has(#node-input-afterRestart)');
  const button = (name: string) => form().getByRole('button', { name, exact: true });
  const titles = () => form().locator('.algo-action-title').allTextContents();
  const focused = () =>
    editor.page.evaluate(
      'document.activeElement.getAttribute("aria-label") || document.activeElement.textContent',
    );
  async function open(id: string): Promise<void> {
    await editor.edit(id);
    await form().locator('.algo-action-list').waitFor({ state: 'attached' });
  }
  async function cancel(): Promise<void> {
    await editor.done('#node-dialog-cancel');
  }

  it('loads its list when the first of them opens, and not before', async () => {
    assert.equal(await editor.page.evaluate('Boolean(window.algoAlert)'), false);
    await open('three');
    assert.equal(await editor.page.evaluate('Boolean(window.algoAlert)'), true);
    await cancel();
  });

  it('leaves every alert as it was, also after all its actions were looked at', async () => {
    for (const id of ['three', 'text', 'wrong']) {
      const before = await editor.stored(id);
      await open(id);
      for (const title of await form().locator('.algo-action-title').all()) await title.click();
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
    }
  });

  it('keeps what stands for environment variables', async () => {
    const before = await editor.stored('variable');
    assert.deepEqual(before.problems, []);
    await editor.edit('variable');
    assert.equal(await form().locator('#algo-alert-actions-text').inputValue(), '${ACTIONS}');
    assert.ok(await button(wording('alert:action.asList')).isDisabled());
    await editor.done();
    assert.deepEqual(await editor.stored('variable'), before);
  });

  it('does not store a property that an older alert lacks, unless it is changed', async () => {
    const before = await editor.stored('old');
    await open('old');
    await editor.done();
    assert.deepEqual(await editor.stored('old'), before);
    await open('old');
    await form().getByLabel('Retry', { exact: true }).selectOption('all');
    await editor.done();
    assert.deepEqual(await editor.stored('old'), { ...before, retryAlert: 'all', changed: true });
  });

  it('offers what is tried again: all that is safe, unless somebody chooses', async () => {
    await open('three');
    const retry = form().getByLabel('Retry', { exact: true });
    assert.equal(await retry.inputValue(), 'true');
    assert.deepEqual(await retry.locator('option').allInnerTexts(), [
      'yes',
      'no',
      wording('alert:retryAlert.all'),
    ]);
    await retry.selectOption('all');
    await cancel();
    assert.equal((await editor.stored('three')).retryAlert, 'true');
  });

  it('has the same form for an action as its own node, in the words of that', async () => {
    await open('three');
    await button('1. Strobe: Flash').press('Enter');
    const label = form().locator('.algo-action-form label:visible');
    const labels = ['Pattern', 'Color', 'Brightness', 'Duration (s)'];
    // Rows are made one after the other.
    await label.nth(labels.length - 1).waitFor();
    assert.deepEqual(
      (await label.allTextContents()).map((text) => text.trim()),
      labels,
    );
    await editor.add('Duration (s)');
    await editor.row('Duration').locator('.red-ui-typedInput-input').fill('90');
    await editor.done();
    const { actions, changed } = await editor.stored('three');
    assert.deepEqual(actions, [
      { ...strobe, form: { ...strobe.form, duration: entry('num', '90') } },
      words,
      relay,
    ]);
    assert.equal(changed, true);
  });

  it('adds, moves and removes actions by keyboard, and keeps the focus where it is wanted', async () => {
    await open('three');
    await form().getByLabel(wording('alert:action.choice')).selectOption('door/unlock');
    await button('Add').press('Enter');
    assert.equal((await titles()).length, 4);
    const [, , , added] = await titles();
    assert.match(String(added), /^4\. Door: /);
    assert.equal(await focused(), added);
    const name = String(added).slice(3);
    await button(wording('alert:action.up', { title: name, place: 4 })).press('Enter');
    assert.equal(await focused(), wording('alert:action.up', { title: name, place: 3 }));
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.press('Enter');
    assert.equal((await titles())[0], `1. ${name}`);
    assert.equal(await focused(), `1. ${name}`);
    assert.ok(await button(wording('alert:action.up', { title: name, place: 1 })).isDisabled());
    await button(wording('alert:action.remove', { title: 'Strobe: Flash', place: 2 })).press('Enter');
    assert.equal(await focused(), '2. Screen: Show a text');
    await editor.done();
    const { actions, problems } = await editor.stored('three');
    assert.deepEqual(
      (actions as { operation: string }[]).map(({ operation }) => operation),
      ['door/unlock', 'screen/text-start', 'relay/enable'],
    );
    assert.deepEqual(problems, [`Action 1, Door: ${wording('door:operation.unlock.title')}: Door: Required`]);
  });

  it('takes the order that actions were dragged into', async () => {
    await open('three');
    const [first, second] = await titles();
    const { mouse } = editor.page;
    // Not before the dialog has its final height: what comes late moves the list.
    await editor.page.waitForFunction('$.active === 0');
    await form().locator('.algo-handle').first().hover();
    await mouse.down();
    const { x, y, height } = (await form().locator('.algo-action').nth(1).boundingBox()) ?? assert.fail();
    const isBehind = () =>
      editor.page.evaluate(
        `document.querySelector('.ui-sortable-placeholder')?.matches('.algo-action:not(.ui-sortable-helper) + *')`,
      );
    // As far as it takes until there is a gap for it.
    for (let below = 0; below < 2 * height && !(await isBehind()); below += 8)
      await mouse.move(x + 4, y + below);
    await mouse.up();
    const bare = (title = '') => title.slice(3);
    assert.deepEqual((await titles()).slice(0, 2).map(bare), [bare(second), bare(first)]);
    await cancel();
  });

  it('has a number for its priority, or the property of the message that holds one', async () => {
    const row = form().locator('.form-row:has(#node-input-priority)');
    const [box, type] = [row.getByRole('textbox'), row.locator('.red-ui-typedInput-type-select')];
    const storing = async (text: string) => {
      await box.fill(text);
      await editor.done();
      const { priority, priorityType, problems } = await editor.stored('text');
      return [priority, priorityType, problems];
    };
    await open('text');
    assert.equal(await box.inputValue(), '5');
    assert.deepEqual(await storing('8'), ['8', undefined, []]);
    await open('text');
    assert.deepEqual(await storing('11'), ['11', undefined, [wording('shared:form.invalid.priority')]]);
    await open('text');
    await editor.choose(type, 'msg.');
    const path = wording('shared:form.invalid.priorityPath');
    assert.deepEqual(await storing('payload..level'), ['payload..level', 'msg', [path]]);
    await open('text');
    assert.deepEqual(await storing('payload.level'), ['payload.level', 'msg', []]);
    await open('text');
    assert.equal(await box.inputValue(), 'payload.level');
    await editor.choose(type, wording('shared:form.number'));
    assert.deepEqual(await storing('5'), ['5', 'num', []]);
  });

  it('begins with a template, which is right as it stands', async () => {
    for (const [name, priority, endAfter] of [
      ['Lockdown', '9', ''],
      ['Evacuation', '10', ''],
      ['Severe weather', '4', '1800'],
      ['Medical', '7', ''],
    ]) {
      await open('empty');
      await button(String(name)).press('Enter');
      assert.ok((await titles()).length >= 3);
      assert.deepEqual(
        await form().locator('.algo-action > .algo-error').allTextContents(),
        Array((await titles()).length).fill(''),
      );
      assert.equal(await form().locator('#node-input-priority').inputValue(), priority);
      assert.equal(await form().locator('#node-input-endAfter').inputValue(), endAfter);
      assert.equal(await form().locator('#node-input-name').inputValue(), name);
      assert.equal(await button('Medical').count(), 0);
      await cancel();
    }
    await open('empty');
    await button('Lockdown').click();
    await editor.done();
    const { problems, actions } = await editor.stored('empty');
    assert.deepEqual(problems, []);
    assert.deepEqual((actions as unknown[])[1], {
      operation: 'strobe/start',
      form: { pattern: entry('str', 'fast'), color1: entry('str', 'red'), ledlvl: entry('str', 'high') },
    });
  });

  it('says who will do which action, and who can do none of them', async () => {
    await open('empty');
    const fold = form().locator('.algo-abilities');
    assert.equal(await textOf(fold.locator('summary')), wording('alert:ability.some', { count: 4, none: 1 }));
    const cells = async () => {
      const rows = await fold.locator('tbody tr').all();
      return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
    };
    const [yes, no, open3] = ['yes', wording('alert:ability.model'), wording('alert:ability.unknown')];
    assert.deepEqual(await cells(), [
      ['Wall 8410', yes, yes, yes],
      ['Lobby 8138', yes, yes, no],
      ['Gate 8063', no, no, no],
      [`Gym ${wording('alert:ability.noModel')}`, open3, open3, open3],
    ]);
    assert.deepEqual(await fold.locator('li').allTextContents(), [
      wording('alert:ability.noneOf', { names: 'Gate' }),
    ]);
    assert.equal(await fold.getByText(wordingIn('alert:ability.setModel')).count(), 1);
    await form().getByLabel(wording('alert:action.choice')).selectOption('relay/enable');
    await button('Add').click();
    assert.deepEqual(await fold.locator('li').allTextContents(), []);
    await form().locator('#node-input-target').selectOption('device');
    await form().locator('#node-input-device').selectOption('wall');
    assert.deepEqual(await fold.locator('li').allTextContents(), [
      wording('alert:ability.nobody', { names: `Relay: ${wording('relay:operation.enable.title')}` }),
    ]);
    await form().locator('#node-input-target').selectOption('msg');
    assert.match(await textOf(fold), wordingIn('alert:ability.byMessage'));
    await cancel();
  });

  it('marks the node and says what is wrong with which action, as its form does', async () => {
    const { problems } = await editor.stored('wrong');
    const [pattern, loud, reboot] = problems as string[];
    assert.match(String(pattern), /^Action 1, Strobe: Flash: Pattern: Must be a whole number, 0 or more/);
    assert.equal(loud, `Action 1, Strobe: Flash: loud: ${wording('shared:form.invalid.unknown')}`);
    assert.equal(
      reboot,
      `Action 2, System: Reboot: ${wording('alert:action.unknown', { operation: 'system/reboot' })}`,
    );
    await open('wrong');
    await button('1. Strobe: Flash').click();
    await editor.takeAway('loud');
    await editor.row('Pattern').locator('.red-ui-typedInput-input').fill('3');
    await button(wording('alert:action.remove', { title: 'System: Reboot', place: 2 })).click();
    await editor.done();
    const after = await editor.stored('wrong');
    assert.deepEqual(after.problems, []);
    assert.deepEqual(after.actions, [
      { operation: 'strobe/start', form: { ...strobe.form, pattern: entry('num', '3') } },
      { ...relay, comment: 'by hand' },
    ]);
  });

  it('can be edited as text, and as a list again', async () => {
    await open('text');
    await button(wording('alert:action.asText')).click();
    const box = form().locator('#algo-alert-actions-text');
    assert.deepEqual(JSON.parse(await box.inputValue()), [strobe]);
    await box.fill('[not a list');
    assert.ok(await button(wording('alert:action.asList')).isDisabled());
    await box.fill(JSON.stringify([relay, strobe]));
    await button(wording('alert:action.asList')).click();
    await form().locator('.algo-action').first().waitFor();
    assert.equal((await titles())[1], '2. Strobe: Flash');
    await editor.done();
    assert.deepEqual((await editor.stored('text')).actions, [relay, strobe]);
  });

  it('leaves the text to edit where its list cannot be loaded', async () => {
    await editor.deploy();
    await editor.reload();
    await editor.page.route(/algo-alert\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    await editor.edit('empty');
    await form().getByText(wordingIn('alert:action.missing')).waitFor();
    await form()
      .locator('#algo-alert-actions-text')
      .fill(JSON.stringify([relay]));
    await editor.page.unroute(/algo-alert\.js/);
    await editor.done();
    assert.deepEqual((await editor.stored('empty')).actions, [relay]);
    await open('empty');
    assert.equal((await titles()).length, 1);
    await cancel();
    editor.faults.splice(0, editor.faults.length, ...editor.faults.filter((line) => !/404/.test(line)));
  });
});
