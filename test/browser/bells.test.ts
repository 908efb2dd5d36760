import assert from 'node:assert/strict';
import { contrasts } from './contrast';
import { Editor, textOf } from './editor';
import { namelessIn } from './every-name';
import { cutIn } from './every-width';
import type { FlowNode } from './node-red';
import { editorSession } from './session';

const base = { z: 'tab', wires: [[]], target: 'device', device: 'bells', group: '' };
const byForm = { type: 'algo-scheduler', parametersType: 'form', parameters: 'payload', ...base };
const lesson = {
  name: 'Lesson',
  time: '08:00',
  days: 'mon-fri',
  audio: 'bell-na.wav',
  from: '2020-09-01',
  except: ['2020-10-03', { start: '2020-12-21', end: '2020-12-24' }],
};
const lunch = {
  name: 'Lunch',
  time: '12:00',
  days: ['mon', 'wed'],
  audio: 'chime.wav',
  zone: 2,
  from: '2020-09-02',
};
const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) });
const tag = { type: 'str', value: 'school' };

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Bells' },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual',
    model: '8301',
    firmware: '5.7',
    auth: 'none',
    port: 0,
  },
  { id: 'bells', type: 'algo-device', name: 'Bells', virtual: 'virtual', auth: 'none', tags: '' },
  {
    ...byForm,
    id: 'sync',
    name: 'Sync',
    operation: 'sync',
    x: 200,
    y: 60,
    form: { tag, bells: json([lesson, lunch]) },
  },
  { id: 'hall', type: 'algo-device', name: 'Hall', address: '192.0.2.9', auth: 'standard', tags: '' },
  { id: 'yard', type: 'algo-device', name: 'Yard', address: 'http://192.0.2.10', auth: 'basic', tags: '' },
  { ...byForm, id: 'change', name: 'Change', operation: 'apply', x: 200, y: 340, form: {} },
  { ...byForm, id: 'empty', name: 'Empty', operation: 'sync', x: 200, y: 100, form: {} },
  {
    ...byForm,
    ...{ id: 'message', name: 'Message', operation: 'sync', x: 200, y: 140 },
    form: { tag: { type: 'env', value: 'TAG' }, bells: { type: 'msg', value: 'payload.bells' } },
  },
  {
    ...byForm,
    ...{ id: 'variable', name: 'Variable', operation: 'sync', x: 200, y: 180 },
    form: { tag, bells: { type: 'json', value: '${BELLS}' } },
  },
  {
    ...byForm,
    ...{ id: 'odd', name: 'Odd', operation: 'sync', x: 200, y: 220 },
    form: { tag, bells: { type: 'json', value: '[1, {"name": "x"}]' } },
  },
  {
    ...byForm,
    ...{ id: 'skip', name: 'Skip', operation: 'skip', x: 200, y: 260 },
    form: { dates: json(['2030-05-01', { start: '2030-05-06', end: '2030-05-10' }]) },
  },
  {
    ...byForm,
    ...{ id: 'unskip', name: 'Restore', operation: 'unskip', x: 200, y: 300 },
    form: { dates: { type: 'msg', value: 'payload' } },
  },
];

