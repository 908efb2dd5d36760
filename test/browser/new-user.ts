import type { Locator, Page } from 'playwright-core';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { openPanel } from './open-panel';

/**
 * Somebody who has never seen the product, before an empty editor: goes by what can be read on the screen, and by
 * nothing else. What waits for a dialog to have slid in is not read by anybody.
 */
export class NewUser {
  readonly page: Page;

  constructor(readonly editor: Editor) {
    this.page = editor.page;
  }

  /**
   * Takes everything out of Node-RED, and opens its editor.
   * @param open opens it as it is loaded
   */
  static async openEditor(url: string, open: () => Promise<Editor>): Promise<NewUser> {
    const headers = { 'Content-Type': 'application/json' };
    const emptied = await fetch(`${url}flows`, { method: 'POST', headers, body: '[]' });
    if (emptied.status !== 204) throw new Error(`Node-RED would not be emptied: ${emptied.status}`);
    return new NewUser(await open());
  }

  /** The dialog on top. */
  get dialog(): Locator {
    return this.page.locator('.red-ui-tray').last();
  }

  /** The row of the dialog that has this label. */
  row(label: string): Locator {
    const labels = this.page.locator('label', { hasText: new RegExp(`^\\s*${label}\\s*$`) });
    return this.dialog.locator('.form-row:visible', { has: labels }).first();
  }

  /** What is filled in beside a label. */
  field(label: string): Locator {
    return this.row(label).locator('input:visible, select:visible').first();
  }

  /** A node in the flow, by what is written on it. */
  node(words: string | RegExp): Locator {
    return this.page.locator('.red-ui-flow-node-group', { hasText: words });
  }

  /** Searches the palette for a word, and drags the node of that name to a place in the flow. */
  async drag(word: string, name: string, x: number, y: number): Promise<void> {
    const search = this.page.locator('#red-ui-palette-search input:visible');
    await search.fill('');
    await search.pressSequentially(word);
    const shown = this.page.locator('.red-ui-palette-node:visible');
    const found = shown.filter({ hasText: new RegExp(`^\\s*${name.replaceAll(' ', '\\s*')}\\s*$`) });
    await shown.filter({ hasText: 'comment' }).waitFor({ state: 'hidden' });
    const before = await this.node('').count();
    await found.hover();
    await this.page.mouse.down();
    await this.page.mouse.move(x, y, { steps: 8 });
    await this.page.mouse.up();
    await this.node('').nth(before).waitFor();
  }

  /** Has the whole palette again, and the editor has noted that. */
  async searchNothing(): Promise<void> {
    await this.page.locator('#red-ui-palette-search input:visible').fill('');
    await this.page.waitForFunction(`JSON.parse(localStorage.getItem('palette-state'))?.filter === ''`);
  }

  /** Opens the dialog of a node by a double click. */
  async open(words: string | RegExp): Promise<void> {
    await this.turns(async () => {
      // A slow page makes two single clicks of it.
      while ((await this.page.locator('.red-ui-tray').count()) === 0) await this.node(words).dblclick();
    });
  }

  /** Presses the "+" beside a choice of devices. */
  async add(label: string): Promise<void> {
    await this.turns(() => this.row(label).locator('a:has(.fa-plus)').click());
  }

  /** Presses the pencil beside a choice of devices. */
  async change(label: string): Promise<void> {
    await this.turns(() => this.row(label).locator('a:has(.fa-pencil)').click());
  }

  async write(label: string, text: string): Promise<void> {
    await this.field(label).fill(text);
  }

  async select(label: string, option: string): Promise<void> {
    await this.field(label).selectOption({ label: option });
  }

  async press(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Waits until these words can be read in the dialog on top, and gives the whole sentence. */
  async reads(words: string | RegExp): Promise<string> {
    const sentence = this.dialog.getByText(words).filter({ visible: true }).first();
    await sentence.waitFor();
    return textOf(sentence);
  }

  /** Presses a button that ends the dialog on top. */
  async leave(button: 'Done' | 'Add' | 'Update' | 'Cancel'): Promise<void> {
    await this.turns(() => this.press(button));
  }

  /** Draws a wire from the first output of a node to the input of another. */
  async wire(from: string | RegExp, to: string | RegExp): Promise<void> {
    await this.node(from).locator('.red-ui-flow-port-output').first().hover();
    await this.page.mouse.down();
    await this.node(to).locator('.red-ui-flow-port-input').hover();
    await this.page.mouse.up();
    await this.page.locator('.red-ui-flow-link-line').first().waitFor({ state: 'attached' });
  }

  /** Changes the second property in the dialog of an inject node, which is the topic, a text. */
  async setSecondProperty(name: string, value: string): Promise<void> {
    const inputs = this.dialog.locator('#node-input-property-container li').nth(1).locator('input:visible');
    await inputs.nth(0).fill(name);
    await inputs.nth(1).fill(value);
  }

  /** Presses the button of an inject node. */
  inject(words: string | RegExp): Promise<void> {
    return this.editor.press(this.node(words).locator('.red-ui-flow-node-button'));
  }

  deploy(): Promise<void> {
    return this.editor.deploy();
  }

  /** Presses "Open the panel" in the dialog on top. */
  panel(): Promise<Page> {
    return openPanel(
      this.editor,
      `.red-ui-tray button:visible:has-text("${wording('sidebar:details.panel')}")`,
    );
  }

  /** Does what opens or ends a dialog, and waits until the next one stands there, or none. */
  private async turns(action: () => Promise<void>): Promise<void> {
    const title = await this.page.evaluate(titleOfDialog);
    await action();
    await this.page.waitForFunction(`${titleOfDialog} !== ${JSON.stringify(title)} && ${isDialogStill}`);
  }
}

/** A dialog that opens takes the place of the one before, and its title says what came before it. */
const titleOfDialog = "(document.querySelector('.red-ui-tray-breadcrumbs')?.textContent ?? '')";
const isDialogStill = `((trays) => trays.length === 0 ||
  (trays.length === 1 && getComputedStyle(trays[0]).right === '0px'))(document.querySelectorAll('.red-ui-tray'))`;
