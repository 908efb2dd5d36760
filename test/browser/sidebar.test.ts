import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { wording, wordingIn } from '../fixtures/wording';
import type { Editor } from './editor';
import { editorSession } from './session';
import { flow, hostile, roomCount, rowCount, SidebarPage } from './sidebar';

/** However many there are: what is on the screen, and a few beyond its edges. */
const maxDrawn = 80;

describe('the sidebar', () => {
  let editor: Editor;
  let sidebar: SidebarPage;
  editorSession(flow, (opened) => {
    editor = opened;
    sidebar = new SidebarPage(editor);
  });
  // Scripts that an earlier file has loaded are not loaded again.
  before(() => editor.reload());

  it('is loaded when it is first shown, and asks for nothing before', async () => {
    const { page } = editor;
    assert.equal(await page.evaluate('typeof window.algoSidebar'), 'undefined');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('algo')) asked.push(new URL(request.url()).pathname);
    });
    await sidebar.open();
    // Said again every ten seconds.
    assert.deepEqual(
      [...new Set(asked)],
      ['/resources/@openpaging/node-red-algo/algo-sidebar.js', '/algo/overview/watch'],
    );
  });

  it('draws only what is on the screen, however far one scrolls', async () => {
    const drawn = () => sidebar.grid.locator('tr[data-id]').count();
    assert.ok((await drawn()) <= maxDrawn, `${await drawn()} rows`);
    const rows = sidebar.root.locator('.algo-rows');
    await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await sidebar.row(`rooms/Room-${roomCount - 1}`).waitFor();
    assert.ok((await drawn()) <= maxDrawn, `${await drawn()} rows`);
    const last = sidebar.row(`rooms/Room-${roomCount - 1}`);
    assert.equal(await last.getAttribute('aria-rowindex'), String(rowCount + 1));
    await rows.evaluate((element) => element.scrollTo(0, 0));
    await sidebar.row('hostile').waitFor();
  });

  it('shows what happens as it happens', async () => {
    await sidebar.widen();
    await sidebar.sought('bells', 1);
    assert.match((await sidebar.row('bells').textContent()) ?? '', wordingIn('sidebar:state.unknown'));
    await sidebar.press('press');
    await sidebar.row('bells').getByText('tone: Play a tone: accepted').waitFor();
    await sidebar.row('bells').getByText('online', { exact: true }).waitFor();
    await sidebar.sought('', rowCount);
    await sidebar.press('press away');
    await sidebar.sought(wording('sidebar:state.awaySince', { time: '' }).trim(), 1);
    await sidebar.row('away').getByText(wordingIn('reasons:refusesConnections')).waitFor();
    await sidebar.widen(false);
    await sidebar.sought('', rowCount);
  });

  it('sorts by each column, and says by which', async () => {
    assert.ok((await sidebar.grid.getByRole('columnheader').count()) < 12);
    await sidebar.widen();
    const heads = await sidebar.grid.getByRole('columnheader').all();
    assert.equal(heads.length, 13);
    for (const head of heads) {
      const button = head.getByRole('button');
      const before = await head.getAttribute('aria-sort');
      await button.click();
      const first = await sidebar.names();
      assert.equal(await head.getAttribute('aria-sort'), before === 'ascending' ? 'descending' : 'ascending');
      assert.equal(await sidebar.grid.locator('[aria-sort]').count(), 1);
      await button.click();
      assert.equal(await head.getAttribute('aria-sort'), before === 'ascending' ? 'ascending' : 'descending');
      const heading = ((await head.textContent()) ?? '').trim();
      if (heading === 'Name') assert.notDeepEqual(first, await sidebar.names());
    }
    await sidebar.widen(false);
    await sidebar.grid.getByRole('button', { name: 'State' }).click();
    assert.equal((await sidebar.names())[0], 'Away');
  });

  it('shows all of one row, and the nodes that use it, which a click leads to', async () => {
    const { page } = editor;
    await sidebar.look('away');
    await sidebar.details.getByRole('heading', { name: 'Away' }).waitFor();
    assert.match((await sidebar.details.textContent()) ?? '', wordingIn('reasons:refusesConnections'));
    assert.equal(
      await sidebar.details.getByRole('link', { name: wording('sidebar:details.page') }).getAttribute('href'),
      'http://127.0.0.1:1/',
    );
    const help = sidebar.details.getByRole('link', {
      name: wording('device:test.errorHelp', { code: 'UNREACHABLE' }),
      exact: true,
    });
    assert.match((await help.getAttribute('href')) ?? '', /\/docs\/errors\.md#unreachable$/);
    const ofAlert = { name: `Lockdown ${hostile} (Evenings)` };
    assert.equal(await sidebar.details.getByRole('button', ofAlert).count(), 1);
    assert.equal(await page.evaluate('RED.workspaces.active()'), 'first');
    await sidebar.details.getByRole('button', { name: 'ring away (Evenings)' }).click();
    assert.equal(await page.evaluate('RED.workspaces.active()'), 'second');
    await page.evaluate('RED.workspaces.show("first")');
    await sidebar.close();
  });

  it('opens the panel of a virtual device', async () => {
    await sidebar.sought('bells', 1);
    await sidebar.look('bells');
    const opened = editor.page.context().waitForEvent('page');
    await sidebar.details.getByRole('button', { name: wording('sidebar:details.panel') }).click();
    const panel = await opened;
    await panel.locator('#connection[data-state="on"]').waitFor();
    await panel.close();
  });

  it('asks a device who it is', async () => {
    await sidebar.details.getByRole('button', { name: wording('sidebar:details.ask') }).click();
    await sidebar.details.getByText('Algo 8301').waitFor();
    await sidebar.close();
    await sidebar.sought('', rowCount);
  });

  it('shows what supervision found, and the acknowledgement and the report of an alert, as text', async () => {
    await sidebar.widen();
    await sidebar.sought('away', 1);
    const { away, lockdown } = { away: sidebar.row('away'), lockdown: sidebar.row('lockdown') };
    await away.getByText(wording('sidebar:supervision.offline'), { exact: true }).waitFor();
    await sidebar.look('away');
    await sidebar.details.getByText(wording('sidebar:check.contact')).waitFor();
    await sidebar.close();
    await sidebar.sought('lockdown', 1);
    await sidebar.press('lock');
    await lockdown.getByText(wording('alert:status.on', { done: '1', all: '2' })).waitFor();
    await lockdown.getByText(wording('sidebar:acknowledged.count', { count: '0' })).waitFor();
    await lockdown.getByText(wordingIn('sidebar:report.missed')).waitFor();
    await sidebar.press('answer');
    await lockdown.getByText(wording('sidebar:acknowledged.count', { count: '1' })).waitFor();
    await sidebar.press('unlock');
    await lockdown.getByText(wording('alert:status.idle')).waitFor();
    await sidebar.look('lockdown');
    const facts = (await sidebar.details.locator('dl').textContent()) ?? '';
    for (const text of ['Anna', 'Ben', `${hostile} (`, 'safe', 'Away: '])
      assert.ok(facts.includes(text), text);
    assert.match(facts, wordingIn('sidebar:report.reached'));
    assert.equal(await editor.page.evaluate('window.isHostile'), undefined);
    assert.equal(await sidebar.details.getByText(wording('sidebar:details.noUsers')).isVisible(), false);
    await sidebar.details.getByRole('button', { name: wording('sidebar:details.edit') }).click();
    await editor.settled('#node-input-name');
    assert.equal(await editor.page.locator('#node-input-name').inputValue(), `Lockdown ${hostile}`);
    await editor.done('#node-dialog-cancel');
    await sidebar.close();
    await sidebar.widen(false);
    await sidebar.sought('', rowCount);
  });

  it('opens the dialog of a device, and of a row that of its group', async () => {
    const { page } = editor;
    for (const [sought, field, name] of [
      ['offline since', '#node-config-input-address', 'http://127.0.0.1:1'],
      ['Room-0007', '#node-config-input-name', 'All rooms'],
    ] as const) {
      await sidebar.sought(sought, 1);
      await sidebar.grid.locator('tr[data-id]').click();
      await sidebar.details.getByRole('button', { name: wording('sidebar:details.edit') }).press('Enter');
      await editor.settled(field === '#node-config-input-name' ? field : '#node-config-input-name');
      assert.equal(await page.locator(field).inputValue(), name);
      await editor.done('#node-config-dialog-cancel');
      await sidebar.close();
    }
    await sidebar.sought('', rowCount);
  });

  it('exports what is shown as CSV, with nothing in it that a spreadsheet would run', async () => {
    const { page } = editor;
    await page.locator('.algo-sidebar [role="grid"]').waitFor();
    const download = page.waitForEvent('download');
    await sidebar.root.getByRole('button', { name: 'CSV' }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^algo-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    assert.equal(lines[0], '\uFEFF"Name","Address","Model","Firmware","MAC address"');
    assert.equal(lines.length, roomCount + 3 + 2);
    assert.ok(lines.includes(`"'=cmd|""/c calc""!A1","http://192.0.2.7","","",""`));
    assert.ok(
      lines.some((line) => /^"Bells","http:\/\/127\.0\.0\.1:\d+","8301","5\.7","[\da-f:]{17}"$/i.test(line)),
    );
    assert.ok(lines.every((line) => !/(?:^|,)"[=+@-]/.test(line)));
  });

  it('is told nothing while it is hidden, and everything again when it is shown', async () => {
    const { page } = editor;
    await page.evaluate(`(() => {
      window.newsCount = 0;
      RED.comms.subscribe('algo/overview', () => (window.newsCount += 1));
    })()`);
    const released = page.waitForEvent('console', (line) => line.text() === 'released');
    await page.evaluate(`(() => {
      const { send } = RED.comms;
      RED.comms.send = (topic, message) => {
        send(topic, message);
        if (topic === 'algo/overview' && message.over) console.info('released');
      };
    })()`);
    await page.evaluate('RED.sidebar.show("info")');
    await released;
    const count = await page.evaluate('window.newsCount');
    await page.evaluate('RED.workspaces.show("second")');
    await sidebar.press('press away');
    await editor.node('ring away').getByText(wordingIn('reasons:refusesConnections')).waitFor();
    assert.equal(await page.evaluate('window.newsCount'), count);
    await sidebar.open();
    await page.waitForFunction(`window.newsCount > ${count}`);
  });
});
