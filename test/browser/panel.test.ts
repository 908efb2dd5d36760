import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { adminAuth } from '../fixtures/guarded-node-red';
import { patienceMs } from '../fixtures/waiting';
import { wording, wordingIn } from '../fixtures/wording';
import { withTarget } from '../virtual-device/calls/target';
import { textOf } from './editor';
import { logIn } from './log-in';
import { holds, openPanel } from './open-panel';
import { session } from './session';
import { editorTheme } from './shared-node-red';

const virtual = {
  id: 'virtual',
  type: 'algo-virtual-device',
  name: 'Virtual 8138',
  model: '8138',
  firmware: '5.7',
  auth: 'none',
  port: 0,
};
const hand = {
  id: 'hand',
  type: 'algo-virtual',
  z: 'tab',
  x: 200,
  y: 100,
  name: 'a hand',
  virtual: 'virtual',
  operation: 'state',
  parametersType: 'json',
  parameters: '{}',
  wires: [[]],
};
const flow = [{ id: 'tab', type: 'tab', label: 'Panel' }, virtual, hand];
const panelPath = 'algo/virtual/virtual/';

describe('the panel below the editor, where people log in', () => {
  const shared = session(flow, { adminAuth, editorTheme, httpAdminRoot: '/deep/admin' });

  it('shows nothing to strangers', async () => {
    for (const path of ['', 'events', 'state', 'panel.js', '?ticket=made-up'])
      assert.equal((await fetch(`${shared.nodeRed.url}${panelPath}${path}`)).status, 401, path);
    for (const path of ['command', 'ticket'])
      assert.equal(
        (await fetch(`${shared.nodeRed.url}${panelPath}${path}`, { method: 'POST' })).status,
        401,
        path,
      );
  });

  it('tells one who opens it by its address how to open it', async () => {
    for (const path of ['', '?ticket=made-up']) {
      const answer = await fetch(`${shared.nodeRed.url}${panelPath}${path}`);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(String(answer.headers.get('content-security-policy')), /^default-src 'none'/);
      assert.match(await answer.text(), wordingIn('panel:refused.how'));
    }
    const german = await (await fetch(`${shared.nodeRed.url}${panelPath}?lang=de`)).text();
    assert.match(german, /<html lang="de">[\s\S]*„Bedienfeld öffnen“ drücken/);
    const part = await (await fetch(`${shared.nodeRed.url}${panelPath}state`)).text();
    assert.doesNotMatch(part, /<html/);
  });

  it('opens for one who may change things, by a ticket that is good once', async () => {
    const editor = await logIn(shared, 'boss');
    const { page } = editor;
    const tickets: string[] = [];
    page.context().on('request', (request) => {
      if (request.url().includes('?ticket=')) tickets.push(request.url());
    });
    await editor.edit('hand');
    const panel = await openPanel(editor);
    assert.equal(panel.url(), `${shared.nodeRed.url}${panelPath}?lang=en-US`);
    await panel.getByText('Faults', { exact: true }).click();
    await panel.getByRole('button', { name: wording('panel:fault.add') }).click();
    await panel.locator('.faults li', { hasText: 'latency, ms 2000: occurred 0' }).waitFor();
    const cookies = await panel.context().cookies(panel.url());
    const cookie = cookies.find(({ name }) => name === 'algo-panel');
    assert.deepEqual(
      [cookie?.path, cookie?.httpOnly, cookie?.sameSite],
      ['/deep/admin/algo/virtual/virtual', true, 'Strict'],
    );
    assert.equal(tickets.length, 1);
    assert.equal((await fetch(String(tickets[0]))).status, 401);
    await panel.close();
  });

  it('says how to come back when the permission has run out', async () => {
    const editor = await logIn(shared, 'boss');
    await editor.edit('hand');
    const panel = await openPanel(editor);
    await panel.context().clearCookies();
    // One of which nothing was changed would go on over a deploy.
    await editor.page.evaluate(`$.getJSON('flows').then(({ flows }) => $.ajax({
      url: 'flows',
      type: 'POST',
      headers: { 'Node-RED-Deployment-Type': 'full' },
      contentType: 'application/json',
      data: JSON.stringify({
        flows: flows.map((node) => (node.id === 'virtual' ? { ...node, firmware: '5.6' } : node)),
      }),
    }))`);
    await panel.getByRole('heading', { name: wording('panel:refused.title') }).waitFor();
    await panel.close();
  });

  it('lets one who may only read look, and change nothing', async () => {
    const editor = await logIn(shared, 'guest');
    await editor.edit('hand');
    const panel = await openPanel(editor);
    await panel.getByText(wording('panel:mayOnlyLook')).waitFor();
    assert.ok(await panel.locator('#inputs .switch').isDisabled());
    const status = await panel.evaluate(
      "fetch('command', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{\"name\":\"state\"}' }).then(({ status }) => status)",
    );
    assert.equal(status, 403);
    await panel.close();
  });
});

