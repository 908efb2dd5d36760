import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { exampleFile } from '../fixtures/examples';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { read } from '../fixtures/package';
import { patienceMs } from '../fixtures/waiting';
import { bringAxe, complaintsOf } from './axe';
import { textOf } from './editor';
import { browsing } from './session';

const hostile = '<img src=x onerror="document.title=1">';
/** The strobe is a speaker with a light that does not answer, with a name that would be markup; nothing listens on port 1. */
const flow = read<FlowNode[]>(exampleFile('Drill on the first Monday, with a report for the inspector')).map(
  (node): FlowNode => {
    if (node.id === 'inspector-here') {
      const props = [
        { p: 'operation', v: 'acknowledge', vt: 'str' },
        { p: 'by', v: '=1+1', vt: 'str' },
      ];
      return { ...node, props };
    }
    if (node.id !== 'example-corridor-strobe') return node;
    return {
      ...node,
      name: hostile,
      virtual: '',
      address: 'http://127.0.0.1:1',
      auth: 'none',
      model: '8190S',
      firmware: '5.7',
    };
  },
);

describe('the report of a drill, as a page', () => {
  const shared = browsing();
  let nodeRed: NodeRed;
  let page: Page;

  before(async () => {
    nodeRed = await startNodeRed(flow);
    page = await shared.browser.newPage({ locale: 'en-US' });
    page.setDefaultTimeout(patienceMs);
  });

  after(() => nodeRed.stop());

  const press = async (id: string): Promise<void> => {
    const { status } = await fetch(new URL(`inject/inspector-${id}`, nodeRed.url), { method: 'POST' });
    assert.equal(status, 200);
  };

  const row = (label: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) })
      .locator('td');

  /** Loads the page again until it says this. */
  async function shows(text: string, language = 'en'): Promise<void> {
    do await page.goto(new URL(`drill-report?lang=${language}`, nodeRed.url).href);
    while (!(await textOf(page.locator('main'))).includes(text));
  }

  it('says so before the first drill', () => shows('There is no report yet.'));

  it('counts who was reached while the drill is on, and who answered', async () => {
    await press('start');
    await shows(hostile);
    await press('here');
    await shows('=1+1');
    assert.equal(await textOf(row('Kind')), 'Drill');
    assert.match(await textOf(row('Start')), /, by Caretaker$/);
    assert.equal(await textOf(row('All-clear')), 'still on');
    assert.equal(await textOf(row('Devices')), '3');
    assert.equal(await textOf(row('Reached')), '2');
    assert.equal(await page.getByRole('rowheader', { name: hostile }).count(), 1);
    const cells = await row(hostile).allTextContents();
    assert.deepEqual(cells, ['Strobe, Sound', 'failed: connection refused on port 1']);
    assert.equal(await page.locator('img').count(), 0);
  });

  it('is written with the all-clear, as a page and as a table without formulas', async () => {
    await press('clear');
    do await shows('Devices');
    while (!(await textOf(row('All-clear'))).endsWith(', by Caretaker'));
    const writtenTo = async (name: string): Promise<string> => {
      for (;;) {
        const text = await readFile(path.join(nodeRed.directory, name), 'utf8').catch(() => '');
        if (text.endsWith('\n')) return text;
      }
    };
    const written = await writtenTo('drill-report.html');
    assert.ok(written.startsWith('<!doctype html>') && written.endsWith('</html>\n'));
    const lines = (await writtenTo('drill-report.csv')).trimEnd().split(/\r?\n/);
    assert.equal(lines[0], 'alert,drill,started,kind,name,result,time,reason');
    assert.match(lines[1] ?? '', /^Lockdown drill,true,[^,]+,total,devices,3,,$/);
    const acknowledged = lines.find((line) => line.includes(',acknowledged,')) ?? '';
    assert.match(acknowledged, /,acknowledged,'=1\+1,/);
  });

  for (const [language, title] of [
    ['de', 'Bericht über einen Alarm'],
    ['fr', 'Rapport d’une alerte'],
    ['es', 'Informe de una alerta'],
    ['en', 'Report of an alert'],
  ] as const) {
    it(`has nothing that axe is against in ${language}, on the screen and on paper`, async () => {
      await shows(title, language);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await bringAxe(page);
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        assert.deepEqual(await complaintsOf(page, 'html'), []);
      }
      await page.emulateMedia({ media: null });
    });
  }

  it('is the same page that another example mails', () => {
    const nodes = read<FlowNode[]>(exampleFile('Mail the report of an alert'));
    const parts = (all: readonly FlowNode[]) =>
      all.flatMap(({ type, name, template, func }) =>
        type === 'template' || name === 'Words and numbers' ? [template ?? func] : [],
      );
    assert.equal(parts(nodes).length, 2);
    assert.deepEqual(parts(nodes), parts(flow));
  });
});
