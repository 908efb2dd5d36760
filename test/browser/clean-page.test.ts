import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CleanPage } from './clean-page';
import { Editor } from './editor';
import { browsing } from './session';
import { SharedNodeRed } from './shared-node-red';

const flow = [
  { id: 'tab', type: 'tab', label: 'Left behind' },
  { id: 'note', type: 'comment', name: 'A note', z: 'tab', x: 100, y: 100, wires: [] },
];

/** Leftovers of a file, by the kind that names them. */
const leftovers: Readonly<Record<string, string>> = {
  'class: body': `document.body.classList.add('wide')`,
  'style: p': `document.head.insertAdjacentHTML('beforeend', '<style type="text/css">p { color: red }</style>')`,
  'devices: ': `RED.sidebar.show('algo')`,
  'input: door': `$('#red-ui-palette-search input').val('door')`,
  'replaced: open': `window.open = () => null`,
};

/** Changes that are undone between two files. */
const takenAway: Readonly<Record<string, string>> = {
  'an open dialog': `RED.editor.edit(RED.nodes.node('note'))`,
  'a flow': `RED.nodes.node('note').name = 'Changed'; RED.nodes.dirty(true)`,
  'a step that can be undone': `RED.history.push({ t: 'edit', node: RED.nodes.node('note'), changes: {} })`,
  'a storage': `localStorage.setItem('seen', 'yes')`,
  'the dark theme': `document.documentElement.classList.add('nr-theme-dark')`,
  'a notification': `RED.notify('Something', { fixed: true })`,
  'another tab of the sidebar': `RED.sidebar.show('help')`,
};

describe('the editor that the files of a worker share', () => {
  const shared = browsing();
  let nodeRed: SharedNodeRed;
  let clean: CleanPage;

  before(async () => {
    nodeRed = await SharedNodeRed.start();
    const { url } = await nodeRed.run(flow);
    const { page } = await Editor.open(shared.still, url);
    clean = await CleanPage.of(page, {});
  });
  after(() => nodeRed.stop());

  for (const [thing, leave] of Object.entries(takenAway)) {
    it(`leaves nothing of ${thing} to the next file`, async () => {
      await clean.load();
      await clean.page.evaluate(`(() => { ${leave} })()`);
      assert.deepEqual(await clean.empty(), []);
    });
  }

  it('shows the flow that Node-RED runs next', async () => {
    await nodeRed.run([...flow, { ...flow[1], id: 'other', type: 'comment' }]);
    await clean.load();
    assert.equal(await clean.page.evaluate(`RED.nodes.node('other').type`), 'comment');
    assert.deepEqual(await clean.empty(), []);
  });

  it('is not used again with anything that a file left', async () => {
    await clean.load();
    await clean.page.evaluate(`(() => { ${Object.values(leftovers).join('; ')} })()`);
    await clean.page.locator('.algo-sidebar [role="grid"]').waitFor();
    const found = await clean.empty();
    const missed = Object.keys(leftovers).filter((left) => !found.some((one) => one.startsWith(left)));
    assert.deepEqual(missed, [], found.join('\n'));
  });

  it('is not used with a Node-RED whose flows wrote a journal', async () => {
    assert.equal(nodeRed.isClean, true);
    await mkdir(path.join((await nodeRed.run(flow)).directory, 'algo'));
    assert.equal(nodeRed.isClean, false);
  });
});
