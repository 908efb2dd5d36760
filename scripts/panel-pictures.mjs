/**
 * Makes the pictures of the virtual device's panel in the README: `node scripts/panel-pictures.mjs`, after a
 * build, with Debian's Chromium. `--all <folder>` makes two pictures of each model for inspection.
 */
import { createHash, createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const { VirtualDevice } = require('../dist/src/virtual-device/device.js');
const { models } = require('../dist/src/virtual-device/product/models.js');
const { PanelServer } = require('../dist/src/virtual-device/panel/server.js');

const images = fileURLToPath(new URL('../images', import.meta.url));
const password = 'algo';
let nonce = 0;

/** Signs and sends a request; `twist` makes the signature wrong. */
async function sendJson(address, line, body, twist = (input) => input) {
  const [method, target] = line.split(' ');
  const seconds = Math.floor(Date.now() / 1000);
  const isFile = Buffer.isBuffer(body);
  const type = isFile ? 'application/octet-stream' : 'application/json';
  const text = isFile ? body : body === undefined ? '' : JSON.stringify(body);
  const md5 = createHash('md5').update(text).digest('hex');
  nonce += 1;
  const middle = text ? `:${md5}:${type}` : '';
  const input = twist(`${method}:${target}${middle}:${seconds}:${nonce}`, text);
  const digest = createHmac('sha256', password).update(input).digest('hex');
  const headers = {
    Authorization: `hmac admin:${nonce}:${digest}`,
    Date: new Date(seconds * 1000).toUTCString(),
  };
  if (text) Object.assign(headers, { 'Content-Type': type, 'Content-MD5': md5 });
  await fetch(address + target, { method, headers, ...(text ? { body: text } : {}) });
}

const today = new Date().toISOString().slice(0, 10);
const bell = (name, start_time, color) => ({
  ...{
    event_type: 'play_tone',
    name,
    start_time,
    color,
    audio: 'bell-uk.wav',
    start_date: today,
    rrule: 'FREQ=DAILY',
  },
});

/**
 * The requests for each picture. A model rejects operations that it does not support, which the list of
 * requests can show.
 */
const SCENES = {
  strobe: [
    ['POST /api/controls/strobe/start', { pattern: 8, color1: 'red', ledlvl: '255' }],
    ['POST /api/controls/strobe/start', { pattern: 12, color1: 'red', ledlvl: '255', duration: 300 }],
  ],
  clock: [['POST /api/controls/strobe/start', { pattern: 0, color1: 'blue', ledlvl: '3', duration: 300 }]],
  display: [
    ['POST /api/controls/screen/start', { type: 'image', image1: 'exit.png', stopAfter: 600 }],
    [
      'POST /api/controls/screen-text/start',
      {
        textContent: 'Please leave by the north door',
        textPosition: 'bottom',
        textScroll: false,
        textBg: true,
        textBgColor: '#c81e2b',
        textColor: 'white',
        duration: 120,
      },
    ],
    ['POST /api/controls/strobe/start', { pattern: 8, color1: 'amber', color2: 'blue', ledlvl: '255' }],
  ],
  door: [
    ['POST /api/controls/door/munlock', { doorid: 'local', duration: '30' }],
    ['POST /api/controls/relay/menable', { duration: 60 }],
  ],
  console: [['POST /api/controls/console/button/activate', { id: '2' }], ['GET /api/console/event/status']],
  speaker: [
    ['GET /api/info/status'],
    [
      'POST /api/schedules',
      {
        events: [
          bell('First bell', '08:00', '#0b5cad'),
          bell('Noon', '12:00', '#c81e2b'),
          bell('Last bell', '23:59', '#1b7a3d'),
        ],
      },
    ],
    ['POST /api/controls/tone/start', { path: 'page-notif.wav', loop: true, duration: 300 }],
    ['POST /api/controls/emergency-alert/start', { announcement: 2 }],
  ],
};

function sceneOf({ number, classes }) {
  if (['8410', '8420'].includes(number)) return SCENES.display;
  if (number === '8190S') return [...SCENES.clock, ...SCENES.speaker];
  if (number === '8450') return SCENES.console;
  if (classes.includes('visual alerter')) return SCENES.strobe;
  if (['8028', '8039', '8063', '8201'].includes(number)) return SCENES.door;
  return SCENES.speaker;
}

/** Creates a picture for displays. */
async function signPicture(browser) {
  const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
  await page.setContent(`<body style="margin:0;background:#0b7a3b"><svg viewBox="0 0 960 540" fill="#fff">
    <path d="M520 120h300v300H520v-60h240V180H520z"/><path d="M120 230h330v-90l150 130-150 130v-90H120z"/></svg>`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** Resolves when a lamp is bright, and stops its animation; immediately if the device has no strobe. */
const stopBright = `new Promise((resolve) => {
  const look = () => {
    const lamps = [...document.querySelectorAll('.lamp')];
    const isBright = lamps.some((lamp) => Number(getComputedStyle(lamp).fillOpacity) >= 0.9);
    if (lamps.length > 0 && !isBright) return requestAnimationFrame(look);
    for (const animation of document.getAnimations()) animation.pause();
    resolve();
  };
  look();
})`;

async function photograph(browser, model, options, file) {
  const device = new VirtualDevice({ model: model.number, name: `Virtual ${model.number}` });
  const address = await device.start();
  const panel = new PanelServer([device]);
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 }, ...options });
  try {
    const faults = [];
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(await panel.start(0));
    if (sceneOf(model) === SCENES.display)
      await sendJson(address, 'PUT /api/files/images/exit.png', await signPicture(browser));
    for (const [line, body] of sceneOf(model)) await sendJson(address, line, body);
    const base64 = (input, text) =>
      input.replace(/:[0-9a-f]{32}:/, `:${createHash('md5').update(text).digest('base64')}:`);
    if (options.refused) {
      await sendJson(address, 'POST /api/controls/tone/start', { path: 'gong.wav', loop: false }, base64);
      await page.locator('#request-list li.refused summary').first().click();
      await page.locator('.signature').waitFor();
    }
    await page
      .locator('#request-list li')
      .nth(sceneOf(model).length - 1)
      // The panel hides successful reads.
      .waitFor({ state: 'attached' });
    await page.evaluate(stopBright);
    const target = options.refused ? page.locator('#requests') : page;
    const taken = await target.screenshot({
      ...(file ? { path: file } : {}),
      ...(options.refused ? {} : { fullPage: true }),
    });
    if (faults.length > 0) throw new Error(`${model.number}: ${faults.join('\n')}`);
    return taken;
  } finally {
    await page.close();
    await panel.stop();
    await device.stop();
  }
}

