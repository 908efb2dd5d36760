import type { Page } from 'playwright-core';
import type { Editor } from './editor';

/** Presses "Open the panel" in the open dialog, and gives the page that opens. */
export async function openPanel({ page }: Editor, button = '#algo-virtual-open'): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.locator(button).click();
  const panel = await opened;
  panel.setDefaultTimeout(40_000);
  await panel.locator('#connection[data-state="on"]').waitFor();
  return panel;
}
