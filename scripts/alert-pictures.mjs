/**
 * Makes the picture of a lockdown in the README: `node scripts/alert-pictures.mjs`, after a build, with
 * Debian's Chromium. A real Node-RED starts an alert on several virtual devices and clears it. The pictures
 * show the panels before, during and after.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const { VirtualDevice } = require('../dist/src/virtual-device/device.js');
const { PanelServer } = require('../dist/src/virtual-device/panel/server.js');
const { ask, startFlow, stopFlow } = require('../dist/test/fixtures/flow.js');

const file = fileURLToPath(new URL('../images/lockdown.png', import.meta.url));
const wall = { 'Hall display': '8410', 'Corridor strobe': '8138', 'Yard speaker': '8301' };
const moments = { Before: undefined, During: 'start', After: 'clear' };

const form = (given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      { type: typeof value === 'number' ? 'num' : 'str', value: String(value) },
    ]),
  );
const actions = [
  { operation: 'emergency/start', form: form({ announcement: 1 }) },
  { operation: 'strobe/start', form: form({ pattern: 'fast', color1: 'red', ledlvl: 'high' }) },
  {
    operation: 'screen/text-start',
    form: form({ textContent: 'LOCKDOWN', textBgColor: '#c81e2b', textColor: 'white', textSize: 'large' }),
  },
];

/** Starts a device and its panel, and opens the panel in a page. */
async function hang(browser, name, model) {
  const device = new VirtualDevice({ model, name, auth: 'none' });
  const address = await device.start();
  const panel = new PanelServer([device]);
  const page = await browser.newPage({ viewport: { width: 760, height: 1000 } });
  await page.goto(await panel.start(0));
  await page.locator('#still').click();
  const stop = () => Promise.all([page.close(), panel.stop(), device.stop()]);
  return { name, model, address, device, page, stop };
}

/** Cards that a lockdown does not change and the picture leaves out. */
const unchanged = /^(?:Call|Streams|Relay inputs|Schedule|Sound)/;

/** Takes a picture of a panel as soon as it shows the current state. */
async function photograph({ device, page }) {
  const words = device.state.emergency === null ? 'None' : 'On: no. 1';
  await page.locator('#stage', { hasText: words }).waitFor();
  for (const card of await page.locator('#stage > *').all()) {
    if (!unchanged.test((await card.textContent()).trim())) continue;
    await card.evaluate((element) => element.style.setProperty('display', 'none'));
  }
  const picture = await page.locator('#stage').screenshot();
  return picture.toString('base64');
}

/** Combines the pictures: a column for each moment, a row for each device. */
async function mount(browser, columns) {
  const page = await browser.newPage({ viewport: { width: 720, height: 400 } });
  const shown = columns.map(
    ({ title, pictures }) =>
      `<section><h2>${title}</h2>${pictures
        .map(({ name, picture }) => `<h3>${name}</h3><img src="data:image/png;base64,${picture}">`)
        .join('')}</section>`,
  );
  await page.setContent(`<style>
    body { margin: 10px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px; background: #eef2f5; font-family: sans-serif }
    h2 { margin: 0 0 6px; font-size: 18px } h3 { margin: 8px 0 2px; font-size: 13px; font-weight: normal } img { width: 100%; display: block }
  </style>${shown.join('')}`);
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const devices = await Promise.all(Object.entries(wall).map(([name, model]) => hang(browser, name, model)));
try {
  await startFlow([
    ...devices.map(({ name, address, model }, index) => ({
      ...{ id: `device${index}`, type: 'algo-device', name, address, auth: 'none', model, firmware: '5.7' },
    })),
    { id: 'all', type: 'algo-group', name: 'All', devices: devices.map((_, index) => `device${index}`) },
    {
      ...{
        id: 'lockdown',
        type: 'algo-alert',
        name: 'Lockdown',
        operation: '',
        target: 'group',
        group: 'all',
      },
      ...{ actions, priority: 9, wires: [['out'], []] },
    },
  ]);
  const columns = [];
  for (const [title, operation] of Object.entries(moments)) {
    const { caught = [] } = operation ? await ask('lockdown', { operation }) : {};
    if (caught.length > 0) throw new Error(caught[0].error.message);
    const pictures = await Promise.all(
      devices.map(async (device) => ({ name: device.name, picture: await photograph(device) })),
    );
    columns.push({ title, pictures });
  }
  await mount(browser, columns);
} finally {
  await stopFlow();
  await Promise.all(devices.map(({ stop }) => stop()));
  await browser.close();
}
