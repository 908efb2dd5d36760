import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { VirtualDevice } from '../../src/virtual-device/device';
import { PanelServer } from '../../src/virtual-device/panel/server';
import { models } from '../../src/virtual-device/product/models';
import { textsIn } from '../editor/pages';
import { sendJson } from '../fixtures/signer';
import { patienceMs } from '../fixtures/waiting';
import { withTarget } from '../virtual-device/calls/target';
import { type Editor, textOf } from './editor';
import { languages } from './languages';
import { leftoversIn, readIn } from './leftovers';
import { openPanel } from './open-panel';
import { browsing, editorSessionIn } from './session';

/** What products are called is not translated: the devices say it. */
const withoutProduct = (text: string) =>
  models.reduce((rest, { productName }) => rest.replaceAll(productName, ''), text);

/** What the panel says in English between its values, where a language says something else. */
function englishPieces(language: string): readonly string[] {
  const own = textsIn('locales', language, 'panel.json');
  return [...textsIn('locales', 'en-US', 'panel.json')].flatMap(([key, text]) =>
    text
      .split(/\{\w+\}/)
      .map((piece) => piece.replace(/^\W+|[^\w.…]+$/g, ''))
      .filter((piece) => /\w{2}/.test(piece) && !own.get(key)?.toLowerCase().includes(piece.toLowerCase())),
  );
}

/** What of a page is in English, what is marked as English aside. */
async function englishIn(page: Page, language: string): Promise<string[]> {
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  assert.equal(await page.evaluate('document.documentElement.lang'), language);
  const texts = (await readIn(page, 'body')).map(withoutProduct);
  texts.push(withoutProduct(await page.title()));
  assert.ok(texts.length > 60, texts.join('\n'));
  const pieces = englishPieces(language);
  assert.ok(pieces.length > 100, String(pieces.length));
  const isPiece = (text: string) =>
    pieces.some((piece) => text === piece || (piece.includes(' ') && text.includes(piece)));
  return [...new Set([...texts.filter(isPiece), ...leftoversIn(language, texts)])];
}

