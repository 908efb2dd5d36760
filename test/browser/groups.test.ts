import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { flow, group, lines } from './group-flow';
import { editorSession } from './session';

describe('the dialog of a group', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  // Scripts that an earlier file has loaded are not loaded again.
  before(() => editor.reload());

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const noPassword = wording('device:invalid.noPassword');
  const form = () => editor.page.locator('form:has(#node-config-input-maxParallel)');
  const open = () => editor.editConfig('algo-group', 'group');
  const done = () => editor.done('#node-config-dialog-ok');
  const count = () => textOf(editor.page.locator('.algo-members > summary'));
  const paste = async (text: string) => {
    await editor.page.locator('.algo-open').click();
    await put(text);
  };
  /** As a person does it who has copied the text elsewhere, in the place of all that is there. */
  const put = (text: string) =>
    editor.page.evaluate(`(() => {
      const box = document.querySelector('#algo-group-text');
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      box.select();
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
  const waitForPasteStatus = (words: RegExp) =>
    editor.page.locator('.algo-paste', { hasText: words }).waitFor();
  const findings = () => editor.page.locator('.algo-paste .algo-findings li').allTextContents();

  /** The text that is selected in the box, and whether its line is in sight. */
  const selected = `(() => {
    const { value, selectionStart, selectionEnd, scrollTop, scrollHeight, clientHeight } =
      document.querySelector('#algo-group-text');
    const before = value.slice(0, selectionStart).split('\\n').length - 1;
    const top = (before / value.split('\\n').length) * scrollHeight;
    return [value.slice(selectionStart, selectionEnd), top > scrollTop && top < scrollTop + clientHeight];
  })()`;

  it('leaves a group as it was, and names every control', async () => {
    const before = await editor.stored('group');
    assert.deepEqual(before.problems, []);
    await open();
    assert.equal(await count(), wording('group:members.title', { count: 3, devices: 1, rows: 1, tagged: 1 }));
    await form().locator('.algo-members > summary').click();
    // The list is made once the section has opened.
    await form().locator('.algo-members li').last().waitFor();
    const members = await form().locator('.algo-members li').allTextContents();
    assert.deepEqual(members, ['Lobby device', 'Gym row', 'Yard by tag']);
    assert.deepEqual(namelessIn(await snapshotOf(form())), []);
    await form().locator('.algo-delivery > summary').click();
    assert.deepEqual(await cutIn(editor.page), []);
    await done();
    // Only an open dialog knows whether a password is stored.
    assert.deepEqual(await editor.stored('group'), { ...before, problems: [noPassword] });
  });

  it('draws what somebody else wrote as text, also where the editor says what is wrong', async () => {
    const { page } = editor;
    const written = '<img src=x onerror="window.wasRun = true">';
    await page.evaluate(`RED.sidebar.show('config')`);
    await page.evaluate(`(() => {
      const node = RED.nodes.node('group');
      window.rowsBefore = node.rows;
      node.rows = [{ name: 'Gym', address: ${JSON.stringify(written)} }];
      RED.editor.validateNode(node);
      RED.sidebar.config.refresh();
      $('.red-ui-palette-node-config-invalid .red-ui-flow-node-error').trigger('mouseenter');
    })()`);
    const tooltip = page.locator('.red-ui-popover', { hasText: 'Row 1' });
    await tooltip.waitFor();
    assert.match(await textOf(tooltip), /img src=x/);
    assert.equal(await tooltip.locator('img').count(), 0);
    await page.evaluate(`(() => {
      $('.red-ui-palette-node-config-invalid .red-ui-flow-node-error').trigger('mouseleave');
      const node = RED.nodes.node('group');
      node.rows = window.rowsBefore;
      RED.editor.validateNode(node);
      RED.sidebar.show('info');
    })()`);
    await tooltip.waitFor({ state: 'hidden' });
  });

  it('finds devices by what is typed, and takes those that are ticked', async () => {
    await open();
    await form().getByLabel('Devices', { exact: true }).first().fill('south');
    assert.deepEqual(await form().locator('.algo-choice').allTextContents(), ['Attic 192.0.2.3 · south']);
    await form()
      .getByRole('checkbox', { name: /^Attic/ })
      .check();
    assert.equal(await count(), wording('group:members.title', { count: 4, devices: 2, rows: 1, tagged: 1 }));
    await form().getByRole('button', { name: 'entrances' }).click();
    await form().getByRole('button', { name: 'north', exact: true }).click();
    assert.equal(await form().locator('#node-config-input-tags').inputValue(), 'entrances');
    assert.equal(await count(), wording('group:members.title', { count: 3, devices: 2, rows: 1, tagged: 0 }));
    await done();
    const { devices, tags, changed } = await editor.stored('group');
    assert.deepEqual([devices, tags, changed], [['lobby', 'attic'], 'entrances', true]);
  });

  it('takes rows that are typed, one after the other', async () => {
    await open();
    await form()
      .getByRole('button', { name: wording('rows:rows.add') })
      .click();
    await form()
      .getByLabel(wording('rows:rows.cell', { column: 'Name', row: 2 }))
      .fill('Hall');
    await form()
      .getByLabel(wording('rows:rows.cell', { column: 'Address', row: 2 }))
      .fill('192.0.2.1');
    await form()
      .getByLabel(wording('rows:rows.cell', { column: 'Address', row: 2 }))
      .press('Enter');
    const finding = `Row 2: ${wording('group:finding.addressTwice', { value: '192.0.2.1', other: wording('group:finding.ofDevice', { name: 'Lobby' }) })}`;
    assert.equal(await textOf(form().locator('.algo-table > .algo-findings')), finding);
    await form().getByRole('button', { name: finding }).click();
    await form()
      .getByLabel(wording('rows:rows.cell', { column: 'Address', row: 2 }))
      .fill('192.0.2.51');
    await form()
      .getByLabel(wording('rows:rows.cell', { column: 'Model', row: 2 }))
      .fill('8301');
    await form()
      .getByLabel(wording('rows:rows.cell', { column: 'Model', row: 2 }))
      .press('Tab');
    assert.equal(await textOf(form().locator('.algo-table > .algo-findings')), '');
    assert.equal(await count(), wording('group:members.title', { count: 4, devices: 2, rows: 2, tagged: 0 }));
    await done();
    const { rows } = await editor.stored('group');
    assert.deepEqual(rows, [
      group.rows[0],
      { name: 'Hall', address: '192.0.2.51', tags: '', fingerprint: '', model: '8301' },
    ]);
  });

  it('shows the whole address of a row', async () => {
    await open();
    await form()
      .getByRole('button', { name: wording('rows:rows.add') })
      .click();
    const address = form()
      .getByLabel(/^Address of row/)
      .last();
    await address.fill('https://192.168.100.200:8443');
    await address.focus();
    const fits = 'document.activeElement.scrollWidth <= document.activeElement.clientWidth';
    assert.equal(await editor.page.evaluate(fits), true);
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.done('#node-config-dialog-cancel');
  });

  it('loads what reads rows only when somebody pastes, and says so when it cannot be loaded', async () => {
    const loaded = () => editor.page.evaluate('Boolean(window.algoRows)');
    await open();
    assert.equal(await loaded(), false);
    await editor.page.route(/algo-rows\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    await paste('Name,Address\nAula,192.0.2.60');
    await waitForPasteStatus(wordingIn('rows:paste.missing'));
    await editor.page.unroute(/algo-rows\.js/);
    await editor.page.locator('#algo-group-text').fill('192.0.2.80');
    await waitForPasteStatus(wordingIn('rows:paste.read', { count: 1 }));
    assert.equal(await loaded(), true);
    await editor.done('#node-config-dialog-cancel');
    editor.faults.splice(0, editor.faults.length, ...editor.faults.filter((line) => !/404/.test(line)));
  });

  it('names the line of each mistake among a thousand rows, and adds them when they are right', async () => {
    await open();
    const wrong = { 17: 'Room x\tnot an address', 700: 'Room y\t10.1.0.0', 999: 'Room z\t' };
    await paste(lines(1000, wrong).join('\n'));
    await waitForPasteStatus(/Valid rows: 997\. Invalid rows: 3\./);
    assert.deepEqual(await findings(), [
      `Line 17: ${wording('group:finding.address', { value: 'not an address' })}`,
      `Line 700: ${wording('group:finding.addressTwice', { value: '10.1.0.0', other: 'in line 1' })}`,
      `Line 999: ${wording('group:finding.noAddress')}`,
    ]);
    assert.deepEqual(await cutIn(editor.page), []);
    await form()
      .getByRole('button', { name: /^Line 700/ })
      .click();
    assert.deepEqual(await editor.page.evaluate(selected), ['Room y\t10.1.0.0', true]);
    await put(lines(1000).join('\n'));
    await waitForPasteStatus(wordingIn('rows:paste.read', { count: 1000 }));
    await form()
      .getByRole('button', { name: wording('rows:paste.add', { count: 1000 }) })
      .click();
    assert.equal(
      await count(),
      wording('group:members.title', { count: 1004, devices: 2, rows: 1002, tagged: 0 }),
    );
    assert.ok((await form().locator('.algo-grid input').count()) <= 120);
    await form()
      .getByRole('button', { name: wording('rows:rows.next') })
      .click();
    assert.equal(
      await form()
        .getByLabel(wording('rows:rows.cell', { column: 'Name', row: 21 }))
        .inputValue(),
      'Room 18',
    );
    await done();
    const { rows, problems } = await editor.stored('group');
    assert.equal((rows as unknown[]).length, 1002);
    assert.deepEqual(problems, [noPassword]);
  });

  it('takes a CSV file, and of a wrong one what is right', async () => {
    await open();
    await form()
      .getByRole('button', { name: wording('rows:rows.clear') })
      .click();
    await editor.page.locator('.algo-open').click();
    const text = '\uFEFFname;address;floor\r\nHall;192.0.2.70;1\r\n"Aula;192.0.2.71;2\r\n';
    const file = { name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await editor.page.getByLabel(wording('rows:paste.file')).setInputFiles(file);
    await waitForPasteStatus(/Valid rows: 1\. Invalid rows: 2\./);
    const [column, quotes] = await findings();
    assert.match(String(column), wordingIn('group:finding.column', { value: 'floor' }));
    assert.match(String(quotes), wordingIn('rows:finding.quotes'));
    await form()
      .getByRole('button', { name: wording('rows:paste.addGood', { count: 1 }) })
      .click();
    assert.equal(
      await form()
        .getByLabel(wording('rows:rows.cell', { column: 'Address', row: 1 }))
        .inputValue(),
      '192.0.2.70',
    );
    await done();
    const { rows } = await editor.stored('group');
    assert.deepEqual(rows, [{ name: 'Hall', address: '192.0.2.70', tags: '', fingerprint: '' }]);
  });

  it('says so when rows cannot be read, and adds none that were read before', async () => {
    await open();
    await paste('192.0.2.81\n');
    await waitForPasteStatus(wordingIn('rows:paste.read', { count: 1 }));
    await editor.page.evaluate(`(() => {
      const { readRows } = algoRows;
      algoRows.readRows = () => {
        algoRows.readRows = readRows;
        throw new Error('a fault of ours');
      };
    })()`);
    await put('192.0.2.82\n');
    await waitForPasteStatus(wordingIn('rows:paste.missing'));
    assert.equal(await form().locator('.algo-take').isDisabled(), true);
    await editor.done('#node-config-dialog-cancel');
  });

  it('keeps its password out of exported flows, and names its devices there', async () => {
    await open();
    await form().locator('#node-config-input-password').fill('very secret');
    await form().locator('#node-config-input-name').fill('Whole school');
    await done();
    await editor.deploy();
    const exported: string = await editor.page.evaluate(
      'JSON.stringify(RED.nodes.createExportableNodeSet([RED.nodes.node("group")]))',
    );
    assert.doesNotMatch(exported, /secret|password/);
    const nodes: FlowNode[] = JSON.parse(exported);
    const ids = nodes.map(({ id }) => id).sort();
    assert.deepEqual(
      ids.filter((id) => ['attic', 'group', 'lobby'].includes(id)),
      ['attic', 'group', 'lobby'],
    );
    assert.equal(nodes.find(({ id }) => id === 'group')?.name, 'Whole school');
  });

  /** Which passwords of rows the server has, by the numbers of their keys. */
  const storedKeys = (): Promise<string[]> =>
    editor.page.evaluate(`fetch('credentials/algo-group/group', { headers: { accept: 'application/json' } })
      .then((answer) => answer.json())
      .then((has) => Object.keys(has).filter((key) => has[key] && /^has_rowPassword/.test(key)).map((key) => key.slice(15)))`);
  const keysOf = async () =>
    ((await editor.stored('group')).rows as { passwordKey?: number }[]).map(({ passwordKey }) => passwordKey);
  const passwordOf = (row: number) =>
    form().getByLabel(wording('rows:rows.cell', { column: 'Password', row }));

  it('gives a row a password of its own, and leaves those of the others', async () => {
    const { page } = editor;
    await open();
    await form()
      .getByRole('button', { name: wording('rows:rows.clear') })
      .click();
    await paste('A\t192.0.2.91\nB\t192.0.2.92\nC\t192.0.2.93\n');
    await waitForPasteStatus(/All rows are valid: 3\./);
    await form().locator('.algo-take').click();
    assert.equal(await passwordOf(2).getAttribute('placeholder'), 'shared');
    await passwordOf(2).fill('hidden two');
    await done();
    await editor.deploy();
    assert.deepEqual([await keysOf(), await storedKeys()], [[undefined, 1, undefined], ['1']]);

    await open();
    assert.equal(await passwordOf(2).inputValue(), '__PWRD__');
    await passwordOf(3).fill('hidden three');
    await done();
    await editor.deploy();
    assert.deepEqual(
      [await keysOf(), await storedKeys()],
      [
        [undefined, 1, 2],
        ['1', '2'],
      ],
    );

    await open();
    await passwordOf(2).fill('given up');
    await passwordOf(3).fill('');
    await editor.done('#node-config-dialog-cancel');
    assert.deepEqual([await keysOf(), await page.evaluate('RED.nodes.dirty()')], [[undefined, 1, 2], false]);

    await open();
    await passwordOf(2).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('hidden again');
    assert.equal(await passwordOf(2).inputValue(), 'hidden again');
    await passwordOf(3).focus();
    await page.keyboard.press('Backspace');
    assert.equal(await passwordOf(3).inputValue(), '');
    await done();
    await editor.deploy();
    assert.deepEqual([await keysOf(), await storedKeys()], [[undefined, 3, undefined], ['3']]);

    const flows: string = await page.evaluate(`fetch('flows', { headers: { accept: 'application/json' } })
      .then((answer) => answer.text())
      .then((flows) => flows + JSON.stringify(RED.nodes.createExportableNodeSet([RED.nodes.node('group')])))`);
    assert.match(flows, /passwordKey/);
    assert.doesNotMatch(flows, /hidden|rowPassword|PWRD/);
  });

  it('says which row has lost its password, as after an import', async () => {
    await editor.page.evaluate(
      `RED.nodes.node('group').rows = [{ name: 'A', address: '192.0.2.91', passwordKey: 7 }]`,
    );
    await open();
    const finding = `Row 1: ${wording('group:finding.noPassword')}`;
    assert.equal(await textOf(form().locator('.algo-table > .algo-findings')), finding);
    await passwordOf(1).fill('hidden');
    await passwordOf(1).press('Tab');
    assert.equal(await textOf(form().locator('.algo-table > .algo-findings')), '');
    await editor.done('#node-config-dialog-cancel');
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      await open();
      await paste('x y\n');
      await waitForPasteStatus(/Invalid rows: 1/);
      await editor.page.evaluate(
        'for (const fold of document.querySelectorAll(".algo-form details")) fold.open = true',
      );
      // What a button looks like under the pointer is core's.
      await editor.page.mouse.move(0, 0);
      const parts =
        ':is(label, legend, summary, th, li, .algo-hint, .algo-error, .algo-about, button:enabled, input)';
      const ratios = await contrasts(editor.page, `form:has(#node-config-input-maxParallel) ${parts}`);
      assert.ok(ratios.length > 40);
      for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
      await editor.done('#node-config-dialog-cancel');
    });
  }
});
