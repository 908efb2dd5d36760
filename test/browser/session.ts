import type { Browser } from 'playwright-core';
import { Editor, startBrowser } from './editor';
import { type FlowNode, type NodeRed, startNodeRed } from './node-red';

/** What the tests of one `describe` share; there from the first of them to the last. */
export interface Session {
  readonly nodeRed: NodeRed;
  readonly browser: Browser;
}

/**
 * Starts Node-RED with a flow, and a browser, before the tests of the `describe` that calls it; ends both after.
 * @param settings beyond Node-RED's usual ones
 */
export function session(flow: readonly FlowNode[], settings: object = {}): Session {
  const shared = {} as { nodeRed?: NodeRed; browser?: Browser };
  before(async () => {
    shared.nodeRed = await startNodeRed(flow, undefined, undefined, settings);
    shared.browser = await startBrowser();
  });
  after(async () => {
    await shared.browser?.close();
    await shared.nodeRed?.stop();
  });
  return shared as Session;
}

/** The same with one editor for all tests, which is checked after each. */
export function editorSession(flow: readonly FlowNode[], opened: (editor: Editor) => void): Session {
  const shared = session(flow);
  let editor: Editor | undefined;
  before(async () => {
    editor = await Editor.open(shared.browser, shared.nodeRed.url);
    opened(editor);
  });
  afterEach(function () {
    return editor?.check(this.currentTest);
  });
  return shared;
}
