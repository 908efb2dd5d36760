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

/** The rules that look at colors: of what axe has found in one theme, only these may find more in another. */
export const ofColors: readonly string[] = ['color-contrast', 'link-in-text-block'];

/**
 * Runs something while a dialog is all that is on the page, and while it is painted: axe asks for the style of each
 * element of a page, and the rest of the editor has ten times as many as a dialog. Ids of the rest stay, since each may
 * be there once only, and something may refer to it.
 */
const alone = `async (part, run) => {
  const stubs = new Map();
  const looks = 'style, link';
  const dialog = document.querySelector(part)?.closest('.red-ui-tray');
  for (let one = dialog; one && one !== document.body; one = one.parentElement)
    for (const other of [...one.parentElement.children]) {
      if (other === one || other.matches('.red-ui-tray, ' + looks) || other.querySelector(looks)) continue;
      const stub = document.createElement('div');
      stub.hidden = true;
      for (const { id } of [other, ...other.querySelectorAll('[id]')])
        if (id) stub.appendChild(document.createElement('i')).id = id;
      stubs.set(stub, other);
      other.replaceWith(stub);
    }
  document.body.style.setProperty('opacity', '1', 'important');
  try {
    return await run();
  } finally {
    document.body.style.removeProperty('opacity');
    for (const [stub, other] of stubs) stub.replaceWith(other);
  }
}`;

/** Node-RED 4.1 has no dark theme. */
const hasDarkTheme = process.env.ALGO_NODE_RED !== 'node-red-4';

/**
 * What axe has against a part of the page, as it is there.
 * @param rules the only ones that count; all of them, if there are none
 * @param inBoth also in the dark theme of Node-RED's editor, if it has one
 */
export function complaintsOf(
  page: Page,
  part: string,
  rules: readonly string[] = [],
  inBoth = false,
): Promise<Complaint[]> {
  return page.evaluate(`(async () => {
    const part = ${JSON.stringify(part)};
    const context = part === 'html' ? document : { include: [[part]], exclude: [['.ec']] };
    const run = async (rules) => (await axe.run(context, {
      ...(rules.length > 0 && { runOnly: rules }),
      resultTypes: ['violations'],
      preload: false,
    })).violations;
    const { classList } = document.documentElement;
    const violations = await (${alone})(part, async () => {
      const found = await run(${JSON.stringify(rules)});
      if (!${inBoth && hasDarkTheme}) return found;
      classList.add('nr-theme-dark');
      try {
        return [...found, ...(await run(${JSON.stringify(ofColors)}))];
      } finally {
        classList.remove('nr-theme-dark');
      }
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