describe('the panel, as people with other habits use it', () => {
  const shared = session(flow);

  async function open(options: Parameters<Browser['newPage']>[0]): Promise<Page> {
    const page = await shared.browser.newPage(options);
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${shared.nodeRed.url}${panelPath.slice(0, -1)}`);
    await page.locator('#connection[data-state="on"]').waitFor();
    return page;
  }

  it('keeps still for those who asked for less motion, and moves when told', async () => {
    const page = await open({ reducedMotion: 'reduce' });
    const address = String(await textOf(page.locator('#identity'))).match(/http:\S+/)?.[0];
    const body = JSON.stringify({ pattern: 0, color1: 'blue', ledlvl: '56' });
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${address}/api/controls/strobe/start`, { method: 'POST', headers, body });
    await page.locator('#strobe .words', { hasText: 'Flashing blue' }).waitFor();
    const motion = () => page.evaluate("getComputedStyle(document.querySelector('.lamp')).animationName");
    assert.equal(await motion(), 'none');
    await page.locator('#announcements', { hasText: 'Strobe: Flashing blue' }).waitFor({ state: 'attached' });
    const still = page.getByRole('button', { name: wording('panel:still') });
    assert.equal(await still.getAttribute('aria-pressed'), 'true');
    await still.click();
    assert.equal(await motion(), 'wave');
    await page.close();
  });

  it('fits into 360 px, and everything in it has a name', async () => {
    const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    const outgoing = wording('panel:controls.outgoing');
    for (const group of ['Faults', 'Troubles', outgoing, 'Time', wording('panel:controls.identity')])
      await page.getByText(group, { exact: true }).click();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    const nameless = await page.evaluate(`[...document.querySelectorAll('button, input, select')]
      .filter((one) => !one.textContent.trim() && !one.labels?.length && !one.ariaLabel).length`);
    assert.equal(nameless, 0);
    await page.close();
  });

  it('sends a request from the device, and shows it with its status, or why there is none', () =>
    withTarget(
      async ({ place, requests: heard }) => {
        const page = await open({});
        await page.getByText(wording('panel:controls.outgoing'), { exact: true }).click();
        const field = (key: string) => page.getByLabel(wording(`panel:outgoing.${key}`), { exact: true });
        const send = page.getByRole('button', { name: wording('panel:outgoing.send'), exact: true });
        await field('method').selectOption('PUT');
        await field('target').fill(place);
        await field('path').fill('/bell');
        await field('payload').fill('{"n":1}');
        await field('auth').selectOption('basic');
        await send.click();
        await page.getByRole('status').getByText('Answer: 200').waitFor();
        assert.deepEqual(
          heard.map(({ method, url, body }) => [method, url, body]),
          [['PUT', '/bell', '{"n":1}']],
        );
        const answered = page.locator('#request-list li.sent.done');
        await answered.getByText('200 answered').waitFor();
        await answered.getByText(wording('panel:outgoing.sent')).waitFor();
        await answered.locator('summary').click();
        await answered.getByText(wording('panel:outgoing.hidden')).waitFor();
        assert.doesNotMatch((await answered.textContent()) ?? '', /"n"|"all"|Basic/);
        await field('path').fill('/moved?n=1');
        await field('payload').fill('');
        await send.click();
        const moved = page.locator('#request-list li.sent.refused');
        await moved.getByText('302 answered').waitFor();
        assert.match((await moved.locator('.path').textContent()) ?? '', /\/moved$/);
        await field('target').fill('192.0.2.9');
        await send.click();
        await page.locator('.problem', { hasText: 'neither localhost nor a loopback address' }).waitFor();
        await page.locator('#request-list li.sent.failed').getByText('not sent', { exact: true }).waitFor();
        await page.close();
      },
      (response, { url }) => {
        if (url === '/moved?n=1') response.writeHead(302, { Location: '/elsewhere' }).end();
        else response.end('{"all":"well"}');
      },
    ));

  it('is worked by keyboard alone, and keeps the focus where it was', async () => {
    const page = await open({});
    const input = page.locator('#inputs .switch');
    await input.focus();
    await page.keyboard.press('Space');
    await page.locator('#inputs .switch[aria-checked="true"]').waitFor();
    assert.equal(await page.evaluate('document.activeElement.dataset.key'), 'input relay');
    await page.keyboard.press('Enter');
    await page.locator('#inputs .switch[aria-checked="false"]').waitFor();
    await page.close();
  });

  it('says that it has lost contact, and finds the device again after a deploy', async () => {
    const page = await open({});
    const stored = (await (await fetch(`${shared.nodeRed.url}flows`)).json()) as { id: string }[];
    const flows = stored.map((node) => (node.id === 'virtual' ? { ...node, firmware: '5.6' } : node));
    const headers = { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'full' };
    // The page itself looks on: what is lost for a second could go by unseen from here.
    await page.evaluate(`{
      const badge = document.getElementById('connection');
      window.seen = [];
      new MutationObserver(() => window.seen.push(badge.dataset.state)).observe(badge, { attributes: true });
    }`);
    await fetch(`${shared.nodeRed.url}flows`, { method: 'POST', headers, body: JSON.stringify(flows) });
    await holds(page, "window.seen.includes('offline') && window.seen.at(-1) === 'on'");
    await page.close();
  });
});
