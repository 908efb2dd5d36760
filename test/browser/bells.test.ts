import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { BellsDialog, flow, lesson, lunch } from './bells-flow';
import { Editor, textOf } from './editor';
import { namelessIn } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

describe("a scheduler's dialog", () => {
  let editor: Editor;
  let dialog: BellsDialog;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
    dialog = new BellsDialog(opened);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  it('leaves whatever is written as it was, and names every control', async () => {
    for (const id of ['sync', 'empty', 'message', 'variable', 'odd', 'skip', 'unskip']) {
      const before = await editor.stored(id);
      await dialog.open(id);
      await dialog.form().locator('.algo-ahead > summary').click();
      for (const part of await dialog
        .form()
        .locator(':is(.algo-bells, .algo-days, .algo-plan, .algo-ahead):visible')
        .all())
        assert.deepEqual(namelessIn(await part.ariaSnapshot()), [], id);
      assert.deepEqual(await cutIn(editor.page), [], id);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before, id);
    }
  });

  it('shows bells as a table, and writes what is changed in it and nothing else', async () => {
    await dialog.open('sync');
    assert.equal(await dialog.cell('Except', 1).inputValue(), '2020-10-03, 2020-12-21/2020-12-24');
    assert.equal(await dialog.cell('Days', 2).inputValue(), 'mon,wed');
    assert.equal(await dialog.cell('Zone', 2).inputValue(), '2');
    await dialog.cell('Time', 1).fill('8:05');
    await dialog.cell('Except', 1).fill('2020-10-05');
    await dialog.cell('Zone', 2).fill('');
    await dialog.cell('Zone', 2).press('Tab');
    await editor.done();
    const { zone: _, ...second } = lunch;
    assert.deepEqual(await dialog.bellsOf('sync'), [
      { ...lesson, time: '08:05', except: '2020-10-05' },
      second,
    ]);
  });

  it('says in its line what is wrong with a bell, in the words of the runtime', async () => {
    await dialog.open('sync');
    await dialog.cell('Days', 2).fill('mon-fry');
    await dialog.cell('Except', 2).fill('2020-02-30, x');
    await dialog.cell('Except', 2).press('Tab');
    const wrong = dialog.form().locator('.algo-wrong:visible .algo-error');
    await wrong.filter({ hasText: 'mon-fry' }).waitFor();
    const lines = (await textOf(wrong)).split('\n');
    assert.match(
      lines[0] ?? '',
      wordingIn('phrases:wrong', { place: 'days', limits: wording('phrases:weekdays'), got: '"mon-fry"' }),
    );
    assert.match(
      lines[1] ?? '',
      wordingIn('phrases:wrong', {
        place: 'except[0]',
        limits: wording('phrases:date'),
        got: '"2020-02-30"',
      }),
    );
    assert.match(
      lines[2] ?? '',
      wordingIn('phrases:wrong', { place: 'except[1]', limits: wording('phrases:date') }),
    );
    await dialog.cell('Time', 1).fill('25:00');
    await dialog.cell('Time', 1).press('Tab');
    await dialog
      .form()
      .locator('.algo-wrong:visible')
      .filter({ hasText: wordingIn('phrases:wrong', { place: 'time' }) })
      .waitFor();
    assert.equal(await dialog.form().locator('.algo-wrong:visible').count(), 2);
    await dialog.cancel();
  });

  it('takes rows of a spreadsheet, and of wrong ones names the line', async () => {
    await dialog.open('empty');
    assert.equal((await dialog.formOf('empty')).bells, undefined);
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.paste') })
      .click();
    const text = [
      'Bell\tStart time\tDays\tAudio file\tHolidays',
      'First\t8:00\tmon-fri\tbell-na.wav\t2030-10-03; 2030-12-21/2031-01-06',
      'Second\t1:30 PM\tmon-fri\tbell-na.wav\t',
      'Third\t14:00\tmon-fryday\tbell-na.wav\t',
    ];
    const paste = dialog.form().getByLabel(wording('rows:paste.text'));
    await paste.fill(text.join('\n'));
    const findings = dialog.form().locator('.algo-paste .algo-findings li');
    await findings.first().waitFor();
    assert.match(
      await textOf(findings.first()),
      wordingIn('phrases:wrong', { place: 'Line 4: days', limits: wording('phrases:weekdays') }),
    );
    await paste.fill(text.slice(0, 3).join('\n'));
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:paste.add', { count: 2 }) })
      .click();
    await editor.done();
    assert.deepEqual(await dialog.bellsOf('empty'), [
      {
        name: 'First',
        time: '08:00',
        days: 'mon-fri',
        audio: 'bell-na.wav',
        except: ['2030-10-03', { start: '2030-12-21', end: '2031-01-06' }],
      },
      { name: 'Second', time: '13:30', days: 'mon-fri', audio: 'bell-na.wav' },
    ]);
  });

  it('takes a file of a spreadsheet, which is rarely UTF-8', async () => {
    const rows = (name: string) => `Name;Time;Days;Audio\r\n${name};8:05;mon-fri;bell-na.wav\r\n`;
    // The bytes of an en dash and of the sign of the euro are no letters in Latin 1.
    const [before, after] = [Buffer.from('Große Halle ', 'latin1'), Buffer.from([0x96, 0x20, 0x80])];
    const [head = '', tail = ''] = rows('|').split('|');
    const files: [buffer: Buffer, name: string][] = [
      [Buffer.concat([Buffer.from(head), before, after, Buffer.from(tail)]), 'Große Halle – €'],
      [Buffer.from(rows('Große Halle – €')), 'Große Halle – €'],
      [Buffer.from(`\uFEFF${rows('Große Halle').replaceAll(';', '\t')}`, 'utf16le'), 'Große Halle'],
    ];
    for (const [buffer, name] of files) {
      await dialog.open('empty');
      await dialog
        .form()
        .getByRole('button', { name: wording('rows:rows.paste') })
        .click();
      const file = { name: 'bells.csv', mimeType: 'text/csv', buffer };
      await dialog.form().getByLabel(wording('rows:paste.file')).setInputFiles(file);
      await dialog
        .form()
        .getByRole('button', { name: wording('rows:paste.add', { count: 1 }) })
        .click();
      const names = dialog.form().locator('.algo-bells input[data-column="name"]');
      assert.equal(await names.last().inputValue(), name);
      await dialog.cancel();
    }
  });

  it('asks about a time that goes back in rows that are pasted, and adds the rows all the same', async () => {
    await dialog.open('empty');
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.paste') })
      .click();
    const row = (time: string) => `Break\t${time}\tmon-fri\tbell-na.wav`;
    const paste = dialog.form().getByLabel(wording('rows:paste.text'));
    await paste.fill(['8:00', '12:57', '1:00', '1:45'].map(row).join('\n'));
    const hints = dialog.form().locator('.algo-paste .algo-warning li');
    await hints.first().waitFor();
    const sentence = wording('scheduler:finding.timeGoesBack', {
      before: '12:57',
      time: '1:00',
      later: '13:00',
    });
    assert.deepEqual(await hints.allTextContents(), [wording('rows:finding.line', { line: 3, sentence })]);
    assert.equal(await dialog.form().locator('.algo-paste .algo-error li').count(), 0);
    await dialog
      .form()
      .getByText(wording('rows:paste.read', { count: 4 }))
      .waitFor();
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:paste.add', { count: 4 }) })
      .click();
    await dialog.cancel();
  });

  it('says a wrong heading once, with the headings there are', async () => {
    await dialog.open('empty');
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.paste') })
      .click();
    const row = (hour: number) => `Bell ${hour}\t${hour}:00\tmon-fri\tbell-na.wav`;
    const rows = (title: string) => `Name\tTime\tDays\t${title}\n${[8, 9, 10, 11].map(row).join('\n')}`;
    const paste = dialog.form().getByLabel(wording('rows:paste.text'));
    await paste.fill(rows('Loudspeaker'));
    await dialog.form().getByText('Valid rows: 0. Invalid rows: 5.').waitFor();
    assert.deepEqual(await dialog.form().locator('.algo-paste .algo-findings li').allTextContents(), [
      `Line 1: ${wording('scheduler:finding.column', { value: 'Loudspeaker' })}`,
    ]);
    await paste.fill(rows('Sound'));
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:paste.add', { count: 4 }) })
      .waitFor();
    await dialog.cancel();
  });

  it('loses no row whose first cell is called like a column', async () => {
    await dialog.open('empty');
    await dialog.form().getByRole('button', { name: 'Paste or import' }).click();
    const bells = ['Start', 'Break', 'End'].map(
      (name, hour) => `${name}\t${hour + 8}:00\tmon-fri\tbell-na.wav`,
    );
    const paste = dialog.form().getByLabel('Rows to add');
    await paste.fill(['Bells 2030', 'Name\tTime\tDays\tSound', ...bells].join('\n'));
    await dialog.form().getByRole('button', { name: 'Add these rows (3)' }).waitFor();
    await paste.fill(bells.join('\n'));
    await dialog.form().getByRole('button', { name: 'Add these rows (3)' }).waitFor();
    await paste.fill(['Bell', ...bells].join('\n'));
    await dialog.form().getByText('Valid rows: 3. Invalid rows: 1.').waitFor();
    await dialog.cancel();
  });

  it('never makes a table of what is no list of bells, and says so', async () => {
    await dialog.open('odd');
    await dialog.form().getByText(wordingIn('scheduler:bells.noTable')).waitFor();
    assert.equal(await dialog.form().locator('.algo-bells').getByRole('button').count(), 0);
    await dialog.cancel();
    for (const id of ['message', 'variable']) {
      await dialog.open(id);
      await dialog.form().getByText(wordingIn('scheduler:bells.elsewhere')).waitFor();
      assert.equal(await dialog.form().locator('.algo-bells').getByRole('button').count(), 0);
      await dialog.cancel();
    }
  });

  it('has the days of a month picked, by mouse, by keys and as a span', async () => {
    await dialog.open('skip');
    const day = (date: string) => dialog.form().locator(`[data-date="${date}"]`);
    assert.equal(await day('2030-05-08').getAttribute('aria-pressed'), 'true');
    assert.equal(await day('2030-05-11').getAttribute('aria-pressed'), 'false');
    await day('2030-05-08').click();
    await day('2030-05-31').click();
    await day('2030-05-31').press('ArrowRight');
    await day('2030-06-01').press('Enter');
    await dialog.form().getByLabel('From', { exact: true }).fill('2030-07-01');
    await dialog.form().getByLabel('To', { exact: true }).fill('2030-08-09');
    await dialog.form().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog
      .form()
      .getByText(wording('scheduler:days.chosen', { count: 47 }))
      .waitFor();
    await editor.done();
    assert.deepEqual(JSON.parse((await dialog.formOf('skip')).dates?.value ?? ''), [
      '2030-05-01',
      '2030-05-06',
      '2030-05-07',
      '2030-05-09',
      '2030-05-10',
      '2030-05-31',
      '2030-06-01',
      { start: '2030-07-01', end: '2030-08-09' },
    ]);
  });

  it('does without its table and calendar where their script cannot be had', async () => {
    const other = await Editor.open(shared.still, shared.nodeRed.url, async (page) => {
      await page.route(/algo-bells\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    });
    await other.edit('sync');
    await other.page.getByText(wordingIn('scheduler:bells.missing')).waitFor();
    await other.done();
    assert.equal((await other.stored('sync')).changed, false);
    await other.page.close();
  });
});