describe("a scheduler's dialog", function () {
  this.timeout(120_000);
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const form = () => editor.page.locator('form:has(#node-input-target)');
  const open = async (id: string) => {
    await editor.edit(id);
    await form().locator('.algo-ahead').waitFor();
  };
  const cancel = async () => {
    await editor.page.locator('#node-dialog-cancel').click();
    await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
  };
  const cell = (column: string, row: number) => form().getByLabel(`${column} of row ${row}`, { exact: true });
  const formOf = async (id: string) =>
    (await editor.stored(id)).form as Record<string, { type: string; value: string }>;
  const bellsOf = async (id: string) => JSON.parse((await formOf(id)).bells?.value ?? 'null');
  const picture = (name: string) =>
    process.env.PICTURES
      ? editor.page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
      : undefined;

  it('leaves whatever is written as it was, and names every control', async () => {
    for (const id of ['sync', 'empty', 'message', 'variable', 'odd', 'skip', 'unskip']) {
      const before = await editor.stored(id);
      await open(id);
      await form().locator('.algo-ahead > summary').click();
      for (const part of await form()
        .locator(':is(.algo-bells, .algo-days, .algo-plan, .algo-ahead):visible')
        .all())
        assert.deepEqual(namelessIn(await part.ariaSnapshot()), [], id);
      assert.deepEqual(await cutIn(editor.page), [], id);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before, id);
    }
  });

  it('shows bells as a table, and writes what is changed in it and nothing else', async () => {
    await open('sync');
    assert.equal(await cell('Except', 1).inputValue(), '2020-10-03, 2020-12-21/2020-12-24');
    assert.equal(await cell('Days', 2).inputValue(), 'mon,wed');
    assert.equal(await cell('Zone', 2).inputValue(), '2');
    await picture('table');
    await cell('Time', 1).fill('8:05');
    await cell('Except', 1).fill('2020-10-05');
    await cell('Zone', 2).fill('');
    await cell('Zone', 2).press('Tab');
    await editor.done();
    const { zone: _, ...second } = lunch;
    assert.deepEqual(await bellsOf('sync'), [{ ...lesson, time: '08:05', except: '2020-10-05' }, second]);
  });

  it('says in its line what is wrong with a bell, in the words of the runtime', async () => {
    await open('sync');
    await cell('Days', 2).fill('mon-fry');
    await cell('Except', 2).fill('2020-02-30, x');
    await cell('Except', 2).press('Tab');
    const wrong = form().locator('.algo-wrong:visible .algo-error');
    await wrong.filter({ hasText: 'mon-fry' }).waitFor();
    const said = (await textOf(wrong)).split('\n');
    assert.match(
      said[0] ?? '',
      /^days must be daily, once, or weekdays such as mon-fri or mon,wed; got "mon-fry"/,
    );
    assert.match(said[1] ?? '', /^except\[0\] must be a date such as 2026-05-31; got "2020-02-30"/);
    assert.match(said[2] ?? '', /^except\[1\] must be a date/);
    await cell('Time', 1).fill('25:00');
    await cell('Time', 1).press('Tab');
    await form().locator('.algo-wrong:visible').filter({ hasText: 'time must be' }).waitFor();
    assert.equal(await form().locator('.algo-wrong:visible').count(), 2);
    await picture('wrong');
    await cancel();
  });

  it('takes rows of a spreadsheet, and of wrong ones names the line', async () => {
    await open('empty');
    assert.equal((await formOf('empty')).bells, undefined);
    await form().getByRole('button', { name: 'Paste or import' }).click();
    const text = [
      'Bell\tStart time\tDays\tAudio file\tHolidays',
      'First\t8:00\tmon-fri\tbell-na.wav\t2030-10-03; 2030-12-21/2031-01-06',
      'Second\t1:30 PM\tmon-fri\tbell-na.wav\t',
      'Third\t14:00\tmon-fryday\tbell-na.wav\t',
    ];
    const paste = form().getByLabel('Rows to add');
    await paste.fill(text.join('\n'));
    const findings = form().locator('.algo-paste .algo-findings li');
    await findings.first().waitFor();
    assert.match(await textOf(findings.first()), /^Line 4: days must be daily, once, or weekdays/);
    await picture('paste');
    await paste.fill(text.slice(0, 3).join('\n'));
    await form().getByRole('button', { name: 'Add these rows (2)' }).click();
    await editor.done();
    assert.deepEqual(await bellsOf('empty'), [
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

  it('never makes a table of what is no list of bells, and says so', async () => {
    await open('odd');
    await form().getByText('is no list of bells').waitFor();
    assert.equal(await form().locator('.algo-bells .algo-grid:visible').count(), 0);
    await cancel();
    for (const id of ['message', 'variable']) {
      await open(id);
      await form().getByText('come with each message').waitFor();
      assert.equal(await form().locator('.algo-bells .algo-grid:visible').count(), 0);
      await cancel();
    }
  });

  it('has the days of a month picked, by mouse, by keys and as a span', async () => {
    await open('skip');
    const day = (date: string) => form().locator(`[data-date="${date}"]`);
    assert.equal(await day('2030-05-08').getAttribute('aria-pressed'), 'true');
    assert.equal(await day('2030-05-11').getAttribute('aria-pressed'), 'false');
    await picture('month');
    await day('2030-05-08').click();
    await day('2030-05-31').click();
    await day('2030-05-31').press('ArrowRight');
    await day('2030-06-01').press('Enter');
    await form().getByLabel('From', { exact: true }).fill('2030-07-01');
    await form().getByLabel('To', { exact: true }).fill('2030-08-09');
    await form().getByRole('button', { name: 'Add', exact: true }).click();
    await form().getByText('Chosen days: 47').waitFor();
    await editor.done();
    assert.deepEqual(JSON.parse((await formOf('skip')).dates?.value ?? ''), [
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

  it('shows the plan of a sync before it runs, and runs it only after asking', async () => {
    await open('sync');
    await form().getByRole('button', { name: 'Show what would change' }).click();
    await form().getByText('Created: 2').waitFor();
    await form().getByText('Unchanged: 0').scrollIntoViewIfNeeded();
    await picture('plan');
    await form().getByRole('button', { name: 'Do it now' }).click();
    await form().getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await form().getByRole('button', { name: 'Show what would change' }).click();
    await form().getByText('Created: 2').waitFor();
    await form().getByRole('button', { name: 'Do it now' }).click();
    await form().getByRole('button', { name: 'Change them' }).click();
    await form().getByText('Done: accepted.').waitFor();
    await form().getByRole('button', { name: 'Show what would change' }).click();
    await form().getByText('the bells are there already').waitFor();
    await form().getByText('Unchanged: 2').waitFor();
    await cancel();
  });

  it('lists what the device rings in the next fourteen days, and skips and restores one after asking', async () => {
    await open('sync');
    await form().locator('.algo-ahead > summary').click();
    await form().getByText('As Bells says.').waitFor();
    assert.equal(await form().locator('.algo-rings h4').count(), 14);
    const skip = form().getByRole('button', { name: /^Skip Lesson on / });
    assert.equal(await skip.count(), 10);
    await skip.first().click();
    await form()
      .getByRole('group', { name: /^Really skip Lesson/ })
      .waitFor();
    await form()
      .getByRole('group', { name: /^Really skip/ })
      .getByRole('button', { name: 'Cancel' })
      .click();
    assert.equal(await skip.count(), 10);
    await skip.first().click();
    await form()
      .getByRole('group', { name: /^Really skip/ })
      .getByRole('button', { name: 'Skip' })
      .click();
    const restore = form().getByRole('button', { name: /^Restore Lesson on / });
    await restore.waitFor();
    assert.equal(await skip.count(), 9);
    await picture('ahead');
    await restore.click();
    await form()
      .getByRole('group', { name: /^Really restore/ })
      .getByRole('button', { name: 'Restore' })
      .click();
    await restore.waitFor({ state: 'detached' });
    assert.equal(await skip.count(), 10);
    await cancel();
  });

  it('makes the entries of an event that calls other devices, five at most', async () => {
    await open('change');
    await form().locator('.algo-calls > summary').click();
    const add = async (device: string, operation: string, parameters = '{}') => {
      await form().getByLabel('Other device').selectOption({ label: device });
      await form().locator('.algo-calls').getByLabel('Operation').selectOption(operation);
      await form().getByLabel('Parameters (JSON)').fill(parameters);
      await form().getByRole('button', { name: 'Add the call' }).click();
    };
    const said = (words: string | RegExp) => form().locator('.algo-calls').getByText(words).waitFor();
    await add('Hall', 'tone/start', '{"path":');
    await said('The parameters are no JSON.');
    await add('Hall', 'tone/start', '{"paht": "chime.wav"}');
    await said(/path is missing/);
    await add('Hall', 'tone/start', '{"path": "chime.wav", "loop": false}');
    await said(/^Added: Play a tone: Hall/);
    await picture('calls');
    await add('Yard', 'strobe/stop');
    await said('Write the password of the other device.');
    await form().getByLabel('Password', { exact: true }).fill('secret');
    await form().getByRole('button', { name: 'Add the call' }).click();
    await said(/^Added: .*: Yard/);
    for (let count = 3; count <= 5; count += 1) {
      await add('Hall', 'tone/start', `{"path": "netdc${count}.wav", "loop": false}`);
      await editor.page.waitForFunction(
        `document.querySelector('[data-operation="apply"] [data-field="events"] .red-ui-typedInput-input').value.includes('netdc${count}')`,
      );
    }
    await add('Hall', 'strobe/stop');
    await said('This event has five calls already.');
    await editor.done();
    const [event, ...more] = JSON.parse((await formOf('change')).events?.value ?? '') as Record<
      string,
      unknown
    >[];
    assert.deepEqual(more, []);
    const calls = event?.api_call as Record<string, string>[];
    assert.equal(calls.length, 5);
    assert.deepEqual(
      calls.slice(0, 2).map(({ method, target, path, header }) => ({ method, target, path, header })),
      [
        {
          method: 'POST',
          target: 'https://192.0.2.9',
          path: '/api/controls/tone/start',
          header: '%DEVICE_HEADERS%',
        },
        {
          method: 'POST',
          target: 'http://192.0.2.10',
          path: '/api/controls/strobe/stop',
          // admin:secret
          header: 'Authorization: Basic YWRtaW46c2VjcmV0\r\nContent-Type: application/json',
        },
      ],
    );
  });

  it('draws weeks when somebody wants to see them, and loads for it only then', async () => {
    const loaded = () => editor.page.evaluate('Boolean(window.algoWeek)');
    await open('sync');
    assert.equal(await loaded(), false);
    await form().locator('.algo-ahead > summary').click();
    await form().getByText('As Bells says.').waitFor();
    await form().getByRole('button', { name: 'Week', exact: true }).click();
    await form().locator('.algo-week .ec-event').first().waitFor();
    assert.equal(await loaded(), true);
    assert.equal(await form().locator('.algo-rings').isVisible(), false);
    await form().locator('.algo-week').scrollIntoViewIfNeeded();
    await picture('week');
    await form().getByRole('button', { name: 'List', exact: true }).click();
    assert.equal(await form().locator('.algo-rings').isVisible(), true);
    await cancel();
  });

  it('lists what the bells of the form say where there is no one device', async () => {
    await open('sync');
    await form().locator('#node-input-target').selectOption('msg');
    await form().locator('.algo-ahead > summary').click();
    await form().getByText('As the bells of this form say').waitFor();
    const rings = await form().locator('.algo-rings li').allTextContents();
    assert.equal(rings.filter((ring) => ring.trim() === '08:05 Lesson').length, 10);
    assert.equal(rings.filter((ring) => ring.trim() === '12:00 Lunch').length, 4);
    assert.equal(
      await form()
        .getByRole('button', { name: /^Skip / })
        .count(),
      0,
    );
    await form().getByRole('button', { name: 'Show what would change' }).click();
    await form().getByText('Choose one device for that').waitFor();
    await cancel();
  });

  it('does without its table and calendar where their script cannot be had', async () => {
    const other = await Editor.open(shared.browser, shared.nodeRed.url, async (page) => {
      await page.route(/algo-bells\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    });
    await other.edit('sync');
    await other.page.getByText('The table and the calendar could not be loaded').waitFor();
    await other.done();
    assert.equal((await other.stored('sync')).changed, false);
    await other.page.close();
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      const parts =
        ':is(label, summary, th, h4, li, p, .algo-hint, .algo-error, .algo-about, button:enabled, input)';
      for (const id of ['sync', 'skip']) {
        await open(id);
        await form().locator('.algo-ahead > summary').click();
        await form().getByText('As Bells says.').waitFor();
        await picture(`${id}-${theme}`);
        const ratios = await contrasts(
          editor.page,
          `:is(.algo-bells, .algo-days, .algo-plan, .algo-ahead) ${parts}`,
        );
        assert.ok(ratios.length > 30);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
        await cancel();
      }
    });
  }
});
