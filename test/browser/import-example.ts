import type { Locator, Page } from 'playwright-core';

/** Opens a folder of the list. On a busy machine core may not take a click yet, or take two of them for one. */
async function unfold(folder: Locator, child: Locator): Promise<void> {
  do {
    await folder.click();
    await child.waitFor({ timeout: 2_000 }).catch(() => {});
  } while (!(await child.isVisible()));
}

/** Imports an example as the README says: menu, Import, Examples, package, folder. */
export async function importExample(page: Page, folder: string, title: string): Promise<void> {
  await page.locator('#red-ui-header-button-sidemenu').click();
  await page.locator('#menu-item-import').click();
  await page.getByRole('link', { name: 'Examples' }).click();
  const list = page.locator('#red-ui-clipboard-dialog-import-tab-examples');
  const entry = (name: string) =>
    list
      .locator('.red-ui-treeList-label')
      .filter({ has: page.locator('.red-ui-treeList-label-text').getByText(name, { exact: true }) });
  const example = entry(title);
  await unfold(entry('@openpaging/node-red-algo'), entry(folder));
  await unfold(entry(folder), example);
  await example.click();
  // On a busy machine core may tell of the folder that was opened only now, and take the choice back.
  const ok = page.locator('#red-ui-clipboard-dialog-ok:enabled');
  while ((await ok.count()) === 0) {
    await example.click();
    await ok.waitFor({ timeout: 2_000 }).catch(() => {});
  }
  await ok.click();
  await page
    .locator('.red-ui-clipboard-dialog, #red-ui-clipboard-dialog')
    .first()
    .waitFor({ state: 'hidden' });
}
