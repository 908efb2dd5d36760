import type { Page } from 'playwright-core';
import { resources, wordsOfNode } from '../editor/pages';
import { englishIn } from './english';

/** Labels, hints and messages of all nodes in English that a language says in other words. */
function englishOnly(language: string): ReadonlySet<string> {
  const [english, own] = ['en-US', language].map((one) =>
    resources.map((resource) => wordsOfNode(one, resource)),
  );
  const ownTexts = new Set(own?.flatMap((texts) => [...texts.values()]));
  return new Set(english?.flatMap((texts) => [...texts.values()].filter((text) => !ownTexts.has(text))));
}

const known = new Map<string, ReadonlySet<string>>();

/** What a person reads or hears of elements: texts, names, hints, what stands in empty fields and on buttons. */
export function readIn(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const texts = new Set();
    const attributes = ['title', 'placeholder', 'aria-label', 'alt', 'label'];
    for (const place of document.querySelectorAll(${JSON.stringify(selector)})) {
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      for (let node = walker.currentNode; node; node = walker.nextNode()) {
        // Node-RED's own widgets, what no page shows, and what is marked as English.
        const element = node.nodeType === 1 ? node : node.parentElement;
        if (element.closest('script, style, [lang="en"], .red-ui-typedInput-container, [class*="red-ui-editableList"]')) continue;
        if (node.nodeType === 3) texts.add(node.data.trim());
        else for (const name of attributes) texts.add(node.getAttribute(name)?.trim() ?? '');
      }
    }
    texts.delete('');
    return [...texts];
  })()`);
}

/** Signs that no French text has without a space that does not break; what is quoted has its own. */
const bare = /[^\u00a0]:(?=\s|$)|[^\u202f];(?=\s|$)/;

/** Those of some texts that are English, or have English signs, in an editor that is set to another language. */
export function leftoversIn(language: string, texts: readonly string[]): string[] {
  const english = known.get(language) ?? englishOnly(language);
  known.set(language, english);
  // A wire name may stand behind its words, in brackets.
  return texts.filter(
    (text) =>
      english.has(text) ||
      englishIn(text.replace(/\([\w-]+\)/g, '')).length > 0 ||
      (language === 'fr' && bare.test(text.replace(/"[^"]*":?/g, 'x'))),
  );
}
