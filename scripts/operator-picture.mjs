/**
 * Makes the picture of docs/reports.md: `npm exec -- node scripts/operator-picture.mjs`, after a build, with
 * Debian's Chromium. A drill of the example's flow, at a strobe that does not answer, on a phone.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { startBrowser } = require('../dist/test/browser/editor.js');
const { dashboardFolder } = require('../dist/test/fixtures/dashboard.js');
const { startNodeRed } = require('../dist/test/fixtures/node-red.js');

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const example = JSON.parse(
  readFileSync(file("examples/4 Alerts/Operator's page - lockdown and all-clear.json"), 'utf8'),
);
const flow = example.map((node) =>
  node.id === 'example-corridor-strobe' ? { ...node, virtual: '', address: 'http://127.0.0.1:1' } : node,
);

const nodeRed = await startNodeRed(flow, undefined, undefined, {}, { '@flowfuse': await dashboardFolder() });
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 390, height: 760 }, locale: 'en-US' });
  await page.goto(`${nodeRed.url}operator/lockdown`);
  await page.getByLabel('Your name').fill('Ms Frei');
  const start = page.getByRole('button', { name: /^Start the lockdown/ });
  await start.hover();
  await page.mouse.down();
  await page.getByText('LOCKDOWN', { exact: true }).waitFor();
  await page.mouse.up();
  await page.getByText('2 of 3 devices reached.').waitFor();
  await page.getByRole('button', { name: 'We are safe' }).click();
  await page.getByText('Ms Frei: We are safe').waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: file('docs/images/operator-page.png'), animations: 'disabled' });
} finally {
  await browser.close();
  await nodeRed.stop();
}
