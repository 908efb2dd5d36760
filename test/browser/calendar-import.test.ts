import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wording, wordingIn } from '../fixtures/wording';
import { flow } from './bells-flow';
import { type Editor, textOf } from './editor';
import { editorSession } from './session';

const lines = [
  ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Autumn break é', 'DTSTART;VALUE=DATE:20301014'],
  ...['DTEND;VALUE=DATE:20301019', 'END:VEVENT', 'BEGIN:VEVENT', 'SUMMARY:Reformation'],
  ...['DTSTART;VALUE=DATE:20301031', 'END:VEVENT', 'BEGIN:VEVENT', 'SUMMARY:First bell'],
  ...['DTSTART:20301021T080000', 'END:VEVENT', 'BEGIN:VEVENT', 'SUMMARY:Odd', 'DTSTART:soon', 'END:VEVENT'],
  'END:VCALENDAR',
];
const calendar = lines.join('\r\n');
const str = (value: string) => ({ type: 'str', value });
const file = {
  ...{ id: 'file', type: 'algo-scheduler', z: 'tab', x: 500, y: 100, wires: [[]], target: 'device' },
  ...{ device: 'bells', operation: 'import', parametersType: 'form', parameters: 'payload' },
  form: { as: str('exclude'), from: str('2030-09-01'), until: str('2030-12-31'), ics: str('') },
};

describe('the dialog that imports a calendar', () => {
  let editor: Editor;
  let folder: string;
  editorSession([...flow, file], (opened) => {
    editor = opened;
  });
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-calendar-'));
  });

  const form = () => editor.page.locator('form:has(#node-input-target)');
  const preview = () =>
    form()
      .locator('.algo-plan')
      .filter({ has: editor.page.locator('.algo-findings') });
  const text = () => form().getByLabel(wording('scheduler:calendar.text'));
  const shown = (words: string | RegExp) => preview().getByText(words).first().waitFor();
  const days = (count: string) => wordingIn('scheduler:calendar.days', { count });

  it('takes a file of another program, lists the days with their entries, and what is not imported', async () => {
    await writeFile(path.join(folder, 'school.ics'), Buffer.from(calendar, 'latin1'));
    await editor.edit('file');
    await form()
      .getByLabel(wording('scheduler:calendar.file'))
      .setInputFiles(path.join(folder, 'school.ics'));
    await shown(days('7'));
    const items = await preview().locator('li').allInnerTexts();
    assert.match(items[1] ?? '', /14.*2030 – .*18.*2030 · Autumn break é$/);
    assert.match(items[2] ?? '', /21.*2030 · First bell$/);
    assert.match(items[3] ?? '', /31.*2030 · Reformation$/);
    assert.match(items[4] ?? '', /15.*Odd: .*DTSTART.*soon/);
    assert.equal(items.length, 5);
    assert.equal(items[0], wording('reasons:wholeDays', { entries: 'First bell' }));
    assert.match(await textOf(preview()), wordingIn('scheduler:calendar.notImported', { count: '1' }));
    await editor.done();
    const { form: stored } = await editor.stored('file');
    assert.deepEqual((stored as Record<string, unknown>).ics, str(calendar));
  });

  it('shows the stored text with its lines, keeps it, and follows what is written', async () => {
    await editor.edit('file');
    await form().getByText(wording('scheduler:calendar.text'), { exact: true }).click();
    assert.equal(await text().inputValue(), lines.join('\n'));
    await shown(days('7'));
    await editor.done();
    assert.deepEqual(((await editor.stored('file')).form as Record<string, unknown>).ics, str(calendar));
    await editor.edit('file');
    await form().getByText(wording('scheduler:calendar.text'), { exact: true }).click();
    await text().fill(lines.filter((_, index) => index < 6 || index > 8).join('\n'));
    await text().press('Tab');
    await shown(days('6'));
    await editor.row('Only with').locator('.red-ui-typedInput-input').fill('bell');
    await shown(days('1'));
    await text().fill('Dear parents');
    await shown(wordingIn('phrases:icsNone'));
    await editor.done('#node-dialog-cancel');
  });

  it('is one line where a message brings the text, and asks nothing, until a file is chosen', async () => {
    await editor.edit('file');
    const row = editor.row('Calendar');
    await editor.choose(row.locator('.red-ui-typedInput-type-select'), 'msg.');
    await text().waitFor({ state: 'hidden' });
    assert.equal(await row.locator('.red-ui-typedInput-input').isVisible(), true);
    await preview().locator('li').first().waitFor({ state: 'hidden' });
    await form()
      .getByLabel(wording('scheduler:calendar.file'))
      .setInputFiles(path.join(folder, 'school.ics'));
    await shown(days('7'));
    await editor.done('#node-dialog-cancel');
  });
});