/** The words of cards that are broken within one, or have the card's icon drawn over them. */
function crampedIn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    for (const words of document.querySelectorAll('.card .words')) {
      const icon = words.closest('.card').querySelector('.icon path')?.getBoundingClientRect();
      const text = document.createTreeWalker(words, NodeFilter.SHOW_TEXT).nextNode();
      for (const word of text?.data.matchAll(/\\S+/g) ?? []) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const [{ right, top }, ...rest] = range.getClientRects();
        if (rest.length > 0) found.push(word[0] + ' is broken');
        else if (icon && right > icon.left && top < icon.bottom) found.push(word[0] + ' is under the icon');
      }
    }
    return found;
  })()`);
}

const virtual = {
  ...{ id: 'virtual', type: 'algo-virtual-device', name: '', model: '8063', firmware: '5.7' },
  ...{ auth: 'standard', port: 0 },
};
const flow = [
  { id: 'tab', type: 'tab', label: '1' },
  virtual,
  {
    ...{ id: 'hand', type: 'algo-virtual', z: 'tab', x: 200, y: 100, name: '2', virtual: 'virtual' },
    ...{ operation: 'state', parametersType: 'json', parameters: '{}', wires: [[]] },
  },
];

describe('the panel, from an editor that is set to German', () => {
  let editor: Editor;
  editorSessionIn('de', flow, (opened) => {
    editor = opened;
  });

  it('opens in German, whatever the browser speaks, and leaves nothing in English', async () => {
    await editor.edit('hand');
    const panel = await openPanel(editor);
    assert.match(panel.url(), /\/algo\/virtual\/virtual\/\?lang=de$/);
    assert.equal(await textOf(panel.locator('#inputs h2')), 'Relaiseingänge');
    assert.deepEqual(await englishIn(panel, 'de'), []);
    await panel.reload();
    await panel.getByText('läuft', { exact: true }).waitFor();
    await panel.close();
  });
});

/** What is done to devices, so that their panels have something to say, and the card that then says it. */
const requests: readonly (readonly [model: string, route: string, body: object | undefined, sign: string])[] =
  [
    ['8301', 'POST /api/controls/emergency-alert/start', { announcement: 3 }, '#emergency.alarm'],
    ['8301', 'POST /api/controls/tone/start', { path: 'chime.wav', loop: true }, '#tone.active'],
    ['8063', 'POST /api/controls/door/munlock', { doorid: 'local', duration: '60' }, '#door-local.warn'],
    ['8138', 'POST /api/controls/strobe/start', { pattern: 8, color1: 'red', ledlvl: '255' }, '#strobe.lit'],
    ['8128', 'POST /api/controls/test/loop', undefined, '#strobe.lit'],
    ['8410', 'POST /api/controls/screen/start', { screenName: 'Lobby' }, '#screen.active'],
    ['8450', 'POST /api/controls/console/button/activate', { id: '1' }, '#console.active'],
  ];

for (const language of languages) {
  describe(`the panel in ${language}`, () => {
    const shared = browsing();
    const device = new VirtualDevice({ model: '8301', password: 'hunter2' });
    const panels = new PanelServer([device]);
    let page: Page;
    const faults: string[] = [];

    before(async () => {
      await device.start();
      page = await shared.browser.newPage();
      page.setDefaultTimeout(patienceMs);
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      await page.goto(`${await panels.start(0)}1/?lang=${language}`);
    });
    after(async () => {
      await page?.close();
      await panels.stop();
      await device.stop();
    });

    it('breaks no word on a card, and draws no icon over one, where there is little room', async () => {
      await page.setViewportSize({ width: 1200, height: 1000 });
      const found: string[] = [];
      for (const { number } of models) {
        await device.carryOut('become', { model: number, firmware: '5.7' });
        await page.locator(`body[data-model="${number}"]`).waitFor();
        found.push(...(await crampedIn(page)).map((what) => `${number}: ${what}`));
      }
      await device.carryOut('become', { model: '8063', firmware: '5.7' });
      for (const [route, body] of [
        ['POST /api/controls/door/unlock', { doorid: 'local' }],
        ['POST /api/controls/relay/enable', undefined],
      ] as const)
        assert.equal(
          (await sendJson(device.address, route, body, { password: 'hunter2' })).status,
          200,
          route,
        );
      await page.locator('#door-local.warn').waitFor();
      await page.locator('#relay.active').waitFor();
      found.push(...(await crampedIn(page)));
      assert.deepEqual(found, []);
    });

    it('leaves nothing in English for any model, idle or busy, or for a refused request', async () => {
      const order = (route: string, body?: object) =>
        sendJson(device.address, route, body, { password: 'hunter2' });
      await sendJson(device.address, 'GET /api/info/about', undefined, { password: 'wrong' });
      await page.locator('#request-list li.refused').waitFor();
      const found: string[] = [];
      const look = async (what: string) =>
        found.push(...(await englishIn(page, language)).map((text) => `${what}: ${text}`));
      for (const { number } of models) {
        await device.carryOut('become', { model: number, firmware: '5.7' });
        await page.locator(`body[data-model="${number}"]`).waitFor();
        await look(number);
      }
      for (const [model, route, body, sign] of requests) {
        await device.carryOut('become', { model, firmware: '5.7' });
        await page.locator(`body[data-model="${model}"]`).waitFor();
        assert.equal((await order(route, body)).status, 200, route);
        await page.locator(sign).waitFor();
        await look(route);
      }
      await withTarget(async ({ place }) => {
        for (const target of [place, '127.0.0.1:1', '192.0.2.9'])
          await device.carryOut('call', { method: 'GET', target, auth: 'none' }).catch(() => undefined);
      });
      await page.locator('#request-list li.sent').nth(2).waitFor();
      for (const row of await page.locator('#request-list li.sent summary').all()) await row.click();
      await look('sent');
      const kinds = page.locator('.faults').locator('xpath=..').locator('select').first();
      for (const kind of ['latency', 'content-type', 'status', 'bandwidth']) {
        await kinds.selectOption(kind);
        await page.locator('.primary').click();
        await page.locator('.faults li', { hasText: kind }).waitFor();
        await look(kind);
      }
      assert.deepEqual(found, []);
      assert.deepEqual(faults, []);
    });
  });
}
