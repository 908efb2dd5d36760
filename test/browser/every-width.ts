import type { Page } from 'playwright-core';

/** What does not fit into the dialog that is open, at the width the editor gives it: scrolled or cut. */
export function cutIn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const form = document.querySelector('form:has(:is(#node-input-name, #node-config-input-name))');
    const isWide = (one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    const around = [];
    for (let one = form; !one.matches('.red-ui-tray'); one = one.parentElement) around.push(one);
    const scrolled = around.filter((one) => isWide(one) && getComputedStyle(one).overflowX !== 'visible');
    const texts = form.querySelectorAll('label, legend, summary, button, .algo-hint, .algo-error, [class*="typedInput"][class*="-label"]');
    const cut = [...texts].filter((one) => one.checkVisibility() && isWide(one));
    return [...scrolled, ...cut].map((one) => one.className + ' ' + one.textContent.trim().slice(0, 40));
  })()`);
}
