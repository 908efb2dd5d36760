import assert from 'node:assert/strict';
import { exampleFile } from '../fixtures/examples';
import type { FlowNode } from '../fixtures/node-red';
import { read } from '../fixtures/package';
import type { Editor } from './editor';
import { importExample } from './import-example';
import { editorSession } from './session';

const alerts = '4 Alerts';
const own = "Lockdown by the devices' own alerts, and show who got it";
const start: readonly FlowNode[] = [{ id: 'first', type: 'tab', label: 'First' }];

describe('examples that bring the same devices', () => {
  let editor: Editor;
  editorSession(start, (opened) => {
    editor = opened;
  });

  /** The ids of the devices in the editor. */
  const devices = () =>
    editor.page.evaluate<string[]>(`(() => {
      const ids = [];
      RED.nodes.eachConfig(({ id, type }) => void (type === 'algo-device' && ids.push(id)));
      return ids.sort();
    })()`);

  it('leave one of each in the editor, and each flow has them', async () => {
    const { page } = editor;
    await importExample(page, alerts, 'Lockdown and all-clear');
    await page.locator('#red-ui-workspace-tabs').getByText('Lockdown and all-clear').waitFor();
    const first = await devices();
    assert.ok(first.includes('example-hall-speaker'));
    await importExample(page, alerts, own);
    await page.locator('.red-ui-notification').getByRole('button', { name: 'Import copy' }).click();
    await page.locator('#red-ui-workspace-tabs').getByText(own).waitFor();
    assert.deepEqual(await devices(), first);
    const groups = await page.evaluate<unknown[]>(
      "RED.nodes.filterNodes({ type: 'algo-emergency' }).map(({ group }) => group)",
    );
    const [group] = read<FlowNode[]>(exampleFile(own)).filter(({ type }) => type === 'algo-group');
    assert.deepEqual(groups, [group?.id, group?.id]);
  });
});
