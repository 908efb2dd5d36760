import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { BellsDialog, flow } from './bells-flow';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { errorHelpOf } from './error-help';
import { editorSession } from './session';

const away = {
  id: 'away',
  type: 'algo-device',
  name: 'Away',
  address: '127.0.0.1:1',
  auth: 'none',
  tags: '',
};

describe("what a scheduler's dialog asks a device", () => {
  let editor: Editor;
  let dialog: BellsDialog;
  editorSession([...flow, away], (opened) => {
    editor = opened;
    dialog = new BellsDialog(opened);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const openDevice = async () => {
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().locator('.algo-ahead').getByRole('button', { name: 'Device', exact: true }).click();
    await dialog
      .form()
      .getByText(wording('scheduler:ahead.device', { device: 'Bells' }))
      .waitFor();
  };

  it('shows the bells of the form, as they are written, and makes a skipped day an exception', async () => {
    await dialog.open('sync');
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().getByText(wordingIn('scheduler:ahead.form')).waitFor();
    await dialog.cell('Name', 1).fill('Early');
    await dialog.cell('Name', 1).press('Tab');
    const skip = dialog.form().getByRole('button', { name: /^Skip Early on / });
    await skip.first().waitFor();
    assert.equal(await skip.count(), 10);
    const date = ((await skip.first().getAttribute('data-ring')) ?? '').slice(0, 10);
    await skip.first().click();
    const restore = dialog.form().getByRole('button', { name: /^Restore Early on / });
    await restore.waitFor();
    assert.equal(await skip.count(), 9);
    assert.match(await dialog.cell('Except', 1).inputValue(), new RegExp(`, ${date}$`));
    await restore.click();
    await restore.waitFor({ state: 'detached' });
    assert.doesNotMatch(await dialog.cell('Except', 1).inputValue(), new RegExp(date));
    await dialog.cancel();
  });

  it('shows the plan of a sync before it runs, and runs it only after asking', async () => {
    await dialog.open('sync');
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.show') })
      .click();
    await dialog.form().getByText('To be created: 2').waitFor();
    await dialog.form().getByText('Unchanged: 0').scrollIntoViewIfNeeded();
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.run') })
      .click();
    await dialog.form().getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.show') })
      .click();
    await dialog.form().getByText('To be created: 2').waitFor();
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.run') })
      .click();
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.yes') })
      .click();
    await dialog.form().getByText('Done: accepted.').waitFor();
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.show') })
      .click();
    await dialog.form().getByText(wordingIn('scheduler:plan.nothing')).waitFor();
    await dialog.form().getByText('Unchanged: 2').waitFor();
    await dialog.cancel();
  });

  it('lists what the device rings in the next fourteen days, and skips and restores one after asking', async () => {
    await dialog.open('sync');
    await openDevice();
    assert.equal(await dialog.form().locator('.algo-rings h4').count(), 14);
    const skip = dialog.form().getByRole('button', { name: /^Skip Lesson on / });
    assert.equal(await skip.count(), 10);
    await skip.first().click();
    await dialog
      .form()
      .getByRole('group', { name: /^Skip Lesson/ })
      .waitFor();
    await dialog
      .form()
      .getByRole('group', { name: wordingIn('scheduler:ahead.askSkip') })
      .getByRole('button', { name: 'Cancel' })
      .click();
    assert.equal(await skip.count(), 10);
    await skip.first().click();
    await dialog
      .form()
      .getByRole('group', { name: wordingIn('scheduler:ahead.askSkip') })
      .getByRole('button', { name: 'Skip' })
      .click();
    const restore = dialog.form().getByRole('button', { name: /^Restore Lesson on / });
    await restore.waitFor();
    assert.equal(await skip.count(), 9);
    await restore.click();
    await dialog
      .form()
      .getByRole('group', { name: wordingIn('scheduler:ahead.askUnskip') })
      .getByRole('button', { name: 'Restore' })
      .click();
    await restore.waitFor({ state: 'detached' });
    assert.equal(await skip.count(), 10);
    await dialog.cancel();
  });

  it('links the error of a failed plan and of a failed preview to its causes', async () => {
    await dialog.open('sync');
    await editor.page.locator('#node-input-device').selectOption('away');
    const code = 'UNREACHABLE';
    const leadsToHelp = async (place: string) => {
      const statusText = dialog.form().locator(`${place} > [role="status"]`);
      await statusText.getByText(wordingIn('reasons:refusesConnections')).waitFor();
      const link = statusText.getByRole('link', {
        name: wording('device:test.errorHelp', { code }),
        exact: true,
      });
      assert.equal(await link.getAttribute('href'), errorHelpOf(code));
    };
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.show') })
      .click();
    await leadsToHelp('.algo-plan');
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().locator('.algo-ahead').getByRole('button', { name: 'Device', exact: true }).click();
    await leadsToHelp('.algo-ahead');
    await dialog.cancel();
  });

  it('makes the entries of an event that calls other devices, five at most', async () => {
    await dialog.open('change');
    await dialog.form().locator('.algo-calls > summary').click();
    const add = async (device: string, operation: string, parameters = '{}') => {
      await dialog.form().getByLabel(wording('scheduler:calls.device')).selectOption({ label: device });
      await dialog.form().locator('.algo-calls').getByLabel('Operation').selectOption(operation);
      await dialog.form().getByLabel(wording('scheduler:calls.parameters')).fill(parameters);
      await dialog
        .form()
        .getByRole('button', { name: wording('scheduler:calls.add') })
        .click();
    };
    const statusText = (words: string | RegExp) =>
      dialog.form().locator('.algo-calls').getByText(words).waitFor();
    await add('Hall', 'tone/start', '{"path":');
    await statusText(wording('scheduler:calls.json'));
    await add('Hall', 'tone/start', '{"paht": "chime.wav"}');
    await statusText(/path is required/);
    await add('Hall', 'tone/start', '{"path": "chime.wav", "loop": false}');
    await statusText(/^Added: Play a tone: Hall/);
    await add('Yard', 'strobe/stop');
    await statusText(wording('scheduler:calls.noPassword'));
    await dialog.form().getByLabel('Password', { exact: true }).fill('secret');
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:calls.add') })
      .click();
    await statusText(/^Added: .*: Yard/);
    for (let count = 3; count <= 5; count += 1) {
      await add('Hall', 'tone/start', `{"path": "netdc${count}.wav", "loop": false}`);
      await editor.page.waitForFunction(
        `document.querySelector('[data-operation="apply"] [data-field="events"] .red-ui-typedInput-input').value.includes('netdc${count}')`,
      );
    }
    await add('Hall', 'strobe/stop');
    await statusText(wording('scheduler:calls.five'));
    await editor.done();
    const [event, ...more] = JSON.parse((await dialog.formOf('change')).events?.value ?? '') as Record<
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
    await dialog.open('sync');
    assert.equal(await loaded(), false);
    await openDevice();
    await dialog.form().getByRole('button', { name: 'Week', exact: true }).click();
    await dialog.form().locator('.algo-week .ec-event').first().waitFor();
    assert.equal(await loaded(), true);
    const times = await dialog.form().locator('.algo-week .ec-event-time').allTextContents();
    assert.deepEqual([...new Set(times)].sort(), ['12:00', '8:00']);
    assert.equal(await dialog.form().locator('.algo-rings').isVisible(), false);
    await dialog.form().locator('.algo-week').scrollIntoViewIfNeeded();
    await dialog.form().getByRole('button', { name: 'List', exact: true }).click();
    assert.equal(await dialog.form().locator('.algo-rings').isVisible(), true);
    await dialog.cancel();
  });

  it('draws weeks that can be read, whatever colors the bells have, in both themes', async () => {
    await dialog.open('sync');
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().getByText(wordingIn('scheduler:ahead.form')).waitFor();
    await dialog.form().getByRole('button', { name: 'Week', exact: true }).click();
    await dialog.form().locator('.algo-week .ec-event').first().waitFor();
    const colors = ['', '#ffff00', '#000080', '#7f7f7f', '#ff0000', '#0070c0', '#ffffff', '#000000'];
    for (const isDark of [false, true]) {
      await editor.page.evaluate(`{
        document.documentElement.classList.toggle('nr-theme-dark', ${isDark});
        const day = new Date().toISOString().slice(0, 10);
        const rings = ${JSON.stringify(colors)}.map((color, index) => (
          { evid: index, name: 'Bell', start_time: String(7 + index).padStart(2, '0') + ':00', color }));
        algoWeek.show(document.querySelector('.algo-week'), { [day]: rings });
      }`);
      await dialog
        .form()
        .locator('.algo-week .ec-event')
        .nth(colors.length - 1)
        .waitFor();
      const bells = await contrasts(editor.page, '.algo-week .ec-event-time');
      assert.equal(bells.length, colors.length);
      const around = await contrasts(editor.page, '.algo-week :is(h2, .ec-col-head time, .ec-sidebar time)');
      assert.ok(around.length > 20);
      const low = [...bells, ...around].filter((ratio) => ratio < 4.5);
      assert.deepEqual(low, [], isDark ? 'dark' : 'light');
    }
    await editor.page.evaluate('document.documentElement.classList.remove("nr-theme-dark")');
    await dialog.cancel();
  });

  it('says on each tile of a week when a bell rings, and as its title also the name', async () => {
    await dialog.open('sync');
    await dialog.cell('Time', 1).fill('07:05');
    await dialog.cell('Time', 2).fill('12:30');
    await dialog.cell('Time', 2).press('Tab');
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().getByText(wordingIn('scheduler:ahead.form')).waitFor();
    await dialog.form().getByRole('button', { name: 'Week', exact: true }).click();
    const tiles = dialog.form().locator('.algo-week .ec-event');
    await tiles.first().waitFor();
    const times = await tiles.locator('time').allTextContents();
    assert.deepEqual([...new Set(times)].sort(), ['12:30', '7:05']);
    const titles = await tiles.evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    assert.deepEqual([...new Set(titles)].sort(), ['12:30 Lunch', '7:05 Lesson']);
    await dialog.cancel();
  });

  it('has every time of a week whole, also of bells that ring shortly after one another', async () => {
    await dialog.open('sync');
    await dialog.cell('Time', 1).fill('23:50');
    await dialog.cell('Time', 2).fill('23:35');
    await dialog.cell('Time', 2).press('Tab');
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().getByText('According to the bells of this form').waitFor();
    await dialog.form().getByRole('button', { name: 'Week', exact: true }).click();
    const tiles = dialog.form().locator('.algo-week .ec-event');
    await tiles.first().waitFor();
    const cut = await tiles.locator('time').evaluateAll((all) =>
      all.flatMap((one) => {
        const [text, tile] = [document.createRange(), one.closest('.ec-event')?.getBoundingClientRect()];
        text.selectNodeContents(one);
        const { right, bottom } = text.getBoundingClientRect();
        const isWhole = tile && right <= tile.right && bottom <= tile.bottom;
        return isWhole ? [] : [one.textContent];
      }),
    );
    assert.deepEqual(cut, []);
    const times = await tiles.locator('time').allTextContents();
    assert.deepEqual([...new Set(times)].sort(), ['23:35', '23:50']);
    const titles = await tiles.evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    assert.deepEqual([...new Set(titles)].sort(), ['23:35 Lunch\n23:50 Lesson', '23:50 Lesson']);
    await dialog.cancel();
  });

  it('lists what the bells of the form say where there is no one device', async () => {
    await dialog.open('sync');
    await dialog.form().locator('#node-input-target').selectOption('msg');
    await dialog.form().locator('.algo-ahead > summary').click();
    await dialog.form().getByText(wordingIn('scheduler:ahead.form')).waitFor();
    const rings = await dialog.form().locator('.algo-rings li').allTextContents();
    assert.equal(rings.filter((ring) => ring.startsWith('08:00 Lesson')).length, 10);
    assert.equal(rings.filter((ring) => ring.startsWith('12:00 Lunch')).length, 4);
    await dialog
      .form()
      .getByRole('button', { name: wording('scheduler:plan.show') })
      .click();
    await dialog.form().getByText(wordingIn('scheduler:bells.noDevice')).waitFor();
    await dialog.cancel();
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      const parts =
        ':is(label, summary, th, h4, li, p, .algo-hint, .algo-error, .algo-about, button:enabled, input)';
      for (const id of ['sync', 'skip']) {
        await dialog.open(id);
        await dialog.form().locator('.algo-ahead > summary').click();
        await dialog
          .form()
          .getByText(
            id === 'sync'
              ? wordingIn('scheduler:ahead.form')
              : wording('scheduler:ahead.device', { device: 'Bells' }),
          )
          .waitFor();
        const ratios = await contrasts(
          editor.page,
          `:is(.algo-bells, .algo-days, .algo-plan, .algo-ahead) ${parts}`,
        );
        assert.ok(ratios.length > 30);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
        await dialog.cancel();
      }
    });
  }

  it('reads what rings again after "Try it" has sent a change', async () => {
    const form = dialog.form();
    const tryIt = async () => {
      await form.getByRole('button', { name: wording('shared:form.try'), exact: true }).press('Enter');
      await form.getByRole('button', { name: wording('device:try.send') }).press('Enter');
      await form
        .locator('#algo-tried')
        .getByText(/Bells: accepted after/)
        .waitFor();
    };
    await dialog.open('clear');
    await tryIt();
    await dialog.cancel();
    await dialog.open('sync');
    await openDevice();
    const skip = form.getByRole('button', { name: /^Skip Lesson on / });
    assert.equal(await skip.count(), 0);
    await tryIt();
    await skip.first().waitFor();
    assert.equal(await skip.count(), 10);
    await dialog.cancel();
  });
});
