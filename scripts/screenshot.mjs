/**
 * Makes the picture of the demo flow in the README: `node scripts/screenshot.mjs`, with Debian's Chromium.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const userDir = await mkdtemp(path.join(os.tmpdir(), 'algo-screenshot-'));
const start = [path.join(root, 'scripts/start.mjs'), '--port', '0', '--user-dir', userDir];
const demo = spawn(process.execPath, start, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  await photograph(await addressOf(demo), path.join(root, 'images', 'demo-flow.png'));
} finally {
  const ended = once(demo, 'exit');
  demo.kill('SIGINT');
  await ended;
  await rm(userDir, { recursive: true });
}

/** Returns the editor's address after the demo has printed its welcome. */
async function addressOf(program) {
  let address;
  for await (const line of createInterface({ input: program.stdout })) {
    address ??= /^\s+(http:\S+)$/.exec(line)?.[1];
    if (line.includes('Ctrl-C')) return address;
  }
  throw new Error('The demo did not start');
}

async function photograph(address, file) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1520, height: 560 } });
    await page.goto(address);
    await page.locator('.red-ui-flow-node').first().waitFor();
    await page.getByRole('button', { name: 'Information' }).click();
    await page.keyboard.press('Control+g');
    await page.keyboard.press('d');
    await page.locator('.red-ui-flow-node-button').first().click();
    await page.locator('.red-ui-debug-msg').first().waitFor();
    await page.mouse.move(700, 500);
    // The notification about the pressed button covers the comments of the flow.
    await page.locator('.red-ui-notification').first().waitFor({ state: 'hidden' });
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}
