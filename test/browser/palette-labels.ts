import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** The labels of our nodes in the palette that break within a word. */
export async function brokenLabels(page: Page): Promise<unknown[]> {
  const nodes = page.locator('.red-ui-palette-node[data-palette-type^="algo-"]');
  const shown = await nodes.evaluateAll((found) =>
    found.map((node) => ({
      label: node.getAttribute('data-palette-label') ?? '',
      lines: node.querySelector('.red-ui-palette-label')?.innerHTML.split('<br>') ?? [],
    })),
  );
  assert.ok(shown.length > 15, String(shown.length));
  const wordsOf = (line: string) => line.split(/[ -]/).filter((word) => word !== '');
  // The label of the element goes on with words to search for.
  return shown.filter(({ label, lines }) => {
    const words = lines.flatMap(wordsOf);
    return words.join(' ') !== wordsOf(label).slice(0, words.length).join(' ');
  });
}