/** Combines the panels of all models into one picture, each at a quarter of its size. */
async function sheet(browser, pictures, file) {
  const page = await browser.newPage({ viewport: { width: 1531, height: 400 } });
  const shown = pictures.map(
    (picture) => `<img width="295" src="data:image/png;base64,${picture.toString('base64')}">`,
  );
  await page.setContent(`<body style="margin:8px;background:#8a949e;display:grid;grid-template-columns:repeat(5,295px);gap:10px;align-items:start">
    ${shown.join('')}`);
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
}

const byNumber = (number) => models.find((model) => model.number === number);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const [, , option, folder] = process.argv;
  if (option === '--all' && folder) {
    await mkdir(folder, { recursive: true });
    for (const model of models) {
      await photograph(browser, model, {}, path.join(folder, `${model.number}.png`));
      await photograph(
        browser,
        model,
        { colorScheme: 'dark', viewport: { width: 360, height: 780 } },
        path.join(folder, `${model.number}-narrow-dark.png`),
      );
    }
  } else {
    const picture = (name) => path.join(images, `panel-${name}.png`);
    await photograph(browser, byNumber('8138'), {}, picture('strobe'));
    await photograph(browser, byNumber('8410'), { colorScheme: 'dark' }, picture('display'));
    await photograph(browser, byNumber('8063'), {}, picture('door'));
    await photograph(browser, byNumber('8301'), { refused: true }, picture('signature'));
    const all = [];
    for (const model of models) all.push(await photograph(browser, model, {}));
    await sheet(browser, all, picture('models'));
  }
} finally {
  await browser.close();
}
