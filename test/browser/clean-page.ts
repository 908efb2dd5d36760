import type { Page } from 'playwright-core';

/** Lists of all that a page shows and holds apart from its flow, by kind. */
type Traces = Readonly<Record<string, readonly string[]>>;

/**
 * A file leaves its page as it was loaded if these lists are the same. A function that was replaced counts too.
 */
const traces = `(() => {
  const outside = (selector) => [...document.querySelectorAll(selector)].filter((one) => !one.closest('.red-ui-tray'));
  const nameOf = ({ tagName, id, className }) => [tagName.toLowerCase(), id, className].join(' ').trim();
  const globals = Object.getOwnPropertyNames(window).filter((name) => !/^\\d+$/.test(name));
  window.functionsAsLoaded ??= new Map(globals.map((name) => [name, window[name]]));
  const isReplaced = (name) => typeof window[name] === 'function' && functionsAsLoaded.has(name) && functionsAsLoaded.get(name) !== window[name];
  return {
    dialog: RED.editor.getEditStack().map(({ id }) => id),
    undo: Array.from({ length: RED.history.depth() }, () => 'step'),
    node: RED.nodes.createCompleteNodeSet().map(({ id }) => id),
    // The palette stores its state some time after it was drawn.
    stored: Object.entries(localStorage).filter(([key]) => key !== 'palette-state').map(String),
    class: [document.documentElement, document.body].map(nameOf),
    // Those of dialogs have no type.
    style: outside('style[type="text/css"]').map((one) => one.textContent.slice(0, 200)),
    tab: outside('#red-ui-sidebar .red-ui-tab.active').map((one) => one.textContent.trim()),
    // The sidebar of devices keeps its search, its order and its open row.
    devices: outside('.algo-sidebar').map((one) => one.textContent.trim()),
    debug: outside('.red-ui-debug-msg').map((one) => one.textContent.trim()),
    input: outside('input:not([type="hidden"])').map((one) => one.type === 'checkbox' ? one.checked && one.id : one.value).filter(Boolean),
    replaced: globals.filter(isReplaced),
  };
})()`;

/** Closes what is open and takes the flow away, as the editor does before it loads another one. */
const empty = `(async (storage) => {
  while (RED.editor.getEditStack().length > 0) await new Promise((resolve) => RED.tray.close(resolve));
  RED.nodes.clear();
  RED.history.clear();
  // Without one, the editor does not say that another one has deployed.
  RED.nodes.version(null);
  RED.sidebar.show('info');
  document.querySelector('#red-ui-sidebar-debug-clear')?.click();
  document.documentElement.classList.remove('nr-theme-dark');
  for (const one of document.querySelectorAll('.red-ui-notification')) one.remove();
  localStorage.clear();
  Object.assign(localStorage, storage);
})`;

/** Shows the flow that Node-RED runs, as the editor does when it is loaded, and what stands under its nodes. */
const load = `(async () => {
  const { rev, flows } = await $.getJSON('flows');
  // Node-RED tells the editor of a deploy later. What is told of an earlier one must come before this flow, since the
  // editor would take it for a deploy by another user, and load the flow again.
  await new Promise((resolve) => {
    const topic = 'notification/runtime-deploy';
    RED.comms.subscribe(topic, function listen(_, { revision }) {
      if (revision !== rev) return;
      RED.comms.unsubscribe(topic, listen);
      resolve();
    });
  });
  RED.nodes.version(rev);
  RED.nodes.import(flows);
  RED.nodes.dirty(false);
  RED.view.redraw(true);
  if (RED.workspaces.count() > 0) RED.workspaces.show(RED.nodes.getWorkspaceOrder()[0]);
  RED.events.emit('flows:loaded');
  const ignore = () => undefined;
  // Node-RED answers with the last status of each node.
  RED.comms.subscribe('status/#', ignore);
  RED.comms.unsubscribe('status/#', ignore);
})()`;

/** A page with the editor that shows one flow after the other. */
export class CleanPage {
  private constructor(
    readonly page: Page,
    private readonly storage: Readonly<Record<string, string>>,
    private readonly asLoaded: Traces,
  ) {}

  /**
   * @param page where the editor has just been loaded
   * @param storage what it found in the storage of the browser
   */
  static async of(page: Page, storage: Readonly<Record<string, string>>): Promise<CleanPage> {
    await page.evaluate(`${empty}(${JSON.stringify(storage)})`);
    // The first time says which functions there are.
    await page.evaluate(traces);
    return new CleanPage(page, storage, await page.evaluate(traces));
  }

  async load(): Promise<void> {
    await this.page.evaluate(load);
  }

  /** Takes away what a file may leave. Returns what is left nevertheless: a page with that is not used again. */
  async empty(): Promise<string[]> {
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await this.page.context().clearCookies();
    await this.page.evaluate(`${empty}(${JSON.stringify(this.storage)})`);
    const now: Traces = await this.page.evaluate(traces);
    return Object.entries(now).flatMap(([kind, list]) => {
      const before = this.asLoaded[kind] ?? [];
      if (before.join('\n') === list.join('\n')) return [];
      const added = list.filter((one) => !before.includes(one));
      return [`${kind}: ${added.join(', ') || 'fewer than before'}`];
    });
  }
}
