import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { editorSession } from './session';
import { flow, rowCount, SidebarPage } from './sidebar';

describe('the sidebar, for everybody', () => {
  let editor: Editor;
  let sidebar: SidebarPage;
  editorSession(flow, (opened) => {
    editor = opened;
    sidebar = new SidebarPage(editor);
  });

  before(async () => {
    // An earlier file can have sorted the rows.
    await editor.reload();
    await sidebar.open();
    await sidebar.press('press away');
    await sidebar.row('away').getByText(wordingIn('sidebar:state.awaySince')).waitFor();
  });

  it('is used by keys alone', async () => {
    const { page } = editor;
    await sidebar.widen();
    await sidebar.search.focus();
    await sidebar.search.fill('Room-19');
    await page.locator('.algo-sidebar [role="grid"][aria-rowcount="101"]').waitFor();
    const path: string[] = [];
    for (let steps = 0; steps < 3; steps += 1) {
      await page.keyboard.press('Tab');
      path.push(await sidebar.focused());
    }
    assert.deepEqual(path.slice(0, 2), [wording('sidebar:ask'), 'CSV']);
    await page.keyboard.press('Control+Home');
    assert.equal(await sidebar.focused(), 'Room-1900');
    await page.keyboard.press('ArrowUp');
    assert.equal(await sidebar.focused(), 'Name');
    await page.keyboard.press('Enter');
    assert.equal(
      await sidebar.grid.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'descending',
    );
    await page.keyboard.press('Space');
    assert.equal(
      await sidebar.grid.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'ascending',
    );
    await page.keyboard.press('ArrowDown');
    assert.equal(await sidebar.focused(), 'Room-1900');
    await page.keyboard.press('ArrowRight');
    assert.equal(await sidebar.focused(), wording('sidebar:state.unknown'));
    await page.keyboard.press('End');
    assert.match(await sidebar.focused(), /^https:\/\/192\.0\.2\.1:119/);
    await page.keyboard.press('Control+End');
    assert.equal(await sidebar.focused(), 'https://192.0.2.1:11999');
    await page.keyboard.press('Home');
    assert.equal(await sidebar.focused(), 'Room-1999');
    await page.keyboard.press('PageUp');
    const far = await sidebar.focused();
    assert.match(far, /^Room-19/);
    await page.keyboard.press('Enter');
    assert.equal(await sidebar.focused(), far);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H3');
    assert.equal(await sidebar.root.locator('tr[aria-selected="true"] > th').textContent(), far);
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'TH');
    assert.equal(await sidebar.focused(), far);
    await sidebar.widen(false);
  });

  it('keeps the focus on a row that is scrolled away', async () => {
    const { page } = editor;
    const rows = sidebar.root.locator('.algo-rows');
    await sidebar.sought('', rowCount);
    await rows.evaluate((element) => element.scrollTo(0, 0));
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Home');
    const before = await sidebar.focused();
    await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await page.waitForFunction('document.querySelectorAll(".algo-sidebar tr[aria-hidden]").length >= 2');
    assert.equal(await sidebar.focused(), before);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'TH');
    await rows.evaluate((element) => element.scrollTo(0, 0));
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      const { page } = editor;
      await page.evaluate(`document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`);
      const texts = ':is(th, td > span, button, dt, dd, h3, h4, a, .algo-count)';
      await sidebar.sought(wording('sidebar:state.awaySince', { time: '' }).trim(), 1);
      for (const view of ['list', 'details']) {
        if (view === 'details') await sidebar.look('away');
        await page.mouse.move(0, 0);
        const ratios = await contrasts(page, `.algo-sidebar ${texts}`);
        assert.ok(ratios.length > 10, `${ratios.length} texts`);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, `${theme}, ${view}: ${ratio}`);
        for (const ratio of await contrasts(page, '.algo-sidebar i'))
          assert.ok(ratio >= 3, `${theme}: ${ratio}`);
      }
      await sidebar.close();
    });
  }

  it('names every control to those who cannot see it, and says little by itself', async () => {
    await sidebar.root
      .getByRole('status')
      .getByText(wording('sidebar:count.some', { shown: '1', total: '2,005', away: '1' }))
      .waitFor();
    const list = await sidebar.root.ariaSnapshot();
    await sidebar.look('away');
    const snapshot = list + (await sidebar.details.ariaSnapshot());
    assert.deepEqual(
      snapshot.match(/^ *- (?:textbox|searchbox|button|link|grid(?!cell))(?! ").*$/gm) ?? [],
      [],
      snapshot,
    );
    assert.ok(snapshot.includes(`- grid "${wording('sidebar:title')}"`), snapshot);
    assert.match(snapshot, /- columnheader "Name"/);
    assert.match(snapshot, /- rowheader "Away"/);
    assert.match(snapshot, /- heading "Away" \[level=3\]/);
    assert.match(snapshot, /- status: /);
  });

  it('fits at 200 %, and where the sidebar is narrow', async () => {
    const { page } = editor;
    await page.setViewportSize({ width: 750, height: 500 });
    const cut = (): Promise<string[]> =>
      page.evaluate(`(() => {
        const { right } = document.querySelector('.algo-sidebar').getBoundingClientRect();
        const parts = document.querySelectorAll('.algo-sidebar :is(.algo-bar > *, .algo-details *)');
        const isCut = (one) => one.checkVisibility() && one.getBoundingClientRect().right > right + 1;
        return [...parts].filter(isCut).map((one) => one.textContent);
      })()`);
    await page.waitForFunction('document.querySelector(".algo-details").clientHeight > 150');
    assert.deepEqual(await cut(), []);
    await sidebar.close();
    await page.waitForFunction('document.querySelector(".algo-rows").clientHeight > 100');
    assert.deepEqual(await cut(), []);
    await page.setViewportSize({ width: 1500, height: 1000 });
  });
});
