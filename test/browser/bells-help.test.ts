import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { BellsDialog, flow, lesson } from './bells-flow';
import { type Editor, textOf } from './editor';
import { namelessIn } from './every-name';
import { editorSession } from './session';

const base = { z: 'tab', wires: [[]], target: 'device', device: 'bells', group: '', type: 'algo-scheduler' };
const byForm = { ...base, parametersType: 'form', parameters: 'payload' };
const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) });
const wrongDates = json(['2030-02-30', { start: '2030-05-02', end: '2030-05-01' }]);
const calendar = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'DTSTART:2030-09-02', 'END:VEVENT', 'END:VCALENDAR'];
const span = { from: { type: 'str', value: '2030-09-02' }, until: { type: 'str', value: '2030-09-01' } };
const ics = { ics: json(calendar.join('\r\n')), as: { type: 'str', value: 'exclude' }, ...span };
const wrong = [
  { ...byForm, id: 'dates', name: 'D', operation: 'skip', x: 500, y: 60, form: { dates: wrongDates } },
  { ...byForm, id: 'file', name: 'F', operation: 'import', x: 500, y: 100, form: ics },
];

describe("what helps in a scheduler's dialog", () => {
  let editor: Editor;
  let dialog: BellsDialog;
  editorSession([...flow, ...wrong], (opened) => {
    editor = opened;
    dialog = new BellsDialog(opened);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const picker = () => dialog.form().locator('.algo-bells .algo-days:visible');
  const opening = (row: number) =>
    dialog.form().getByRole('button', { name: wording('scheduler:rows.exceptPick', { row }) });
  const day = (date: string) => picker().locator(`[data-date="${date}"]`);

  it('picks the exceptions of a bell in a month, by mouse, by keys and as a span', async () => {
    await dialog.open('sync');
    assert.equal(await opening(1).getAttribute('aria-expanded'), 'false');
    await opening(1).click();
    assert.equal(await opening(1).getAttribute('aria-expanded'), 'true');
    await picker()
      .getByText(wording('scheduler:rows.exceptOf', { row: 1, name: 'Lesson' }))
      .waitFor();
    assert.deepEqual(namelessIn(await picker().ariaSnapshot()), []);
    assert.equal(await day('2020-10-03').getAttribute('aria-pressed'), 'true');
    await day('2020-10-03').click();
    await day('2020-10-31').click();
    await day('2020-10-31').press('ArrowRight');
    await day('2020-11-01').press('Enter');
    await picker().getByLabel('From', { exact: true }).fill('2021-02-15');
    await picker().getByLabel('To', { exact: true }).fill('2021-02-19');
    await picker().getByRole('button', { name: 'Add', exact: true }).click();
    assert.equal(
      await dialog.cell('Except', 1).inputValue(),
      '2020-10-31, 2020-11-01, 2020-12-21/2020-12-24, 2021-02-15/2021-02-19',
    );
    await picker().getByRole('button', { name: 'Done' }).click();
    assert.equal(await picker().count(), 0);
    await editor.done();
    const [first] = await dialog.bellsOf('sync');
    const except = [
      '2020-10-31',
      '2020-11-01',
      { start: '2020-12-21', end: '2020-12-24' },
      { start: '2021-02-15', end: '2021-02-19' },
    ];
    assert.deepEqual(first, { ...lesson, except });
  });

  it('goes with the text of the cell, and says where that is no list of days', async () => {
    await dialog.open('sync');
    await opening(2).press('Enter');
    // A bell without exceptions begins with its own first month.
    await day('2020-09-02').and(picker().locator(':focus')).waitFor();
    await dialog.cell('Except', 2).fill('2020-09-09');
    assert.equal(await day('2020-09-09').getAttribute('aria-pressed'), 'true');
    await dialog.cell('Except', 2).fill('$' + '{HOLIDAYS}');
    await picker().getByText(wordingIn('scheduler:days.noDays')).waitFor();
    assert.equal(await day('2020-09-09').isVisible(), false);
    await dialog.cell('Except', 2).fill('2020-09-09');
    await day('2020-09-10').focus();
    await day('2020-09-10').press('Space');
    assert.equal(await dialog.cell('Except', 2).inputValue(), '2020-09-09, 2020-09-10');
    await day('2020-09-10').press('Escape');
    assert.equal(await picker().count(), 0);
    assert.ok(await opening(2).evaluate((button) => button === document.activeElement));
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.remove', { row: 2 }) })
      .click();
    await dialog.cancel();
  });

  it('goes away with the row that it is about', async () => {
    await dialog.open('sync');
    await opening(2).click();
    await picker().waitFor();
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.remove', { row: 1 }) })
      .click();
    await picker().waitFor({ state: 'detached' });
    await dialog.cancel();
  });

  it('says what is wrong with days and calendars, in the words of the runtime', async () => {
    const found = () => dialog.form().locator('.algo-findings:visible li');
    await dialog.open('dates');
    await found().first().waitFor();
    assert.match(await textOf(found().nth(0)), /^dates\[0\] must be a date such as .*; got "2030-02-30"/);
    assert.equal(await textOf(found().nth(1)), wording('phrases:spanBackwards', { place: 'dates[1]' }));
    await dialog.cancel();
    await dialog.open('file');
    const expected = [
      wording('phrases:icsTime', { place: 'ics line 3, column 9', name: 'DTSTART', got: '"2030-09-02"' }),
      wording('phrases:untilIsBefore'),
    ];
    // The two lists are made again with each row that opens: what they come to is what counts.
    await editor.page.waitForFunction((lines) => {
      const items = [...document.querySelectorAll<HTMLElement>('.algo-form .algo-findings li')];
      const shown = items.filter((item) => item.checkVisibility()).map((item) => item.textContent);
      return JSON.stringify(shown.sort()) === JSON.stringify(lines);
    }, expected);
    await dialog.cancel();
  });

  it('says so where something cannot be checked, and stays as it is', async () => {
    const unchecked = wordingIn('scheduler:bells.unchecked');
    /** As a language would whose words for what is wrong throw. */
    const words = (isBroken: boolean): Promise<void> =>
      editor.page.evaluate(`(() => {
        const { _def } = RED.nodes.node('dates');
        window.wordsBefore ??= _def._;
        const broken = (key, ...rest) => {
          if (key.startsWith('phrase.')) throw new Error(key);
          return window.wordsBefore.call(_def, key, ...rest);
        };
        _def._ = ${isBroken} ? broken : window.wordsBefore;
      })()`);
    await words(true);
    try {
      await dialog.open('dates');
      const found = dialog.form().locator('.algo-findings:visible li');
      await found.first().waitFor();
      assert.equal(await found.count(), 1);
      assert.match(await textOf(found), unchecked);
      await dialog.cancel();
      await dialog.open('sync');
      await dialog.cell('Days', 2).fill('mon-fry');
      await dialog.cell('Days', 2).press('Tab');
      await dialog.form().locator('.algo-bells').getByText(unchecked).waitFor();
      await dialog.cancel();
    } finally {
      await words(false);
    }
  });
});
