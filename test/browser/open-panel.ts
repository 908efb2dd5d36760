import type { Page } from 'playwright-core';
import { patienceMs } from '../fixtures/waiting';
import type { Editor } from './editor';

/** Presses "Open the panel" in the open dialog, and gives the page that opens. */
export async function openPanel({ page }: Editor, button = '#algo-virtual-open'): Promise<Page> {
  const opened = page.context().waitForEvent('page', { timeout: patienceMs });
  await page.locator(button).click();
  const panel = await opened;
  panel.setDefaultTimeout(patienceMs);
  await panel.locator('#connection[data-state="on"]').waitFor();
  return panel;
}

/**
 * Resolves once a script in the page is true. A panel allows no `eval`, which Playwright's own way of
 * waiting needs from its second look on.
 */
export async function holds(page: Page, script: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => ((${script}) ? resolve() : setTimeout(look, 20));
    look();
  })`);
}
