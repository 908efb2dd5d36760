import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { VirtualDevice } from '../../src/virtual-device/device';
import { PanelServer } from '../../src/virtual-device/panel/server';
import { models } from '../../src/virtual-device/product/models';
import { sendJson } from '../fixtures/signer';
import { patienceMs } from '../fixtures/waiting';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { textOf } from './editor';
import { browsing } from './session';

describe('the panel of each model, for everybody', () => {
  const shared = browsing();
  let device: VirtualDevice;
  let panels: PanelServer;
  let address: string;
  let page: Page;

  beforeEach(async () => {
    device = new VirtualDevice({ model: '8301', password: 'hunter2' });
    await device.start();
    panels = new PanelServer([device]);
    address = await panels.start(0);
  });
  afterEach(async () => {
    await page?.close();
    await panels?.stop();
    await device?.stop();
  });

  async function open(options: Parameters<Browser['newPage']>[0]): Promise<void> {
    page = await shared.browser.newPage(options);
    page.setDefaultTimeout(patienceMs);
    await page.goto(address);
    await page.locator('#connection[data-state="on"]').waitFor();
  }

  /** Presses Tab until the element is there that a script finds active. */
  async function tabTo(isThere: string): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(`((active) => ${isThere})(document.activeElement)`)) return;
    }
    assert.fail(`no Tab leads to where ${isThere}`);
  }

  it('fits into 360 px, light or dark, and has a heading for each card', async () => {
    await open({ viewport: { width: 360, height: 740 } });
    for (const [index, { number }] of models.entries()) {
      await device.carryOut('become', { model: number, firmware: '5.7' });
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await page.locator(`body[data-model="${number}"]`).waitFor();
      const { width, cards, headings } = (await page.evaluate(`({
        width: document.documentElement.scrollWidth,
        cards: document.querySelectorAll('.card').length,
        headings: [...document.querySelectorAll('.card')].filter((card) =>
          document.getElementById(card.getAttribute('aria-labelledby'))?.tagName === 'H2').length,
      })`)) as { width: number; cards: number; headings: number };
      assert.equal(width, 360, number);
      assert.ok(cards > 0, number);
      assert.equal(headings, cards, number);
    }
  });

  it('leaves its connection to other pages while nobody looks at it, and comes back when somebody does', async () => {
    page = await shared.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.clock.install();
    await page.goto(address);
    const isOn = page.locator('#connection[data-state="on"]');
    await isOn.waitFor();
    const look = (isHidden: boolean) =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await look(true);
    await page.clock.runFor(29_000);
    await look(false);
    await page.clock.runFor(2_000);
    assert.equal(device.listenerCount('change'), 1);
    await look(true);
    await page.clock.runFor(31_000);
    await page.getByText(wording('panel:connection.unseen')).waitFor();
    await look(false);
    await isOn.waitFor();
  });

  it('can be read in both themes, whatever the device does', async () => {
    await open({});
    const order = (route: string, body?: object) =>
      sendJson(device.address, route, body, { password: 'hunter2' });
    const texts = 'h1, h2, h3, p, li, summary, label, button:enabled, code, time, .badge, .outcome, .clock';
    const scenes: readonly [model: string, route: string, body: object | undefined, sign: string][] = [
      ['8301', 'POST /api/controls/emergency-alert/start', { announcement: 3 }, '#emergency.alarm'],
      ['8063', 'POST /api/controls/door/munlock', { doorid: 'local', duration: '60' }, '#door-local.warn'],
      [
        '8138',
        'POST /api/controls/strobe/start',
        { pattern: 8, color1: 'red', ledlvl: '255' },
        '#strobe.lit',
      ],
      ['8450', 'POST /api/controls/console/button/activate', { id: '1' }, '#console.active'],
    ];
    for (const [model, route, body, sign] of scenes) {
      await device.carryOut('become', { model, firmware: '5.7' });
      assert.equal((await order(route, body)).status, 200);
      await order('POST /api/nowhere');
      await page.locator(sign).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await contrasts(page, texts);
        assert.ok(found.length > 10);
        assert.ok(Math.min(...found) >= 4.5, `${model} ${colorScheme}: ${Math.min(...found)}`);
      }
    }
  });

  it('is used by keyboard alone: a fault is added, and a refused request explained without the password', async () => {
    await open({});
    await tabTo("active.tagName === 'SUMMARY' && active.textContent === 'Faults'");
    await page.keyboard.press('Enter');
    await tabTo("active.labels?.[0]?.textContent === 'The device'");
    // One key: between two of them a slow machine makes the browser begin its search again.
    await page.keyboard.press('d');
    await tabTo(`active.labels?.[0]?.textContent === '${wording('panel:fault.count')}'`);
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.locator('.faults li', { hasText: 'lost, count 2' }).waitFor();
    await tabTo("active.ariaLabel === 'Remove lost'");
    await page.keyboard.press('Enter');
    await page.locator('.faults li').waitFor({ state: 'detached' });

    const { status } = await sendJson(device.address, 'GET /api/info/about', undefined, {
      password: 'hunter3',
    });
    assert.equal(status, 403);
    await page.locator('#request-list li.refused').first().waitFor();
    await tabTo("active.tagName === 'SUMMARY' && active.closest('#request-list li.refused')");
    await page.keyboard.press('Enter');
    const explained = page.locator('.signature');
    await explained.waitFor();
    const text = await textOf(explained);
    assert.match(text, /GET:\/api\/info\/about:\d{10}:nonce\d+/);
    assert.match(
      text,
      new RegExp(`${wording('panel:signature.agree')}|${wording('panel:signature.tolerated')}`),
    );
    assert.match(text, wordingIn('panel:signature.password'));
    assert.doesNotMatch(String(await page.content()), /hunter/);
  });

  it('lists commands, and readings only when they are wanted; a flood of readings takes no command out', async () => {
    await open({});
    const password = { password: 'hunter2' };
    await sendJson(device.address, 'POST /api/controls/tone/stop', {}, password);
    for (let count = 0; count < 201; count += 1)
      await sendJson(device.address, 'GET /api/info/about', undefined, password);
    await page.getByText(`${wording('panel:requests.withoutReads')} (200)`).waitFor();
    const visible = page.locator('#request-list li:visible');
    assert.equal(await visible.count(), 1);
    assert.match(await textOf(visible), /tone\/stop/);
    await page.getByLabel(wordingIn('panel:requests.withoutReads')).uncheck();
    assert.equal(await visible.count(), 201);
  });

  it('says how far a clock is off in units that people use', async () => {
    await open({});
    await device.carryOut('clock', { ahead: 93_600 });
    await page.locator('#clock[data-note="+1 day 2 h"]').waitFor();
    await sendJson(device.address, 'GET /api/info/about', undefined, { password: 'hunter2' });
    const refused = page.locator('#request-list li.refused');
    await refused.locator('summary').first().press('Enter');
    const explained = await textOf(refused.locator('.signature').first());
    const verdict = wording('panel:signature.tooFar', { tolerance: 30 });
    assert.match(explained, wordingIn('panel:signature.behind', { time: '1 day 2 h', verdict }));
  });
});
