import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { dashboardFolder } from '../fixtures/dashboard';
import { exampleFile } from '../fixtures/examples';
import { listen } from '../fixtures/listening';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { read } from '../fixtures/package';
import { patienceMs } from '../fixtures/waiting';
import { bringAxe, complaintsOf } from './axe';
import { contrasts } from './contrast';
import { browsing } from './session';

const example = read<FlowNode[]>(exampleFile("Operator's page - lockdown and all-clear"));
/** The strobe is a device that does not answer: nothing listens on port 1. */
const flow = example.map((node): FlowNode => {
  if (node.id !== 'example-corridor-strobe') return node;
  return { ...node, virtual: '', address: 'http://127.0.0.1:1', model: '8138', firmware: '5.7' };
});

/** A network cable between the browser and Node-RED that can be unplugged. */
class Cable {
  readonly #sockets = new Set<Socket>();
  #isPlugged = true;

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async to(url: string): Promise<Cable> {
    const { port } = new URL(url);
    const server = createServer((socket) => {
      if (!cable.#isPlugged) return socket.destroy();
      const nodeRed = connect(Number(port), '127.0.0.1');
      for (const [one, other] of [
        [socket, nodeRed],
        [nodeRed, socket],
      ] as const) {
        cable.#sockets.add(one);
        one
          .on('error', () => other.destroy())
          .on('close', () => other.destroy() && cable.#sockets.delete(one));
      }
      return socket.pipe(nodeRed).pipe(socket);
    });
    const cable: Cable = new Cable(server, await listen(server));
    return cable;
  }

  unplug(): void {
    this.#isPlugged = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  plugIn(): void {
    this.#isPlugged = true;
  }

  close(): void {
    this.unplug();
    this.server.close();
  }
}

/** The points of an element that something else covers, as shares of its width. For the page. */
function coveredIn(element: Element): number[] {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [0.1, 0.5, 0.9].filter((share) => {
    const seen = document.elementFromPoint(left + width * share, top + height / 2);
    return seen !== element && !element.contains(seen);
  });
}

const screens = { phone: { width: 390, height: 800 }, tablet: { width: 820, height: 1100 } };

describe("the operator's page", () => {
  const shared = browsing();
  let nodeRed: NodeRed;
  let cable: Cable;
  let page: Page;

  before(async () => {
    const flowfuse = await dashboardFolder();
    nodeRed = await startNodeRed(flow, undefined, undefined, {}, { '@flowfuse': flowfuse });
    cable = await Cable.to(nodeRed.url);
  });

  after(async () => {
    cable.close();
    await nodeRed.stop();
  });

  const part = (selector: string): Locator => page.locator(`.operator ${selector}`);
  const shows = (state: string): Promise<void> =>
    part('.state strong').getByText(state, { exact: true }).waitFor();
  const button = (name: string | RegExp): Locator => page.locator('.operator').getByRole('button', { name });
  const startButton = (): Locator => button(/^Start the lockdown/);
  const clearButton = (): Locator => button(/^All-clear/);

  async function open(
    size: keyof typeof screens,
    prepare: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    page = await shared.browser.newPage({ viewport: screens[size], locale: 'en-US' });
    page.setDefaultTimeout(patienceMs);
    await prepare();
    await page.goto(`http://${cable.address}/operator/lockdown`);
    await shows('No alert');
  }

  /** Holds a button with the pointer until the page shows the state that its command brings about. */
  async function hold(wanted: Locator, state: string): Promise<void> {
    await wanted.hover();
    await page.mouse.down();
    await shows(state);
    await page.mouse.up();
  }

  /** Returns the state of the alert after all that this page has sent before: the messages of a socket keep their order. */
  const stateAfterAll = (before = ''): Promise<string> =>
    page.evaluate(`new Promise((resolve) => {
      const { $socket } = document.querySelector('#app').__vue_app__._context.provides;
      const id = String(performance.now());
      $socket.on('msg-input:operator-template', ({ payload }) => {
        if (payload.answerTo === id) resolve(payload.alert.state);
      });
      const send = (message) => $socket.emit('widget-action', 'operator-template', message);
      ${before}
      send({ payload: { command: 'report', id } });
    })`);

  /** Presses a button briefly and confirms by the keyboard, on which the question has the focus. */
  async function pressAndConfirm(wanted: Locator): Promise<void> {
    await wanted.focus();
    await page.keyboard.press('Enter');
    await part('.confirm').waitFor();
    await page.waitForFunction(`document.activeElement.textContent.trim() === 'Yes'`);
    await page.waitForFunction('document.querySelector(".operator .confirm button:not([disabled])")');
    await page.keyboard.press('Enter');
  }

  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await page.screenshot({ path: 'dist/failed.png', fullPage: true });
    cable.plugIn();
    await page.close();
  });

  it('starts by a held button on a phone, counts who was reached, takes answers, and gives the all-clear', async () => {
    await open('phone');
    await hold(startButton(), 'LOCKDOWN');
    await part('.line').getByText('2 of 3 devices reached. Missing: Corridor strobe').waitFor();

    assert.equal(await button('We are safe').isDisabled(), true, 'an answer without a name');
    await page.getByLabel('Your name').fill('Ms Frei');
    await button('We are safe').click();
    await part('li').getByText('Ms Frei: We are safe').waitFor();
    await button('We need help').click();
    await part('li').getByText('Ms Frei: We need help').waitFor();
    assert.equal(await part('li').count(), 1);

    await page.reload();
    await shows('LOCKDOWN');
    await part('.line').getByText('2 of 3 devices reached. Missing: Corridor strobe').waitFor();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Ms Frei');

    await hold(clearButton(), 'No alert');
    await startButton().waitFor();
  });

  it('is worked by the keyboard on a tablet: a held key, or a press that is confirmed, also for a drill', async () => {
    await open('tablet');
    await page.getByLabel('Your name').fill('Mr Roth');
    await page.getByLabel('Drill').focus();
    await page.keyboard.press('Space');
    const drill = button(/^Start the drill/);
    await drill.focus();
    await page.keyboard.down('Space');
    await shows('DRILL: lockdown');
    await page.keyboard.up('Space');
    await part('.state').getByText('started by Mr Roth').waitFor();
    await pressAndConfirm(clearButton());
    await shows('No alert');
  });

  const drillSwitch = (): Locator => page.getByLabel('Drill');
  const colorOf = (wanted: Locator): Promise<string> =>
    wanted.evaluate((one) => getComputedStyle(one).getPropertyValue('--color').trim());

  it('is in earnest again after a drill, whose button is not red, and lets a drill become real', async () => {
    await open('phone');
    assert.equal(await colorOf(startButton()), '#a40000');
    await drillSwitch().check();
    const drill = button(/^Start the drill/);
    assert.notEqual(await colorOf(drill), '#a40000');
    await hold(drill, 'DRILL: lockdown');
    const real = button(/^This is real: start the lockdown/);
    assert.equal(await colorOf(real), '#a40000');
    await hold(clearButton(), 'No alert');
    assert.equal(await drillSwitch().isChecked(), false);
    await startButton().waitFor();

    await drillSwitch().check();
    await hold(drill, 'DRILL: lockdown');
    await hold(real, 'LOCKDOWN');
    await real.waitFor({ state: 'hidden' });
    await hold(clearButton(), 'No alert');
    assert.equal(await drillSwitch().isChecked(), false);
  });

  it('forgets a drill that is not started, and a question that meant it', async () => {
    // The five minutes are over when the test says so.
    const keepDrillTimer = `{
      const set = setTimeout;
      window.setTimeout = (task, ms, ...rest) =>
        ms === 300_000 ? void (window.endDrill = task) : set(task, ms, ...rest);
    }`;
    await open('tablet', () => page.addInitScript(keepDrillTimer));
    await drillSwitch().check();
    await button(/^Start the drill/).click();
    await part('.confirm').getByText('Start the drill now?').waitFor();
    await page.evaluate('window.endDrill()');
    await startButton().waitFor();
    await part('.confirm').waitFor({ state: 'hidden' });
    assert.equal(await drillSwitch().isChecked(), false);
    assert.equal(await stateAfterAll(), 'idle');
  });

  it('starts nothing by a short press that nobody confirms, nor by a pointer that slips off', async () => {
    await open('phone');
    await startButton().click();
    await part('.confirm').getByText('Start the lockdown now?').waitFor();
    await button('Cancel').click();
    await part('.confirm').waitFor({ state: 'hidden' });
    await startButton().hover();
    await page.mouse.down();
    await page.mouse.move(200, 10);
    await page.mouse.up();
    assert.equal(await stateAfterAll(), 'idle');
  });

  it('shows no state before Node-RED has told one', async () => {
    const keepStates = `{
      window.states = [];
      const look = () => {
        const shown = document.querySelector('.operator .state strong')?.textContent;
        if (shown && window.states.at(-1) !== shown) window.states.push(shown);
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    }`;
    await open('phone', () => page.addInitScript(keepStates));
    assert.deepEqual(await page.evaluate('window.states'), ['Waiting for Node-RED …', 'No alert']);
  });

  it('sends nothing without a connection, not even later, and says so', async () => {
    await open('phone');
    cable.unplug();
    await part('[role="alert"]').getByText('Not connected to Node-RED').waitFor();
    await startButton().hover();
    await page.mouse.down();
    const notice = part('[role="alert"]').getByText('nothing was sent');
    await notice.waitFor();
    await page.mouse.up();
    assert.deepEqual(await notice.evaluate(coveredIn), [], 'parts of the notice under something else');
    cable.plugIn();
    await part('[role="alert"]').getByText('Not connected to Node-RED').waitFor({ state: 'hidden' });
    assert.equal(await stateAfterAll(), 'idle');
  });

  it('says why a command was not carried out', () => {
    const { func } = example.find(({ id }) => id === 'operator-show') ?? assert.fail();
    const show = new Function('msg', 'context', String(func));
    const kept = new Map([['alert', { state: 'active', unknown: [], failed: [] }]]);
    const error = { message: 'not carried out at all' };
    const receipts = (...outcomes: string[]) => outcomes.map((outcome) => ({ outcome }));
    const refused = (message: object) => show({ error, ...message }, kept).payload.refused;
    assert.equal(refused({}), error.message);
    assert.equal(refused({ receipts: receipts('failed', 'expired') }), error.message);
    assert.equal(refused({ receipts: receipts('failed', 'accepted') }), undefined);
  });

  it('refuses commands that the page does not have', async () => {
    await open('phone');
    const commands = `
      send({ payload: { command: 'reboot' } });
      send({ payload: null, operation: 'start' });
      send({ payload: { command: { start: true } }, operation: 'start' });`;
    assert.equal(await stateAfterAll(commands), 'idle');
    assert.equal(await stateAfterAll("send({ payload: { command: 'start', drill: true } })"), 'active');
    await stateAfterAll("send({ payload: { command: 'clear' } })");
    await shows('No alert');
  });

  it('has nothing that axe is against, before and during an alert', async () => {
    await open('phone');
    await bringAxe(page);
    assert.deepEqual(await complaintsOf(page, '.operator'), []);
    await startButton().click();
    await page.waitForFunction('document.querySelector(".operator .confirm button:not([disabled])")');
    assert.deepEqual(await complaintsOf(page, '.operator'), [], 'while the page asks');
    // axe passes over texts on which a layer lies, even one that cannot be seen.
    const ratios = await contrasts(page, '.operator .confirm :is(span:not([class]), button)');
    assert.equal(ratios.length, 3);
    for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
    await button('Cancel').click();
    await hold(startButton(), 'LOCKDOWN');
    assert.deepEqual(await complaintsOf(page, '.operator'), []);
    await hold(clearButton(), 'No alert');
  });
});
