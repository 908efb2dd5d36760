/**
 * Makes the pictures of docs/first-steps.md: `npm exec -- node scripts/journey-pictures.mjs`, after a build,
 * with Debian's Chromium. With `npm exec`, `node` is the one that the install brought. A script follows the
 * journeys of test/browser/journeys.ts in a real Node-RED, once in each theme. Arguments select journeys by
 * name.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { Editor, startBrowser } = require('../dist/test/browser/editor.js');
const { fingerprintOf, startProtectedDevice } = require('../dist/test/browser/protected-device.js');
const journeys = require('../dist/test/browser/journeys.js');
const { startNodeRed } = require('../dist/test/fixtures/node-red.js');
const { NewUser } = require('../dist/test/browser/new-user.js');

const images = fileURLToPath(new URL('../docs/images', import.meta.url));

/** The visible part of the editor: in a dialog the result, in the flow its nodes. */
const clips = {
  unsupported: { x: 700, y: 50, width: 492, height: 462 },
  flow: { x: 215, y: 115, width: 640, height: 230 },
  alert: { x: 215, y: 200, width: 640, height: 300 },
};

/** Resolves when the lamp is bright, and stops its animation. */
const stopBright = `new Promise((resolve) => {
  const look = () => {
    const level = Number(getComputedStyle(document.querySelector('.lamp')).fillOpacity);
    if (level < 0.9) return requestAnimationFrame(look);
    for (const animation of document.getAnimations()) animation.pause();
    resolve();
  };
  look();
})`;

async function take(name, page, theme) {
  const path = `${images}/journey-${name}-${theme}.png`;
  if (name === 'panel') {
    await page.evaluate(stopBright);
    return page.getByRole('region', { name: 'Device activity' }).screenshot({ path });
  }
  if (clips[name]) return page.screenshot({ path, clip: clips[name] });
  // The part of the dialog from the button to the end of its result.
  const box = await page.locator('#algo-device-found').boundingBox();
  const { x, width } = await page.locator('.red-ui-tray').boundingBox();
  const top = (await page.locator('#algo-device-test').boundingBox()).y - 12;
  return page.screenshot({ path, clip: { x, y: top, width, height: box.y + box.height + 8 - top } });
}

const named = process.argv.slice(2);
const wanted = Object.values(journeys).filter(({ name }) => named.length === 0 || named.includes(name));
const nodeRed = await startNodeRed([]);
const browser = await startBrowser();
try {
  for (const theme of ['light', 'dark']) {
    const stroll = async (journey) => {
      const protectedDevice = await startProtectedDevice({ tls: journey === journeys.wrongCertificate });
      const user = await NewUser.openEditor(nodeRed.url, () =>
        Editor.open(browser, nodeRed.url, (page) => page.emulateMedia({ colorScheme: theme })),
      );
      const { page } = user;
      await page.evaluate(`document.documentElement.classList.toggle('nr-theme-dark', ${theme === 'dark'})`);
      const look = async (name, place) => {
        await page.mouse.move(0, 0);
        if (place !== page && 'emulateMedia' in place) await place.emulateMedia({ colorScheme: theme });
        await take(name, 'emulateMedia' in place ? place : page, theme);
      };
      const fingerprint =
        journey === journeys.wrongCertificate ? [await fingerprintOf(protectedDevice.address)] : [];
      const given = journey === journeys.firstSteps ? [] : [protectedDevice, ...fingerprint];
      await journey(user, ...given, look);
      await page.close();
      await protectedDevice.device.stop();
    };
    for (const journey of wanted) await stroll(journey);
  }
} finally {
  await browser.close();
  await nodeRed.stop();
}
