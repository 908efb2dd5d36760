import type { Page } from 'playwright-core';

/**
 * What does not fit into the dialog that is open, at the width the editor gives it: scrolled, cut, or out of its
 * column, as a field below its label, or a hint that begins left of its field.
 */
export function cutIn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const form = document.querySelector('form:has(:is(#node-input-name, #node-config-input-name))');
    const isWide = (one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    const around = [];
    for (let one = form; !one.matches('.red-ui-tray'); one = one.parentElement) around.push(one);
    const scrolled = around.filter((one) => isWide(one) && getComputedStyle(one).overflowX !== 'visible');
    const texts = form.querySelectorAll('label, legend, summary, button, .algo-hint, .algo-error, [class*="typedInput"][class*="-label"]');
    // What is only to be read out has no width at all.
    const isSeen = (one) => one.checkVisibility() && getComputedStyle(one).clipPath === 'none';
    const cut = [...texts].filter((one) => isSeen(one) && isWide(one));
    const astray = [...form.querySelectorAll('.form-row > label')].flatMap((label) => {
      const seen = [...label.parentElement.children].filter((one) => one !== label && one.checkVisibility() && one.clientWidth > 0);
      const field = seen.find((one) => !/algo-(hint|error|warning)/.test(one.className));
      if (!label.checkVisibility() || !field) return [];
      const { left, top } = field.getBoundingClientRect();
      const hints = seen.filter((one) => one.matches('.algo-hint') && one.getBoundingClientRect().left < left - 4);
      return top >= label.getBoundingClientRect().bottom ? [label, ...hints] : hints;
    });
    return [...scrolled, ...cut, ...astray].map((one) => one.className + ' ' + one.textContent.trim().slice(0, 40));
  })()`);
}
