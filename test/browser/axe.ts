import type { Page } from 'playwright-core';

/** What axe has against something on a page. */
export interface Complaint {
  readonly rule: string;
  /** What it looks like to those who look for its kind: its tag, and what Node-RED calls it. */
  readonly shape: string;
  readonly target: string;
  readonly why: string;
}

const source = require('axe-core').source as string;

/** Brings axe into a page, also into one that allows no scripts of others. */
export async function bringAxe(page: Page): Promise<void> {
  await page.evaluate(`${source};true`);
}

/** The rules that look at colors: of what has been heard in one theme, only these may find more in another. */
export const ofColors: readonly string[] = ['color-contrast', 'link-in-text-block'];

/**
 * What axe has against a part of the page, as it is there.
 * @param rules the only ones that count; all of them, if there are none
 */
export function complaintsOf(page: Page, part: string, rules: readonly string[] = []): Promise<Complaint[]> {
  return page.evaluate(`(async () => {
    const part = ${JSON.stringify(part)};
    const context = part === 'html' ? document : { include: [[part]], exclude: [['.ec']] };
    const rules = ${JSON.stringify(rules)};
    const { violations } = await axe.run(context, {
      ...(rules.length > 0 && { runOnly: rules }),
      resultTypes: ['violations'],
      preload: false,
    });
    const nameOf = (selector) => {
      const element = document.querySelector(selector);
      if (!element) return '';
      const own = [element.id, ...element.classList].filter((name) => name.startsWith('red-ui-'));
      return [element.tagName.toLowerCase(), ...own.sort()].join('.');
    };
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => ({
      rule: id,
      shape: nameOf(target.flat().at(-1)),
      target: target.flat().join(' '),
      why: failureSummary,
    })));
  })()`);
}
