import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { patienceMs } from '../fixtures/waiting';
import { Editor, type Pages, startBrowser } from './editor';
import { Gateway } from './gateway';

/** What the tests of one `describe` share; there from the first of them to the last. */
export interface Session {
  readonly nodeRed: NodeRed;
  readonly browser: Browser;
  /** Opens pages of the editor, none of which is painted. */
  readonly still: Pages;
  /**
   * Loads the editor again, in the page that the files of a worker share, for a user who was never here before.
   * @param prepare what is done in the page before the editor is there
   */
  show(prepare?: (page: Page) => Promise<void>): Promise<Editor>;
}

/** What the files that Mocha runs in one worker share; it ends with the worker. */
interface Kept {
  readonly browser: Browser;
  readonly gateway: Gateway;
  /** Has compiled the editor already, if a file has used it. */
  page?: Page;
}

const isWorker = process.env.MOCHA_WORKER_ID !== undefined;
let kept: Kept | undefined;

async function keep(): Promise<Kept> {
  if (!kept?.browser.isConnected())
    kept = { browser: await startBrowser(), gateway: kept?.gateway ?? (await Gateway.open()) };
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
  await page.addInitScript(makeStill);
  return page;
}

/** The page that the files of a worker share. */
async function keepPage(worker: Kept): Promise<Page> {
  if (!worker.page) {
    const context = await worker.browser.newContext();
    context.setDefaultTimeout(patienceMs);
    worker.page = await stillPage(context);
  }
  return worker.page;
}

/** Opens further pages that show nothing, of the same user: they need not read and compile the editor again. */
function stillPages(worker: Kept): Pages {
  return { newPage: async () => stillPage((await keepPage(worker)).context()) };
}

/**
 * The editor in the page that the files of a worker share, loaded again.
 * @param storage what Node-RED's editor finds in the storage of the browser
 * @param prepare what is done in the page before the editor is there
 */
async function showEditor(
  url: string,
  storage: Readonly<Record<string, string>> = {},
  prepare?: (page: Page) => Promise<void>,
): Promise<Editor> {
  const page = await keepPage(await keep());
  await page.context().clearCookies();
  // The storage belongs to the address, so that something small of it comes first.
  await page.goto(new URL('favicon.ico', url).href);
  await page.evaluate(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(storage)})`);
  return Editor.show(page, url, prepare);
}

/** Leaves nothing of a file to the next but a page that is empty. */
async function tidyUp(worker: Kept): Promise<void> {
  if (!isWorker) {
    kept = undefined;
    worker.gateway.close();
    return worker.browser.close();
  }
  const { browser, page } = worker;
  const pages = browser.contexts().flatMap((context) => context.pages());
  await Promise.all(pages.map((one) => one !== page && one.close()));
  if (!page || page.url() === 'about:blank') return;
  // One that does not come so far is not used again.
  delete worker.page;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.evaluate('localStorage.clear()');
  await page.context().clearCookies();
  await page.goto('about:blank');
  worker.page = page;
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
 * A browser, and a Node-RED with a flow that starts before the tests of the `describe` that calls it and ends
 * after them.
 * @param settings beyond Node-RED's usual ones
 */
export function session(flow: readonly FlowNode[], settings: object = {}): Session {
  const shared = browsing() as { nodeRed?: NodeRed; show?: Session['show'] };
  before(async () => {
    const nodeRed = await startNodeRed(flow, undefined, undefined, settings);
    const url = (await keep()).gateway.leadTo(nodeRed.url);
    shared.nodeRed = { ...nodeRed, url };
    shared.show = (prepare) => showEditor(url, {}, prepare);
  });
  after(() => shared.nodeRed?.stop());
  return shared as Session;
}

/** The same with one editor for all tests, which is checked after each. */
export function editorSession(flow: readonly FlowNode[], opened: (editor: Editor) => void): Session {
  return sessionWith(flow, opened);
}

/** The same with an editor in another language. */
export function editorSessionIn(
  language: string,
  flow: readonly FlowNode[],
  opened: (editor: Editor) => void,
): Session {
  // What people choose in Node-RED's settings to have a language of ours.
  return sessionWith(flow, opened, { 'editor-language': language === 'es' ? 'es-ES' : language });
}

/**
 * Every dialog of Node-RED has an editor for the description of a node. The usual one takes longer to make than all
 * else in many of our dialogs; those that a newcomer or somebody who has logged in opens have it.
 */
const editorTheme = { codeEditor: { lib: 'ace' }, tours: false, palette: { catalogues: [] } };

function sessionWith(
  flow: readonly FlowNode[],
  opened: (editor: Editor) => void,
  storage?: Readonly<Record<string, string>>,
): Session {
  const shared = session(flow, { editorTheme });
  let editor: Editor | undefined;
  before(async () => {
    editor = await showEditor(shared.nodeRed.url, storage);
    opened(editor);
  });
  afterEach(function () {
    return editor?.check(this.currentTest);
  });
  return shared;
}
