/**
 * For how long the sidebar holds the page at a time with very many rows, when it opens, is scrolled from one end to
 * the other, searched, and while all its rows change, which they do when they are asked and none is there:
 * `npm run bench -- sidebar [rows]`. In a real Chromium, which calls everything above 50 ms a long task.
 */

import { createRequire } from 'node:module';
import os from 'node:os';

const require = createRequire(import.meta.url);
const { Editor, startBrowser } = require('../dist/test/browser/editor.js');
const { startNodeRed } = require('../dist/test/fixtures/node-red.js');

const [count = 5_000] = process.argv.slice(2).map(Number);
const mostMs = 100;

/** Nobody listens there, so that asking one ends at once. */
const rows = Array.from({ length: count }, (_, place) => ({
  name: `Room-${String(place).padStart(5, '0')}`,
  address: `http://127.0.0.1:1/${place}`,
}));
const flow = [
  { id: 'tab', type: 'tab', label: 'bench' },
  { id: 'rooms', type: 'algo-group', name: 'All rooms', auth: 'none', certificate: 'any', timeout: 5, rows },
];

const watching = `(() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
})()`;

const frames = (action, times) => `new Promise((resolve) => {
  let step = 0;
  const next = () => {
    if (step > ${times}) return resolve();
    (${action})(step / ${times});
    step += 1;
    requestAnimationFrame(next);
  };
  next();
})`;

const scroll = frames(
  `(part) => { const rows = document.querySelector('.algo-rows'); rows.scrollTop = part * rows.scrollHeight; }`,
  200,
);

const nodeRed = await startNodeRed(flow);
const browser = await startBrowser();
try {
  const editor = await Editor.open(browser, nodeRed.url);
  const { page } = editor;
  await page.evaluate(watching);
  const sidebar = page.locator('.algo-sidebar');
  const showing = (shown) => sidebar.locator(`[role="grid"][aria-rowcount="${shown + 1}"]`).waitFor();
  const search = sidebar.getByRole('searchbox', { name: 'Search' });
  const all = count + 1;
  const actions = {
    opening: async () => {
      await page.evaluate('RED.sidebar.show("algo")');
      await showing(all);
    },
    scrolling: () => page.evaluate(scroll),
    searching: async () => {
      await search.pressSequentially('room-00001');
      await showing(1);
      await search.fill('');
      await showing(all);
    },
    changing: async () => {
      await sidebar.getByRole('button', { name: 'Refresh all' }).click();
      const away = `offline: ${count.toLocaleString('en-US')}`;
      await sidebar.locator('.algo-count', { hasText: away }).waitFor();
    },
  };
  console.log(`${count} rows, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}`);
  for (const [name, action] of Object.entries(actions)) {
    const begin = performance.now();
    await action();
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    // Long tasks are told of a moment later.
    await page.waitForTimeout(500);
    const tasks = await page.evaluate('window.longTasks.splice(0)');
    const longest = Math.max(0, ...tasks);
    console.log(
      `${name.padEnd(10)} ${seconds} s, ${tasks.length} long tasks, the longest ${longest.toFixed(0)} ms`,
    );
    if (longest > mostMs) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await nodeRed.stop();
}
