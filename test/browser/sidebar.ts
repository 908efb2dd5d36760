import type { Locator, Page } from 'playwright-core';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';

/** So many devices that a page with all of them in it would be slow. */
export const roomCount = 2_000;

const room = (index: number) => ({
  name: `Room-${String(index).padStart(4, '0')}`,
  address: `192.0.2.1:${10_000 + index}`,
});

const onTab = (z: string, y: number) => ({ z, x: 200, y });

const tone = (id: string, device: string, z: string, y: number): FlowNode => ({
  ...{ id, type: 'algo-tone', name: id, target: 'device', device, operation: 'start', ...onTab(z, y) },
  ...{ parametersType: 'form', wires: [[]] },
  form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'false' } },
});

const press = (id: string, to: string, z: string, y: number, message: object = {}): FlowNode => ({
  ...{ id, type: 'inject', name: '', repeat: '', once: false, x: 60, y, z },
  props: Object.entries(message).map(([p, v]) => ({ p, v, vt: 'str' })),
  wires: [[to]],
});

/** A text that would run if the sidebar took it for HTML. */
export const hostile = '<img src=x onerror="window.isHostile = true">';

const device = (id: string, more: object): FlowNode => ({
  ...{ id, type: 'algo-device', address: '', auth: 'none', certificate: 'any', timeout: 5, ...more },
});

/**
 * Two flows, a virtual device, one that is away and supervised, one with a hostile name, a group of very many
 * rows, and an alert with a hostile name.
 */
export const flow: readonly FlowNode[] = [
  { id: 'first', type: 'tab', label: 'Mornings' },
  { id: 'second', type: 'tab', label: 'Evenings' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8301', firmware: '5.7', auth: 'none', port: 0 },
  device('bells', { name: 'Bells', virtual: 'virtual' }),
  device('away', { name: 'Away', address: 'http://127.0.0.1:1' }),
  device('hostile', { name: '=cmd|"/c calc"!A1', address: 'http://192.0.2.7' }),
  {
    id: 'rooms',
    type: 'algo-group',
    name: 'All rooms',
    rows: Array.from({ length: roomCount }, (_, i) => room(i)),
  },
  tone('ring', 'bells', 'second', 100),
  tone('ring away', 'away', 'second', 200),
  press('press', 'ring', 'second', 100),
  press('press away', 'ring away', 'second', 200),
  {
    ...{ id: 'supervision', type: 'algo-supervision', name: '', target: 'device', device: 'away' },
    ...{ interval: '3600', misses: '1', clock: '', certificateDays: '', settings: {}, files: [] },
    ...{ ...onTab('second', 300), wires: [[], []] },
  },
  {
    ...{ id: 'lockdown', type: 'algo-alert', name: `Lockdown ${hostile}`, priority: 5 },
    ...{ target: 'several', targets: ['bells', 'away'] },
    actions: [
      {
        operation: 'tone/start',
        form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'true' } },
      },
    ],
    ...{ ...onTab('second', 400), wires: [[], []] },
  },
  press('lock', 'lockdown', 'second', 400, { operation: 'start', by: 'Anna', ttl: '2' }),
  press('answer', 'lockdown', 'second', 500, { operation: 'acknowledge', by: hostile, answer: 'safe' }),
  press('unlock', 'lockdown', 'second', 600, { operation: 'clear', by: 'Ben' }),
];

/** The device nodes, the group, the alert, and the rows of the group. */
export const rowCount = roomCount + 5;

/** The sidebar in an open editor, as a person uses it. */
export class SidebarPage {
  readonly page: Page;
  readonly root: Locator;
  readonly search: Locator;
  readonly grid: Locator;
  readonly details: Locator;

  constructor(editor: Editor) {
    this.page = editor.page;
    this.root = this.page.locator('.algo-sidebar');
    this.search = this.root.getByRole('searchbox', { name: 'Search' });
    this.grid = this.root.getByRole('grid', { name: wording('sidebar:title') });
    this.details = this.root.locator('.algo-details');
  }

  /** Shows the tab, and waits until every row is known. */
  async open(rows = rowCount): Promise<void> {
    await this.page.evaluate('RED.sidebar.show("algo")');
    await this.page.locator(`.algo-sidebar [role="grid"][aria-rowcount="${rows + 1}"]`).waitFor();
  }

  /** Gives it the whole page, so that there is room for every column; or takes that back. */
  async widen(isWide = true): Promise<void> {
    const style = isWide ? 'position: fixed; inset: 0; z-index: 100' : '';
    await this.root.evaluate((root, given) => root.setAttribute('style', given), style);
    await this.grid
      .getByRole('columnheader', { name: 'Address' })
      .waitFor({ state: isWide ? 'visible' : 'hidden' });
  }

  /** Opens the details of a row. */
  async look(id: string): Promise<void> {
    await this.row(id).click();
    await this.details.waitFor();
  }

  /** Where there is little room, details take the place of the list. */
  async close(): Promise<void> {
    await this.details.getByRole('button', { name: 'Close' }).click();
    await this.grid.waitFor();
  }

  row(id: string): Locator {
    return this.grid.locator(`tr[data-id="${id}"]`);
  }

  /** Names of the rows that are in the page, from above. */
  names(): Promise<string[]> {
    return this.grid.locator('tr[data-id] > th').allTextContents();
  }

  async sought(text: string, rows: number): Promise<void> {
    await this.search.fill(text);
    await this.page.locator(`.algo-sidebar [role="grid"][aria-rowcount="${rows + 1}"]`).waitFor();
  }

  /** Presses an inject node, as its button does. */
  press(id: string): Promise<unknown> {
    return this.page.evaluate(
      `$.ajax({ url: ${JSON.stringify(`inject/${id}`)}, type: 'POST' }).then(() => true)`,
    );
  }

  /** What has the focus: its text, or its label. */
  focused(): Promise<string> {
    return this.page.evaluate(`(() => {
      const { activeElement: one } = document;
      return (one.getAttribute('aria-label') || one.textContent || one.id).trim();
    })()`);
  }
}
