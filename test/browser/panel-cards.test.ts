import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { VirtualDevice } from '../../src/virtual-device/device';
import { PanelServer } from '../../src/virtual-device/panel/server';
import { ownHost } from '../fixtures/listening';
import { ask, sendJson } from '../fixtures/signer';
import { patienceMs } from '../fixtures/waiting';
import { wording, wordingIn } from '../fixtures/wording';
import { holds } from './open-panel';
import { browsing } from './session';

/** A red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** A minute of silence, eight bits, 8,000 samples a second: no test is slower than that. */
const WAVE = Buffer.concat([
  Buffer.from('524946460000000057415645666d74201000000001000100401f0000401f000001000800', 'hex'),
  Buffer.from('64617461401f0000', 'hex'),
  Buffer.alloc(60 * 8000, 128),
]);
WAVE.writeUInt32LE(WAVE.length - 8, 4);
WAVE.writeUInt32LE(WAVE.length - 44, 40);

describe('what the panel draws', () => {
  const shared = browsing();
  let device: VirtualDevice;
  let panels: PanelServer;
  let page: Page;
  const faults: string[] = [];

  async function open(model: string): Promise<void> {
    device = new VirtualDevice({ model, uploadSeconds: 0, host: ownHost });
    await device.start();
    panels = new PanelServer([device]);
    page = await shared.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    await page.goto(await panels.start(0));
    await page.locator('#connection[data-state="on"]').waitFor();
  }
  afterEach(async () => {
    await page?.close();
    await panels?.stop();
    await device?.stop();
    assert.deepEqual(faults, []);
  });

  const put = (path: string, body: Buffer) =>
    ask(device.address, 'PUT', `/api/files/${path}`, { body, type: 'application/octet-stream' });
  const start = (body: object) => sendJson(device.address, 'POST /api/controls/screen/start', body);
  const has = (selector: string, text: string | RegExp) =>
    page.locator(selector, { hasText: text }).first().waitFor();

  it('is the picture that the device has, and says of one that it has not', async () => {
    await open('8410');
    await put('images/red.png', PNG);
    await put('notes.png', Buffer.from('no picture'));
    await start({ type: 'image', image1: 'red.png' });
    // What the panel draws again has no size before it was read again.
    const isDrawn = `[...document.querySelectorAll('#screen .glass img')].some(
      (one) => one.naturalWidth === 1 && one.getBoundingClientRect().width > 100)`;
    await holds(page, isDrawn);
    await put('gone.png', PNG);
    await start({ type: 'blitz', image1: 'gone.png', image2: 'notes.png' });
    await has('#screen .picture', `notes.png${wording('panel:screen.undrawn')}`);
    // The page asks for a picture as soon as it hears of it, and would be told that it is gone.
    await holds(page, isDrawn);
    await sendJson(device.address, 'DELETE /api/files/', { path: 'gone.png' });
    await has('#screen .picture', `gone.png${wording('panel:screen.missing')}`);
    await start({ screenName: 'Lobby' });
    await has('#screen .picture', `Lobby${wording('panel:screen.noSlides')}`);
  });

  it('is the clock and the template of the request, in their places and colors', async () => {
    await open('8410');
    await start({ type: 'digitalClock', clockFormat: '12h', clockPosition: 'top-left', date: true });
    await has('#screen .at.top-left .digital', /^\d{1,2}:\d\d (AM|PM)$/);
    await has('#screen .at.bottom-center', /^\d{4}-\d\d-\d\d$/);
    await start({ type: 'analogClock', clockSecondsAnalog: false });
    await page.locator('#screen .at.center [data-hand="hours"][stroke="black"]').waitFor();
    assert.equal(await page.locator('#screen [data-hand]').count(), 2);
    await start({ type: 'template', template: 'dont_forget', text1: 'keys', text2: 'phone' });
    await has('#screen .line', 'phone');
    const line = '[...document.querySelectorAll("#screen .line")].map((one) => getComputedStyle(one).color)';
    assert.deepEqual(await page.evaluate(line), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  });

  it('has the defaults and the sizes of section 4.8.1, of the firmware that the device has', async () => {
    await open('8410');
    await put('a.png', PNG);
    const image = { type: 'image', image1: 'a.png', text1: 'Assembly' };
    let shown = 0;
    /** The styles of what is drawn for a request; each has a text of its own, by which it is known. */
    const styleOf = async (body: object, selector = '.writing') => {
      shown += 1;
      const text1 = `Assembly ${shown}`;
      await start({ ...image, text1, ...body });
      await has('#screen .writing', text1);
      return page.evaluate<Record<string, string>>(
        `(({ color, backgroundColor, fontSize }) => ({ color, backgroundColor, fontSize }))(
          getComputedStyle(document.querySelector('#screen ${selector}')))`,
      );
    };
    const clear = 'rgba(0, 0, 0, 0)';
    const plain = await styleOf({});
    await page.locator('#screen .writing.bottom.scrolling').waitFor();
    assert.deepEqual([plain.color, plain.backgroundColor], ['rgb(0, 0, 0)', clear]);
    assert.equal((await styleOf({ textBgColor: 'yellow' })).backgroundColor, clear);
    const filled = await styleOf({ textBg: true, textBgColor: 'yellow', textScroll: 'false' });
    assert.equal(filled.backgroundColor, 'rgb(255, 255, 0)');
    assert.equal(await page.locator('#screen .writing.scrolling').count(), 0);
    const size = async (body: object) => (await styleOf(body)).fontSize;
    for (const [name, number] of [
      ['tiny', 60],
      ['small', 100],
      ['medium', 200],
    ] as const)
      assert.equal(await size({ textSize: name }), await size({ textSize: number }), name);
    const [small, large] = [await size({ textSize: 'small' }), await size({ textSize: 'large' })];
    assert.equal(await size({}), small);
    await device.carryOut('become', { model: '8410', firmware: '5.6' });
    await put('a.png', PNG);
    assert.equal(await size({}), large);
  });

  it('has the colors that the document gives to clocks and their dates', async () => {
    await open('8410');
    const style = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('#screen ${selector}')).${property}`);
    const hands = () =>
      page.evaluate(
        `[...document.querySelectorAll('#screen [data-hand]')].map((one) => one.getAttribute('stroke'))`,
      );
    await start({ type: 'digitalClock', date: true });
    await has('#screen .at.bottom-center', /^\d{4}/);
    assert.equal(await style('[data-clock]', 'color'), 'rgb(255, 255, 255)');
    assert.equal(await style('[data-date]', 'color'), 'rgb(0, 0, 0)');
    const template = (name: string, more: object = {}) =>
      start({ type: 'template', template: name, ...more });
    await template('dualclock1');
    await has('#screen .template-name', 'dualclock1');
    assert.deepEqual(await hands(), ['black', 'black', 'black']);
    await template('dualclock2', { dualClock1Color: 'green' });
    await has('#screen .template-name', 'dualclock2');
    assert.deepEqual(await hands(), ['green', 'green', 'black']);
    assert.equal(await style('[data-clock]', 'color'), 'rgb(0, 128, 0)');
    await template('time_date_bg2', { clockFgColor: 'blue', textColor: 'red' });
    await has('#screen .template-name', 'time date bg2');
    assert.equal(await style('[data-clock]', 'color'), 'rgb(0, 0, 255)');
    assert.equal(await style('[data-date]', 'color'), 'rgb(255, 0, 0)');
    await template('time_date_bg');
    await page.locator('#screen .template-name', { hasText: /^time date bg$/ }).waitFor();
    assert.equal(await style('[data-date]', 'color'), 'rgb(0, 0, 0)');
    await template('hospital_text', { text1: 'Visiting hours' });
    await has('#screen .writing.bottom.scrolling', 'Visiting hours');
  });

  it('has text at the bottom unless the request says where', async () => {
    await open('8410');
    const write = (body: object) =>
      sendJson(device.address, 'POST /api/controls/screen-text/start', { textContent: 'Fire', ...body });
    await write({});
    await has('#screen .writing.bottom', 'Fire');
    await write({ textPosition: 'middle' });
    await has('#screen .writing.middle', 'Fire');
  });

  it('is a strobe that content of the screen, or a test, has lit', async () => {
    await open('8410');
    await start({
      ...{ type: 'template', template: 'announcement', text1: 'Hello' },
      ...{ strobeFlash: 12, strobeColor: 'blue', strobeLedlvl: '255' },
    });
    await has('#strobe .words', 'Flashing blue');
    await sendJson(device.address, 'POST /api/controls/screen/stop');
    await has('#strobe .words', 'Off');
    const strobe = (pattern: number) => {
      const body = { pattern, color1: 'green', ledlvl: '56' };
      return sendJson(device.address, 'POST /api/controls/strobe/start', body);
    };
    await strobe(2);
    await has('#strobe .words', 'Flashing green');
    await strobe(15);
    await has('#strobe.calm .words', 'Off');
    await sendJson(device.address, 'POST /api/controls/strobe/stop');
    await sendJson(device.address, 'POST /api/controls/test/loop');
    await has('#strobe .words', 'Lit red');
    await device.carryOut('become', { model: '8190S', firmware: '5.7' });
    await sendJson(device.address, 'POST /api/controls/test/loop');
    await page.locator('body[data-model="8190S"] #tone .words', { hasText: 'Test' }).waitFor();
    await has('#strobe .words', /^Off$/);
  });

  it('lets the uploaded file itself be heard, a stand-in for built-in tones, and says which', async () => {
    await open('8301');
    const play = (path: string) =>
      sendJson(device.address, 'POST /api/controls/tone/start', { path, loop: true });
    await play('chime.wav');
    await has('#tone .heard', wordingIn('panel:sound.heard.stand-in'));
    await page.getByRole('button', { name: 'Listen' }).click();
    await page.locator('#stage[data-heard="stand-in"]').waitFor();
    await put('tones/own.wav', WAVE);
    await play('own.wav');
    await has('#tone .heard', wordingIn('panel:sound.heard.recording'));
    await page.locator('#stage[data-heard="recording"]').waitFor();
    await put('tones/broken.wav', WAVE.subarray(0, 20));
    await play('broken.wav');
    await page.locator('#stage[data-heard="stand-in"]').waitFor();
    await has('#tone .heard', wordingIn('panel:sound.heard.undecoded'));
    await sendJson(device.address, 'POST /api/controls/tone/stop');
    await page.locator('#stage[data-heard="nothing"]').waitFor();
    const body = WAVE;
    await ask(device.address, 'POST', '/api/controls/tone/upload-play', { body, type: 'audio/wav' });
    await page.locator('#stage[data-heard="recording"]').waitFor();
    await has('#tone .words', 'uploaded file');
  });

  it('adds every kind of fault with all that belongs to it, chances from a seed, and takes them away', async () => {
    await open('8301');
    await page.getByText('Faults', { exact: true }).click();
    const kind = page.getByLabel(wording('panel:fault.kind'), { exact: true });
    const add = page.getByRole('button', { name: wording('panel:fault.add') });
    const added = async (text: string) => {
      await add.click();
      await has('.faults li', text);
    };
    await kind.selectOption('latency');
    await page.getByLabel('Milliseconds', { exact: true }).fill('40');
    await page.getByLabel(wording('panel:fault.fields.distribution')).selectOption('uniform');
    await page.getByLabel(wording('panel:fault.fields.toMs')).fill('90');
    await added('latency, ms 40, distribution uniform, toMs 90: occurred 0 ×');
    await page.getByLabel(wording('panel:fault.fields.distribution')).selectOption('exponential');
    await added('latency, ms 40, distribution exponential: occurred 0 ×');
    for (const plain of ['lost', 'unanswered', 'reset-before', 'reset-after', 'half', 'garbage']) {
      await kind.selectOption(plain);
      await added(`${plain}: occurred 0 ×`);
    }
    await kind.selectOption('content-type');
    await added('content-type, contentType text/html: occurred 0 ×');
    await kind.selectOption('status');
    await page.getByLabel('Status', { exact: true }).fill('500');
    await added('status, status 500: occurred 0 ×');
    await kind.selectOption('bandwidth');
    await page.getByLabel(wording('panel:fault.chance')).fill('50');
    await page.getByLabel(wording('panel:fault.count')).fill('3');
    await page.getByLabel('Requests', { exact: true }).selectOption('GET /api/info/about');
    await added(
      'bandwidth, bytesPerSecond 100, route GET /api/info/about, chance 0.5, count 3: occurred 0 ×',
    );
    const remove = page.getByRole('button', { name: 'Remove lost' });
    await remove.focus();
    void sendJson(device.address, 'GET /api/info/tonelist').catch(() => undefined);
    await has('.faults li', 'lost: occurred 1 ×');
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Remove lost');
    await page.keyboard.press('Enter');
    await remove.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.id'), await kind.getAttribute('id'));
    await page.getByRole('button', { name: wording('panel:fault.clear') }).click();
    await page.locator('.faults:empty').waitFor({ state: 'attached' });

    await kind.selectOption('status');
    await page.getByLabel(wording('panel:fault.count')).fill('');
    await add.click();
    await has('.faults li', 'chance 0.5');
    const asked = async () => {
      await page.getByLabel(wording('panel:fault.seed')).fill('7');
      const response = page.waitForResponse('**/command');
      await page.getByRole('button', { name: 'Restart' }).click();
      await response;
      const statuses = [];
      for (let i = 0; i < 12; i += 1)
        statuses.push((await sendJson(device.address, 'GET /api/info/about')).status);
      return statuses;
    };
    const first = await asked();
    assert.ok(first.includes(200) && first.includes(503), String(first));
    assert.deepEqual(await asked(), first);
  });
});
