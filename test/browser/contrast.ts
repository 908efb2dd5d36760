import type { Page } from 'playwright-core';

/** How much the visible texts stand out from what is behind them: the ratio of WCAG 2. */
export function contrasts(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(`(() => {
    // What fades from one color to the other would still have the former.
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important; }');
    const sheets = document.adoptedStyleSheets;
    document.adoptedStyleSheets = [...sheets, still];
    const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const parse = (color) => {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = color;
      brush.fillRect(0, 0, 1, 1);
      return [...brush.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (color) => {
      const [red, green, blue] = parse(color).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = (element) => {
      const { backgroundColor } = getComputedStyle(element);
      return parse(backgroundColor)[3] === 255 ? backgroundColor : ground(element.parentElement);
    };
    const visible = [...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.checkVisibility());
    const found = visible.map((one) => {
      const [dark, light] = [luminance(getComputedStyle(one).color), luminance(ground(one))].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    });
    document.adoptedStyleSheets = sheets;
    return found;
  })()`);
}

/** The same in both of the editor's themes, one after the other, in what is open. */
export async function contrastsInBoth(page: Page, selector: string): Promise<[theme: string, number[]][]> {
  const found: [string, number[]][] = [];
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`);
    found.push([theme, await contrasts(page, selector)]);
  }
  return found;
}
