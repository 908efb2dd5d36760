import type { Browser, Page } from 'playwright-core';
import { type FlowNode, type NodeRed, startNodeRed } from '../fixtures/node-red';
import { Editor, startBrowser } from './editor';
import { Gateway } from './gateway';

/** What the tests of one `describe` share; there from the first of them to the last. */
export interface Session {
  readonly nodeRed: NodeRed;
  readonly browser: Browser;
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

/** A page in which dialogs are there at once: one that slides is drawn many times, for nothing that is tested. */
async function stillPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  const style = '<style>.red-ui-tray { transition: none !important; }</style>';
  await page.addInitScript(
    `addEventListener('DOMContentLoaded', () => document.head.insertAdjacentHTML('beforeend', '${style}'))`,
  );
  return page;
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
export function browsing(): Pick<Session, 'browser'> {
  const shared: { browser?: Browser } = {};
  before(async () => {
    shared.browser = (await keep()).browser;
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
  const shared = browsing() as { nodeRed?: NodeRed };
  before(async () => {
    const nodeRed = await startNodeRed(flow, undefined, undefined, settings);
    shared.nodeRed = { ...nodeRed, url: (await keep()).gateway.leadTo(nodeRed.url) };
  });
  after(() => shared.nodeRed?.stop());
  return shared as Session;
}

/** The same with one editor for all tests, which is checked after each. */
export function editorSession(flow: readonly FlowNode[], opened: (editor: Editor) => void): Session {
  return sessionWith(flow, opened, async ({ nodeRed }) => {
    const worker = await keep();
    worker.page ??= await stillPage(worker.browser);
    return Editor.show(worker.page, nodeRed.url);
  });
}

/** The same with an editor in another language, which has a page of its own. */
export function editorSessionIn(
  language: string,
  flow: readonly FlowNode[],
  opened: (editor: Editor) => void,
): Session {
  // What people choose in Node-RED's settings to have a language of ours.
  const chosen = language === 'es' ? 'es-ES' : language;
  return sessionWith(flow, opened, ({ browser, nodeRed }) =>
    Editor.open(browser, nodeRed.url, async (page) => {
      await page.addInitScript(`localStorage.setItem('editor-language', '${chosen}')`);
    }),
  );
}

function sessionWith(
  flow: readonly FlowNode[],
  opened: (editor: Editor) => void,
  open: (shared: Session) => Promise<Editor>,
): Session {
  const shared = session(flow);
  let editor: Editor | undefined;
  before(async () => {
    editor = await open(shared);
    opened(editor);
  });
  afterEach(function () {
    return editor?.check(this.currentTest);
  });
  return shared;
}
