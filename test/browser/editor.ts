import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { patienceMs } from '../fixtures/waiting';
import { wording } from '../fixtures/wording';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's Chromium without a window takes a fifth less of the processor than the whole one. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Starts Debian's Chromium, or the one that `CHROMIUM` names; most tests have theirs from `session.ts`. */
export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? programs.find(existsSync) ?? String(programs.at(-1));
  return chromium.launch({ executablePath, args: flags });
}

/** Where a page may be opened. */
export type Pages = Pick<Browser, 'newPage'>;

/** The text of an element, without the blanks around it. */
export async function textOf(element: Locator): Promise<string> {
  return ((await element.textContent()) ?? '').trim();
}

/** The editor's own files throw where it starts slowly; a fault of ours has a line in ours. */
function isOfEditor(stack: string): boolean {
  // The debug sidebar of the editor throws at a message that comes before the flow is loaded.
  if (stack.includes('handleDebugMessage')) return true;
  // What the browser itself brings, as `forEach`, is nobody's.
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.endsWith('(<anonymous>)'));
  return places.length > 0 && places.every((line) => /\/(red|vendor)\/[\w./-]+\.js\b/.test(line));
}

/** Node-RED answers a deploy before its flows run, and says later that they do; the last time is said to who asks. */
const untilItRuns = `new Promise((resolve) => {
  const topic = 'notification/runtime-deploy';
  RED.comms.subscribe(topic, function listen(_, { revision }) {
    if (revision !== RED.nodes.version()) return;
    RED.comms.unsubscribe(topic, listen);
    resolve();
  });
})`;

/** Node-RED's editor in a page, as a person uses it. */
export class Editor {
  /** What went wrong in the page itself: exceptions and error lines. */
  readonly faults: string[] = [];

  private constructor(readonly page: Page) {
    // The page can have had the editor of another file.
    for (const event of ['pageerror', 'console', 'request']) page.removeAllListeners(event);
    page.on('pageerror', ({ stack = '', message }) => {
      if (!isOfEditor(stack)) this.faults.push(stack || message);
    });
    page.on('console', (line) => {
      // The editor's own line to Node-RED breaks when its page goes away.
      // An error of a subscriber comes as an error of the page too, with its stack.
      // The same error also comes as a line of its own, with its stack.
      const text = line.text();
      const isOwn =
        isOfEditor(text) ||
        /^(?:WebSocket connection to '\S+\/comms' failed|Uncaught error from RED\.comms)/.test(text);
      if (!isOwn && ['error', 'warning'].includes(line.type())) this.faults.push(text);
    });
  }

  /**
   * Opens the editor and waits for the palette and the flow.
   * @param prepare what is done in the page before that, or on the way there
   */
  static async open(browser: Pages, url: string, prepare?: (page: Page) => Promise<void>): Promise<Editor> {
    return Editor.show(await browser.newPage(), url, prepare);
  }

