import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { patienceMs } from '../fixtures/waiting';
import { CleanPage } from './clean-page';
import { Editor, type Pages, startBrowser } from './editor';
import { SharedNodeRed } from './shared-node-red';

/** What the tests of one `describe` share; there from the first of them to the last. */
export interface Session {
  readonly nodeRed: NodeRed;
  readonly browser: Browser;
  /** Opens pages of the editor, none of which is painted. */
  readonly still: Pages;
  /**
   * Loads the editor in a page of its own, for a new user.
   * @param prepare what is done in the page before the editor is there
   */
  show(prepare?: (page: Page) => Promise<void>): Promise<Editor>;
}

/** What the files that Mocha runs in one worker share; it ends with the worker. */
interface Kept {
  readonly browser: Browser;
  /** The user who opens the editor in further pages: they need not read and compile it again. */
  context?: BrowserContext;
  nodeRed?: SharedNodeRed;
  /** Loaded editors, by their language. */
  readonly pages: Map<string, CleanPage>;
}

const isWorker = process.env.MOCHA_WORKER_ID !== undefined;
let kept: Kept | undefined;

async function keep(): Promise<Kept> {
  if (!kept?.browser.isConnected())
    kept = {
      browser: await startBrowser(),
      pages: new Map(),
      ...(kept?.nodeRed && { nodeRed: kept.nodeRed }),
    };
  return kept;
}

/**
 * The most expensive work of a browser that no test looks at: a dialog that slides is drawn many times, and each
 * change is painted. Transparent elements have their place and their size, and can be pressed.
 */
const style = '<style>.red-ui-tray { transition: none !important; } body { opacity: 0 !important; }</style>';

/**
 * Node-RED's scripts pause for slides, which take no time here. A tenth of each pause keeps the order of what comes
 * after them. The timers of our scripts are as they are.
 */
const shortenPauses = `{
  const setTimer = setTimeout;
  const isOfEditor = () => /\\/red\\/[\\w./-]+\\.js\\b/.test(new Error().stack.split('\\n')[3]);
  window.setTimeout = (task, delay, ...rest) =>
    setTimer(task, delay > 0 && delay <= 300 && isOfEditor() ? delay / 10 : delay, ...rest);
}`;
const makeStill = `${shortenPauses}
addEventListener('DOMContentLoaded', () => document.head.insertAdjacentHTML('beforeend', '${style}'))`;

/** A page that shows nothing, see above. */
async function stillPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.addInitScript(makeStill);
  return page;
}

async function userOf(worker: Kept): Promise<BrowserContext> {
  if (!worker.context) {
    worker.context = await worker.browser.newContext();
    worker.context.setDefaultTimeout(patienceMs);
  }
  return worker.context;
}

/** Opens further pages that show nothing, of the same user: they need not read and compile the editor again. */
function stillPages(worker: Kept): Pages {
  return { newPage: async () => stillPage(await userOf(worker)) };
}

/**
 * The editor in a page that is loaded for a user who was never here before.
 * @param prepare what is done in the page before the editor is there
 */
async function openEditor(url: string, prepare?: (page: Page) => Promise<void>): Promise<Editor> {
  const worker = await keep();
  const page = await stillPage(await userOf(worker));
  await page.context().clearCookies();
  // The storage belongs to the address, so that something small of it comes first.
  await page.goto(new URL('favicon.ico', url).href);
  await page.evaluate('localStorage.clear()');
  return Editor.show(page, url, prepare);
}

/** Leaves nothing of a file to the next but editors that are as they were loaded. */
async function tidyUp(worker: Kept): Promise<void> {
  const { browser, pages } = worker;
  const own = new Set([...pages.values()].map(({ page }) => page));
  const others = browser.contexts().flatMap((context) => context.pages());
  await Promise.all(others.map((one) => !own.has(one) && one.close()));
  for (const [language, clean] of pages) {
    const left = await clean.empty().catch((error: unknown) => [String(error)]);
    if (left.length === 0) continue;
    pages.delete(language);
    await clean.page.close();
  }
  if (worker.nodeRed && !worker.nodeRed.isClean) await endNodeRed(worker);
  if (isWorker) return;
  kept = undefined;
  await endNodeRed(worker);
  await browser.close();
}

/** Ends the shared Node-RED, and the editors that it would leave without one. */
async function endNodeRed(worker: Kept): Promise<void> {
  for (const { page } of worker.pages.values()) await page.close();
  worker.pages.clear();
  await worker.nodeRed?.stop();
  delete worker.nodeRed;
}

/** A browser for the tests of the `describe` that calls it; none of its pages outlives them. */
export function browsing(): Pick<Session, 'browser' | 'still'> {
  const shared: { browser?: Browser; still?: Session['still'] } = {};
  before(async () => {
    const worker = await keep();
    shared.browser = worker.browser;
    shared.still = stillPages(worker);
  });
  after(() => kept && tidyUp(kept));
  return shared as Session;
}

/**
 * A browser, and a Node-RED of its own with a flow that starts before the tests of the `describe` that calls it and
 * ends after them.
 * @param settings beyond Node-RED's usual ones
 */
export function session(flow: readonly FlowNode[], settings: object = {}): Session {
  const shared = browsing() as { nodeRed?: NodeRed; show?: Session['show'] };
  before(async () => {
    const nodeRed = await startNodeRed(flow, undefined, undefined, settings);
    shared.nodeRed = nodeRed;
    shared.show = (prepare) => openEditor(nodeRed.url, prepare);
  });
  after(() => shared.nodeRed?.stop());
  return shared as Session;
}

/**
 * A browser, the Node-RED of this worker with this flow, and an editor that has loaded it. The editor is checked after
 * each test.
 */
export function editorSession(flow: readonly FlowNode[], opened: (editor: Editor) => void): Session {
  return sessionWith(flow, opened, '');
}

/** The same with an editor in another language. */
export function editorSessionIn(
  language: string,
  flow: readonly FlowNode[],
  opened: (editor: Editor) => void,
): Session {
  // What people choose in Node-RED's settings to have a language of ours.
  return sessionWith(flow, opened, language === 'es' ? 'es-ES' : language);
}

function sessionWith(flow: readonly FlowNode[], opened: (editor: Editor) => void, language: string): Session {
  const shared = browsing() as { nodeRed?: NodeRed };
  let editor: Editor | undefined;
  before(async () => {
    const worker = await keep();
    worker.nodeRed ??= await SharedNodeRed.start();
    const nodeRed = await worker.nodeRed.run(flow);
    shared.nodeRed = nodeRed;
    editor = await showFlow(worker, nodeRed.url, language);
    opened(editor);
  });
  afterEach(function () {
    return editor?.check(this.currentTest);
  });
  return shared as Session;
}

/** The loaded editor of this worker with the flow that Node-RED runs now. */
async function showFlow(worker: Kept, url: string, language: string): Promise<Editor> {
  const there = worker.pages.get(language);
  if (there) {
    await there.load();
    return Editor.show(there.page, url);
  }
  const storage: Record<string, string> = language ? { 'editor-language': language } : {};
  const page = await stillPage(language ? await worker.browser.newContext() : await userOf(worker));
  await page.goto(new URL('favicon.ico', url).href);
  await page.evaluate(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(storage)})`);
  await Editor.show(page, url);
  const clean = await CleanPage.of(page, storage);
  worker.pages.set(language, clean);
  await clean.load();
  return Editor.show(page, url);
}
