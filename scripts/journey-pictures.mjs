/**
 * Makes the pictures of docs/first-steps.md: `node scripts/journey-pictures.mjs`, after a build, with Debian's
 * Chromium. A newcomer goes the ways that test/browser/journeys.ts describes, in a real Node-RED, once in each
 * theme; all of them, or those that are named.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { startBrowser } = require('../dist/test/browser/editor.js');
const { fingerprintOf, furnish } = require('../dist/test/browser/house.js');
const journeys = require('../dist/test/browser/journeys.js');
const { startNodeRed } = require('../dist/test/browser/node-red.js');
const { Person } = require('../dist/test/browser/person.js');

const images = fileURLToPath(new URL('../docs/images', import.meta.url));

/** What is to be seen: of a dialog what has been found, of the flow its nodes, of the panel its lamp and its switch. */
const seen = {
  lacks: { clip: { x: 700, y: 50, width: 492, height: 462 } },
  flow: { clip: { x: 215, y: 115, width: 640, height: 230 } },
  panel: { clip: { x: 40, y: 84, width: 1060, height: 536 } },
};

const dialogOf = ['password', 'clock', 'certificate', 'model'];

async function take(name, page, theme) {
  const path = `${images}/journey-${name}-${theme}.png`;
  if (!dialogOf.includes(name)) return page.screenshot({ path, ...seen[name] });
  // The dialog from the button to the end of what it says.
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
      const house = await furnish({ tls: journey === journeys.wrongCertificate });
      const person = await Person.sitDown(browser, nodeRed.url, (page) =>
        page.emulateMedia({ colorScheme: theme }),
      );
      const { page } = person;
      await page.evaluate(`document.documentElement.classList.toggle('nr-theme-dark', ${theme === 'dark'})`);
      const look = async (name, place) => {
        await page.mouse.move(0, 0);
        if (place !== page && 'emulateMedia' in place) await place.emulateMedia({ colorScheme: theme });
        await take(name, 'emulateMedia' in place ? place : page, theme);
      };
      const fingerprint = journey === journeys.wrongCertificate ? [await fingerprintOf(house.address)] : [];
      const given = journey === journeys.flashOnRelay ? [] : [house, ...fingerprint];
      await journey(person, ...given, look);
      await page.close();
      await house.device.stop();
    };
    for (const journey of wanted) await stroll(journey);
  }
} finally {
  await browser.close();
  await nodeRed.stop();
}