  /** The same in a page that is there. */
  static async show(page: Page, url: string, prepare?: (page: Page) => Promise<void>): Promise<Editor> {
    await page.setViewportSize({ width: 1500, height: 1000 });
    page.setDefaultTimeout(patienceMs);
    const editor = new Editor(page);
    await prepare?.(page);
    if (page.url().replace(/#.*/, '') !== url) await page.goto(url);
    await editor.ready();
    return editor;
  }

  /**
   * After a test: the page itself must have had no trouble. Of one that failed there is a picture, and the next one
   * finds no dialog of it, which would make it wait and fail, too.
   */
  async check(test: { state?: string | undefined } | undefined): Promise<void> {
    if (test?.state === 'failed') {
      await this.page.screenshot({ path: 'dist/failed.png', style: 'html body { opacity: 1 !important; }' });
      await this.reload();
    }
    assert.deepEqual(this.faults, []);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
    await this.palette('algo-door').waitFor({ state: 'attached' });
    await this.page.locator('#red-ui-workspace-chart svg').first().waitFor();
  }

  /**
   * Closes the dialogs that are open and takes back what was changed: all is as it was loaded, in a tenth of the
   * time that loading takes.
   */
  async startOver(): Promise<void> {
    await this.page.emulateMedia({ reducedMotion: null });
    while ((await this.page.evaluate('RED.editor.getEditStack().length')) !== 0)
      await this.done('.red-ui-tray [id$="dialog-cancel"] >> visible=true >> nth=-1');
    const isChanged = await this.page.evaluate(`(() => {
      while (RED.history.depth() > 0) RED.history.pop();
      return RED.nodes.dirty();
    })()`);
    assert.equal(isChanged, false);
  }

  palette(type: string): Locator {
    return this.page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
  }

  node(id: string): Locator {
    return this.page.locator(`.red-ui-flow-node-group[id="${id}"]`);
  }

  /**
   * Presses the button of an inject node, again where the press was lost because the editor drew the flow at that
   * moment.
   */
  async press(button: Locator): Promise<void> {
    const isSent = this.page.waitForRequest((request) => /\/inject\/[^/]+$/.test(request.url()));
    let sent = false;
    const heard = isSent.then(() => {
      sent = true;
    });
    heard.catch(() => undefined);
    while (!sent) {
      await button.click();
      await Promise.race([heard, this.page.waitForTimeout(5000)]);
    }
  }

  /** Waits for this under a node; an error says which status stands there instead. */
  async status(id: string, text: string | RegExp): Promise<Locator> {
    const label = this.node(id).locator('.red-ui-flow-node-status-label');
    const wanted = label.filter({ hasText: text });
    await wanted.waitFor().catch(async (cause: unknown) => {
      const there = await label.allTextContents();
      throw new Error(`The status of "${id}" is ${JSON.stringify(there)}, not ${text}`, { cause });
    });
    return wanted;
  }

  /** A node's properties, as the editor holds them. */
  stored(id: string): Promise<Record<string, unknown>> {
    return this.page.evaluate(`(() => {
      const node = RED.nodes.node(${JSON.stringify(id)});
      const stored = Object.fromEntries(Object.keys(node._def.defaults).map((key) => [key, node[key]]));
      return JSON.parse(JSON.stringify({ ...stored, changed: node.changed === true, problems: node.validationErrors ?? [] }));
    })()`);
  }

  /** Opens the dialog of a node. */
  async edit(id: string): Promise<void> {
    await this.page.evaluate(`RED.editor.edit(RED.nodes.node(${JSON.stringify(id)}))`);
    await this.settled('#node-input-name');
  }

  /** Waits until the dialog that opened last has slid in, and the editor has put the focus into it. */
  async settled(field: string): Promise<void> {
    await this.page.locator(field).last().waitFor();
    await this.page.waitForFunction(`(() => {
      const dialog = [...document.querySelectorAll('.red-ui-tray')].at(-1);
      return dialog.contains(document.activeElement) && getComputedStyle(dialog).right === '0px';
    })()`);
  }

  /** Opens the dialog of a node by a double click, again where a slow page made two single ones of it. */
  async doubleClick(id: string): Promise<void> {
    while ((await this.page.evaluate('RED.editor.getEditStack().length')) === 0) {
      await this.node(id).dblclick();
    }
    await this.settled('#node-input-name');
  }

  /** Opens the dialog of a config node. */
  async editConfig(type: string, id: string): Promise<void> {
    await this.page.evaluate(`RED.editor.editConfig("", ${JSON.stringify(type)}, ${JSON.stringify(id)})`);
    await this.settled('#node-config-input-name');
  }

  /** Presses Done, or another button that closes the dialog, and waits until it is gone. */
  async done(button = '#node-dialog-ok'): Promise<void> {
    const depth: number = await this.page.evaluate('RED.editor.getEditStack().length');
    await this.page.locator(button).click();
    await this.page.waitForFunction(`RED.editor.getEditStack().length < ${depth}`);
    if (depth === 1) await this.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
  }

  /** Its button is disabled from the press on; when nothing is left to deploy, the flows have been started. */
  async deploy(): Promise<void> {
    await this.page.locator('#red-ui-header-button-deploy').click();
    await this.page.locator('#red-ui-header-button-deploy.disabled').waitFor();
    await this.page.waitForFunction('!RED.nodes.dirty()');
    await this.page.evaluate(untilItRuns);
  }

  /** The row of a field, by the label that a person reads. */
  row(label: string): Locator {
    return this.page.locator('.algo-field:visible', { has: this.page.locator('label', { hasText: label }) });
  }

  /** Compares the labels of the rows that a form shows, which are made one after the other. */
  async showsRows(expected: readonly string[]): Promise<void> {
    const labels = this.page.locator('.algo-field:visible > label');
    if (expected.length > 0) await labels.nth(expected.length - 1).waitFor();
    assert.deepEqual(await labels.allTextContents(), expected);
  }

  /** Adds a field to the form, with the keyboard alone. */
  async add(label: string): Promise<void> {
    await this.page.locator('.algo-add-field button:visible').first().press('Enter');
    const search = this.page.getByRole('combobox', { name: wording('shared:fields.search') });
    await search.fill(label);
    await search.press('Enter');
    await this.row(label).first().waitFor();
  }

  /** Takes a field out of the form. */
  async takeAway(label: string): Promise<void> {
    await this.page
      .getByRole('button', { name: wording('shared:fields.remove', { name: label }), exact: true })
      .press('Enter');
  }

  /** Chooses an entry of the menu that a typedInput's button opens, with the keyboard alone. */
  async choose(button: Locator, entry: string): Promise<void> {
    await button.press('Enter');
    const menu = this.page.locator('.red-ui-typedInput-options:visible');
    await menu.waitFor();
    const entries = await menu.locator('a').allTextContents();
    const wanted = entries.map((text) => text.trim()).indexOf(entry);
    if (wanted < 0) throw new Error(`The menu has no ${entry}, only ${entries.join(', ')}`);
    // After 120 ms the menu puts the focus on what is chosen already; a later timer of the same page comes after it.
    await this.page.evaluate('new Promise((resolve) => setTimeout(resolve, 150))');
    await menu.locator('a').nth(wanted).press('Enter');
    await menu.waitFor({ state: 'hidden' });
  }
}
