import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording, wordingIn } from '../fixtures/wording';
import { flow as alerts } from './alert-flow';
import type { Editor } from './editor';
import { cutIn } from './every-width';
import { editorSession } from './session';

const longTag = 'gymnasium'.repeat(9);
/** The row of the group has a tag that no device has. */
const flow = alerts.map((node) => {
  const { rows } = node as FlowNode & { rows?: object[] };
  return rows ? { ...node, rows: rows.map((row) => ({ ...row, tags: longTag })) } : node;
});

describe('who will do which action of an alert', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  it('takes what the runtime knows of a target for which no model is set, and says so', async () => {
    let asked: unknown;
    await editor.page.route('**/algo/overview/known', async (route) => {
      asked = route.request().postDataJSON();
      await route.fulfill({ json: { known: { 'all/Gym': { model: '8301', firmware: '5.7' } } } });
    });
    await editor.edit('three');
    const form = editor.page.locator('form:has(#node-input-afterRestart)');
    const abilityRow = form.locator('.algo-abilities tbody tr').nth(3);
    await abilityRow
      .getByText(wording('alert:ability.runtimeModel', { model: '8301' }))
      .waitFor({ state: 'attached' });
    await editor.page.unroute('**/algo/overview/known');
    assert.deepEqual(asked, { ids: ['all/Gym'] });
    assert.deepEqual(await abilityRow.locator('th, td').allTextContents(), [
      `Gym ${wording('alert:ability.runtimeModel', { model: '8301' })}`,
      wording('alert:ability.model'),
      wording('alert:ability.model'),
      wording('alert:ability.model'),
    ]);
    const wall = form.locator('.algo-abilities tbody tr').first();
    assert.equal((await wall.locator('th').allTextContents())[0], 'Wall 8410');
    await editor.done('#node-dialog-cancel');
  });

  it('puts those whose model nobody knows into one row, and says once what to do', async () => {
    const { page } = editor;
    await page.evaluate(`((group) => {
      group.was = group.rows;
      group.rows = [1, 2, 3, 4, 5, 6, 7].map((number) => ({ name: 'Room ' + number, address: '192.0.2.' + number }));
    })(RED.nodes.node('all'))`);
    await editor.edit('three');
    const fold = page.locator('.algo-abilities');
    const rooms = fold.locator('tbody tr').nth(3);
    await rooms.waitFor({ state: 'attached' });
    assert.deepEqual(await rooms.locator('th, td').allTextContents(), [
      `Room 1, Room 2, Room 3, Room 4, Room 5 and 2 more ${wording('alert:ability.noModel')}`,
      wording('alert:ability.unknown'),
      wording('alert:ability.unknown'),
      wording('alert:ability.unknown'),
    ]);
    assert.equal(await fold.locator('tbody tr').count(), 4);
    assert.equal(await fold.getByText(wordingIn('alert:ability.setModel')).count(), 1);
    await editor.done('#node-dialog-cancel');
    await page.evaluate(`((group) => {
      group.rows = group.was;
      delete group.was;
    })(RED.nodes.node('all'))`);
  });

  it('puts devices of one model into one row, and marks as wrong only what is', async () => {
    const { page } = editor;
    await page.evaluate(`((group) => {
      group.was = group.rows;
      const row = (number, model) => ({ name: 'Room ' + number, address: '192.0.2.' + number, model });
      group.rows = [row(1, '8063'), row(2, '8063'), row(3, '8410')];
      RED.nodes.node('virtual-wall').firmware = '5.2';
    })(RED.nodes.node('all'))`);
    await editor.edit('three');
    const rows = page.locator('.algo-abilities tbody tr');
    await rows.nth(3).waitFor({ state: 'attached' });
    assert.deepEqual(await rows.locator('th').allTextContents(), [
      'Wall 8410',
      'Lobby 8138',
      'Gate, Room 1, Room 2 8063',
      'Room 3 8410',
    ]);
    const other = rows.nth(2).locator('td').first();
    assert.equal(await other.getAttribute('class'), 'algo-other-kind');
    assert.deepEqual(await rows.locator('.algo-unsupported').allTextContents(), [
      wording('alert:ability.firmware'),
    ]);
    await editor.done('#node-dialog-cancel');
    await page.evaluate(`((group) => {
      group.rows = group.was;
      delete group.was;
      RED.nodes.node('virtual-wall').firmware = '5.7';
    })(RED.nodes.node('all'))`);
  });

  it('lists those of several targets that are ticked, and stores them', async () => {
    const { page } = editor;
    const form = page.locator('form:has(#node-input-afterRestart)');
    const listed = () => form.locator('.algo-abilities tbody th span:first-child').allTextContents();
    const tick = (name: string) => page.getByRole('checkbox', { name });
    await editor.edit('empty');
    await form.getByRole('button', { name: 'Lockdown' }).click();
    await form.locator('#node-input-target').selectOption('several');
    await form.getByText(wording('alert:ability.noMembers')).waitFor({ state: 'attached' });
    await tick('Lobby').check();
    await tick('group: All').check();
    await form.locator('.algo-abilities tbody tr').nth(3).waitFor({ state: 'attached' });
    assert.deepEqual(await listed(), ['Lobby', 'Wall', 'Gate', 'Gym']);
    const disabled = form.getByText(`Wall: ${wording('shared:form.disabled.device')}`);
    assert.equal(await disabled.count(), 0);
    await page.evaluate("RED.nodes.node('wall').d = true");
    await tick('Gate').check();
    await disabled.waitFor();
    await tick('Gate').uncheck();
    await page.evaluate("delete RED.nodes.node('wall').d");
    await tick('group: All').uncheck();
    await form.locator('.algo-abilities tbody tr').nth(1).waitFor({ state: 'detached' });
    assert.deepEqual(await listed(), ['Lobby']);
    await editor.done();
    const { target, targets, problems } = await editor.stored('empty');
    assert.deepEqual([target, targets, problems], ['several', ['lobby'], []]);
    await editor.edit('empty');
    await tick('Lobby').waitFor();
    assert.ok(await tick('Lobby').isChecked());
    await page.getByRole('button', { name: wording('group:devices.none') }).click();
    await editor.done();
    assert.deepEqual((await editor.stored('empty')).problems, [wording('shared:several.none')]);
  });

  it('are marked where they are gone, and offer the tags that only a row of a group has', async () => {
    const { page } = editor;
    const problemsWith = async (targets: readonly string[]) => {
      await page.evaluate(`((node) => {
        node.targets = ${JSON.stringify(targets)};
        RED.editor.validateNode(node);
      })(RED.nodes.node('empty'))`);
      return (await editor.stored('empty')).problems;
    };
    assert.deepEqual(await problemsWith(['lobby', 'Lobby', 'group:All', 'all/Gym', 'tag:north', '${X}']), []);
    for (const gone of ['former', 'group:former'])
      assert.deepEqual(await problemsWith(['lobby', gone]), [wording('shared:several.gone')]);
    await editor.edit('empty');
    const long = page.getByRole('checkbox', { name: wording('shared:several.tag', { tag: longTag }) });
    await long.check();
    assert.deepEqual(await cutIn(page), []);
    const list = page.locator('.algo-choices');
    assert.equal(await list.evaluate((one) => one.scrollWidth > one.clientWidth), false);
    await editor.done('#node-dialog-cancel');
  });

  it('are in the order in which people number rooms', async () => {
    const { page } = editor;
    const name = (names: readonly string[]) =>
      page.evaluate(`${JSON.stringify(names)}.forEach((name, place) => {
        RED.nodes.node(['wall', 'lobby', 'gate'][place]).name = name;
      })`);
    await name(['Room 10', 'Room 1', 'Room 9']);
    await editor.edit('empty');
    const labels = page.locator('.algo-choice > span:first-of-type', { hasText: 'Room' });
    await labels.nth(2).waitFor();
    assert.deepEqual(await labels.allTextContents(), ['Room 1', 'Room 9', 'Room 10']);
    await editor.done('#node-dialog-cancel');
    await name(['Wall', 'Lobby', 'Gate']);
  });
});
