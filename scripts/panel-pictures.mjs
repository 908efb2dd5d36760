/**
 * Makes the pictures of the virtual device's panel in the README: `node scripts/panel-pictures.mjs`, after a
 * build, with Debian's Chromium. With `--all <folder>` it makes one of each model, for a look at all of them.
 */
import { createHash, createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const { VirtualDevice } = require('../dist/src/virtual-device/device.js');
const { MODELS } = require('../dist/src/virtual-device/models.js');
const { PanelServer } = require('../dist/src/virtual-device/panel/server.js');

const images = fileURLToPath(new URL('../images', import.meta.url));
const password = 'algo';
let nonce = 0;

/** Signs and sends; `twist` spoils the signature. */
async function tell(address, line, body, twist = (input) => input) {
  const [method, target] = line.split(' ');
  const seconds = Math.floor(Date.now() / 1000);
  const text = body === undefined ? '' : JSON.stringify(body);
  const md5 = createHash('md5').update(text).digest('hex');
  nonce += 1;
  const middle = text ? `:${md5}:application/json` : '';
  const input = twist(`${method}:${target}${middle}:${seconds}:${nonce}`, text);
  const digest = createHmac('sha256', password).update(input).digest('hex');
  const headers = {
    Authorization: `hmac admin:${nonce}:${digest}`,
    Date: new Date(seconds * 1000).toUTCString(),
  };
  if (text) Object.assign(headers, { 'Content-Type': 'application/json', 'Content-MD5': md5 });
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

/** What each picture shows. Operations that a model lacks are refused, which the list of requests may show. */
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
    for (const [line, body] of sceneOf(model)) await tell(address, line, body);
    const base64 = (input, text) =>
      input.replace(/:[0-9a-f]{32}:/, `:${createHash('md5').update(text).digest('base64')}:`);
    if (options.refused) {
      await tell(address, 'POST /api/controls/tone/start', { path: 'gong.wav', loop: false }, base64);
      await page.locator('#request-list summary').first().click();
      await page.locator('.signature').waitFor();
    }
    await page
      .locator('#request-list li')
      .nth(sceneOf(model).length - 1)
      .waitFor();
    const target = options.refused ? page.locator('#requests') : page;
    await target.screenshot({ path: file, ...(options.refused ? {} : { fullPage: true }) });
    if (faults.length > 0) throw new Error(`${model.number}: ${faults.join('\n')}`);
  } finally {
    await page.close();
    await panel.stop();
    await device.stop();
  }
}

const byNumber = (number) => MODELS.find((model) => model.number === number);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const [, , all, folder] = process.argv;
  if (all === '--all' && folder) {
    await mkdir(folder, { recursive: true });
    for (const model of MODELS) {
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
  }
} finally {
  await browser.close();
}
