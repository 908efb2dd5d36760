import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** All controls that can be seen in the dialog that is open are reached by the Tab key. */
export async function reachesAll(page: Page): Promise<void> {
  const count = await page.evaluate<number>(`(() => {
    const form = document.querySelector('form:has(:is(#node-input-name, #node-config-input-name))');
    const all = form.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
    const isUsed = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.getBoundingClientRect().width > 1;
    window.untouched = new Set([...all].filter(isUsed));
    const count = untouched.size;
    form.addEventListener('focusin', ({ target }) => untouched.delete(target));
    document.activeElement.blur();
    [...untouched][0].focus();
    return count;
  })()`);
  assert.ok(count >= 4, String(count));
  let missed: string[] = [];
  // The way round leads past what is outside of the dialog, too.
  for (let press = 0; press < count + 25; press += 1) {
    await page.keyboard.press('Tab');
    if (press < count - 2) continue;
    missed = await page.evaluate(`[...untouched].filter((one) => one.checkVisibility())
      .map((one) => (one.id || one.className) + ' ' + (one.ariaLabel ?? one.textContent).trim().slice(0, 40))`);
    if (missed.length === 0) return;
  }
  assert.deepEqual(missed, [], 'the Tab key does not come to');
}
