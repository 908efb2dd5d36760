import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { PanelServer } from '../../src/virtual-device/panel/server';
import type { FlowNode } from '../fixtures/node-red';
import { patienceMs } from '../fixtures/waiting';
import { wording } from '../fixtures/wording';
import { bringAxe, type Complaint, complaintsOf, ofColors } from './axe';
import type { Editor } from './editor';
import { sourced, type Visit } from './every-form';
import { coreNodes, type Dialog, dialogs, flow as everyDialog, isConfig, ours } from './every-node';
import type { Other } from './every-other';
import { reachesAll } from './every-tab';
import { cutIn } from './every-width';
import { editorSession } from './session';

/** Every dialog, with devices that answer immediately: a virtual one, and an address with a closed port. */
const flow = everyDialog.map((node): FlowNode => {
  const isOutside = node.type === 'algo-device' && node.address !== '';
  return isOutside ? { ...node, address: 'https://127.0.0.1:1' } : node;
});

/** The first node of each type. */
const firsts = ours.filter(({ type }, index) => ours.findIndex((one) => one.type === type) === index);

/** The rows of forms are made alike, so that one dialog of a type shows the differences of another Node-RED. */
const isSecond = process.env.ALGO_NODE_RED === 'node-red-4';
const visited: readonly Dialog[] = isSecond ? firsts.map((node) => ({ node })) : dialogs;

/** Dialogs that axe looks at. */
const isSeen = (node: FlowNode): boolean => ours.includes(node);
/** Dialogs whose controls are all tried: of each type the one that has most rows, and the bells. */
const isTried = (node: FlowNode): boolean => node.operation === 'sync' || firsts.includes(node);

/** As a program may write it: what it leaves out has the usual value. */
const bare = {
  ...{ id: 'bare', type: 'algo-relay-input', z: 'tab', x: 200, y: 400, device: 'device', wires: [[], []] },
};

/** The fields that a form shows when it opens, and those that its menu adds. */
const readForm = `(async () => {
  const form = document.querySelector('.algo-form');
  const shown = (one) => !one.closest('[hidden]') && one.style.display !== 'none';
  const select = [...form.querySelectorAll('.algo-variant select')].find(shown);
  const rows = [...form.querySelectorAll('.form-row[data-field]')].filter(shown);
  const parameters = shown(form.querySelector('.algo-parameters'));
  const add = [...form.querySelectorAll('.algo-add-field:not([hidden]) button')].find((one) => one.checkVisibility());
  add?.click();
  while (add?.getAttribute('aria-expanded') === 'false') await new Promise((resolve) => setTimeout(resolve));
  const offered = [...form.querySelectorAll('[role="option"]')].map(({ dataset }) => dataset.name);
  add?.click();
  return { rows: rows.map(({ dataset }) => dataset.field), offered, choice: select?.value, parameters };
})()`;

/** Parts that Node-RED makes within the form of a dialog, and that we cannot name. */
const widgetsOfCore = /\.red-ui-(?:trap-|typedInput-option-expand)/;

/** The form of a dialog's properties; next to it are those of its description and its looks. */
const properties = 'form:has(:is(#node-input-name, #node-config-input-name))';

/** The same of the dialog on top. */
const form = `[...document.querySelectorAll('.red-ui-tray form')].findLast((one) =>
  one.querySelector('#node-input-name, #node-config-input-name'))`;

/**
 * Presses the buttons of the dialog, and those that appear, until each label was pressed so many times: first all once.
 * Buttons inside a typed input are core's. A label that was pressed as often in `counts` is left alone.
 */
const pressButtons = `(async (counts, times) => {
  const textOf = (one) => one.getAttribute('aria-labelledby') || one.getAttribute('aria-label') || one.textContent.trim();
  const labelOf = (one) => textOf(one).replace(/^\\w+, \\w+ \\d+, \\d{4}$/, 'a day').replace(/\\d+/g, '0');
  const countOf = (one) => counts[labelOf(one)] ?? 0;
  const isOpen = (one) => countOf(one) < times && !one.disabled && one.checkVisibility();
  let pressed = 0;
  for (;;) {
    const buttons = [...${form}.querySelectorAll('button, summary')];
    const own = buttons.filter((one) => !one.closest('.red-ui-typedInput-container') && isOpen(one));
    const [next] = own.sort((one, other) => countOf(one) - countOf(other));
    if (!next) return { counts, pressed };
    // A search asks this computer alone.
    $('#algo-find-range').val('127.0.0.1');
    counts[labelOf(next)] = countOf(next) + 1;
    pressed += 1;
    next.click();
    await new Promise((resolve) => setTimeout(resolve));
  }
})`;

/** Writes something else into everything that can be filled in or chosen. */
const changeEverything = `(() => {
  for (const one of ${form}.querySelectorAll('select, input, textarea')) {
    if (one.disabled || one.readOnly || !one.checkVisibility()) continue;
    const { options, selectedIndex, type, value } = one;
    const next = [...(options ?? [])].find((option, index) => index > selectedIndex && option.value !== '_ADD_');
    if (type === 'checkbox') one.checked = !one.checked;
    else if (!options) one.value = value + '7';
    else if (next) one.value = next.value;
    $(one).trigger('input').trigger('change');
  }
})()`;

/** The flow as the editor would export and deploy it, byte for byte, and whether it has changes. */
const exported = 'JSON.stringify([RED.nodes.createCompleteNodeSet(), RED.nodes.dirty()], null, 1)';

describe('every dialog', () => {
  let editor: Editor;
  /** Complaints about every dialog of Node-RED: a rule, and a shape of its own. */
  const ofCore = new Set<string>();
  const met = new Set<string>();
  /** The flow as it was loaded; nothing of it changes. */
  let loaded: unknown;
  const shared = editorSession([...flow, bare], (opened) => {
    editor = opened;
  });

  const keyOf = ({ rule, shape }: Complaint): string => `${rule} ${shape}`;
  const isOurs = (one: Complaint): boolean => !(widgetsOfCore.test(one.shape) && ofCore.has(keyOf(one)));

  async function prepare(): Promise<void> {
    const { page } = editor;
    await bringAxe(page);
    await page.evaluate('window.open = () => null');
    // The editor's body has no height and hides what is outside of it: axe would take all texts for hidden.
    const height = 'body { min-height: 100vh !important } * { transition: none !important }';
    // axe looks at the whole page for each part of it.
    const unneeded =
      '.red-ui-palette-category, #red-ui-workspace-chart > svg, #red-ui-header { display: none !important }';
    await page.addStyleTag({ content: `${height} ${unneeded}` });
  }

  /** Everything that axe has against a part of the editor, in both themes; another Node-RED has other colors. */
  const listen = (part: string): Promise<Complaint[]> =>
    complaintsOf(editor.page, part, isSecond && !process.env.ALGO_EVERYTHING ? ofColors : [], true);

  /** Opens the dialog of a node, or stays in it: each check can be the first one of the visit. */
  async function enter(node: FlowNode): Promise<void> {
    const top = await editor.page.evaluate('RED.editor.getEditStack().at(-1)?.id');
    if (top === node.id) return;
    await editor.startOver();
    if (isConfig(node)) await editor.editConfig(node.type, node.id);
    else await editor.edit(node.id);
  }

  const leave = (node: FlowNode) =>
    editor.done(isConfig(node) ? '#node-config-dialog-cancel' : '#node-dialog-cancel');

  async function unfold(): Promise<void> {
    const folds = "document.querySelectorAll('.red-ui-tray details')";
    await editor.page.evaluate(`${folds}.forEach((one) => { one.open = true; })`);
  }

  /**
   * @param isSending whether the question of "Try it" is answered with yes, too, which takes the device a while
   * @param times how often each button is pressed: twice presses what closes again, too
   */
  async function pressAll(isSending = false, times = 2): Promise<void> {
    let counts: Record<string, number> = isSending ? {} : { [wording('device:try.send')]: times };
    for (let pressed = 1; pressed > 0; ) {
      const seen: { counts: typeof counts; pressed: number } = await editor.page.evaluate(
        `${pressButtons}(${JSON.stringify(counts)}, ${times})`,
      );
      ({ counts, pressed } = seen);
      // All that a dialog asks goes through jQuery.
      await editor.page.waitForFunction('$.active === 0');
    }
    for (const label of Object.keys(counts)) met.add(label);
  }

  /** The form shows the fields that are set, and its menu has the others. */
  async function showsRows({ node, rows, choice }: Visit): Promise<void> {
    const form = Object(node.form);
    const [set, offered] = [true, false].map((isSet) => rows.filter((name) => name in form === isSet));
    const parameters = rows.length > 0 || node.operation === 'put';
    assert.deepEqual(await editor.page.evaluate(readForm), { rows: set, offered, choice, parameters });
  }

  /** The choices that a menu has twice. */
  const readTwins = `[...document.querySelectorAll('.red-ui-tray select')].flatMap((menu) => {
    const values = [...menu.options].map(({ value }) => menu.id + ' ' + value);
    return values.filter((value, index) => values.indexOf(value) !== index);
  })`;

  async function showsLabels({ labels }: Other): Promise<void> {
    const label = editor.page.locator(`${properties} .form-row > label:visible`);
    // Some rows are made by a script that comes when the dialog opens.
    await label.nth(labels.length - 1).waitFor();
    const texts = await label.allTextContents();
    assert.deepEqual(texts.map((text) => text.trim()).sort(), labels.toSorted());
  }

  /** Returns the operations of a dialog that are not selected. */
  const operations = (): Promise<string[]> =>
    editor.page.evaluate(
      `[...document.querySelectorAll('#node-input-operation option:not(:checked)')].map(({ value }) => value)`,
    );

  afterEach(async function () {
    // The editor was loaded again.
    if (this.currentTest?.state === 'failed') await prepare();
  });

  before(async () => {
    loaded = await editor.page.evaluate(exported);
    await prepare();
    for (const node of coreNodes) {
      await enter(node);
      await unfold();
      for (const one of await listen('.red-ui-tray form')) ofCore.add(keyOf(one));
      await leave(node);
    }
  });

  for (const { node, visit, other } of visited) {
    describe(`of "${node.id}" (${node.type})`, () => {
      if (visit) it('shows its rows, and offers the others', () => enter(node).then(() => showsRows(visit)));

      if (other) it('shows its labels', () => enter(node).then(() => showsLabels(other)));

      it('cuts nothing off', async () => {
        await enter(node);
        assert.deepEqual(await cutIn(editor.page), []);
      });

      it('offers each choice once', async () => {
        await enter(node);
        assert.deepEqual(await editor.page.evaluate(readTwins), []);
      });

      if (visit || other)
        it('leaves its node as it was after Done', async () => {
          await enter(node);
          // An open dialog knows whether a password is stored, which the editor did not before.
          await editor.page.evaluate(
            `void RED.editor.validateNode(RED.nodes.node(${JSON.stringify(node.id)}))`,
          );
          const before = await editor.stored(node.id);
          await editor.done(isConfig(node) ? '#node-config-dialog-ok' : '#node-dialog-ok');
          assert.deepEqual(await editor.stored(node.id), before);
          assert.equal(before.changed, false);
          if ('form' in node) assert.deepEqual(before.form, node.form);
        });

      if (!isSeen(node)) return;

      it('has nothing that axe is against', async () => {
        await enter(node);
        await unfold();
        assert.deepEqual((await listen('.red-ui-tray form')).filter(isOurs), []);
      });

      if (!isTried(node)) return;

      it('is worked by the Tab key', async () => {
        await enter(node);
        await reachesAll(editor.page);
      });

      it('leaves its node as it was after Cancel, whatever was pressed, chosen and filled in', async () => {
        const { page } = editor;
        await enter(node);
        const device = page.locator('#node-input-device:visible');
        if ((await device.count()) > 0) await device.selectOption('simulated');
        await pressAll(node.type !== 'algo-system');
        for (const operation of firsts.includes(node) ? await operations() : []) {
          await page.locator('#node-input-operation').selectOption(operation);
          await pressAll(false, 1);
        }
        await page.evaluate(changeEverything);
        await pressAll();
        await leave(node);
        assert.equal(await page.evaluate(exported), loaded);
      });
    });
  }

  describe('of all of them', () => {
    it('presses the buttons that do most before Cancel', () => {
      const most = [
        wording('shared:form.try'),
        wording('device:try.cancel'),
        wording('device:try.send'),
        'Test',
        wording('device:find.button'),
        wording('shared:fields.add'),
        wording('rows:rows.add'),
      ];
      const own = [
        wording('settings:others.add'),
        wording('scheduler:calls.add'),
        'Later month',
        'Lockdown',
        wording('alert:action.asText'),
        wording('alert:action.asList'),
      ];
      assert.deepEqual(
        [...most, ...own].filter((label) => !met.has(label)),
        [],
      );
    });
  });

  if (!isSecond)
    it('stores what rows hold that are not made yet when somebody presses Done', async () => {
      await editor.startOver();
      const [largest] = sourced.toSorted((one, other) => other.rows.length - one.rows.length);
      assert.ok(largest);
      const { id, form: stored } = largest.node;
      const before = await editor.stored(id);
      const unmade: number = await editor.page.evaluate(`(() => {
        let late = 0;
        const now = performance.now.bind(performance);
        // So slow that a slice ends with its first row.
        performance.now = () => now() + (late += 1000);
        RED.editor.edit(RED.nodes.node(${JSON.stringify(id)}));
        delete performance.now;
        $('#node-input-name').val('Hurried');
        const rows = [...document.querySelectorAll('.algo-field[data-field]')].filter((row) => row.checkVisibility());
        const unmade = rows.filter((row) => !row.querySelector('.red-ui-typedInput')).length;
        $('#node-dialog-ok').trigger('click');
        return unmade;
      })()`);
      await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
      assert.ok(unmade > 5, `${unmade}`);
      const { name, form: kept, problems } = await editor.stored(id);
      assert.deepEqual([name, kept, problems], ['Hurried', stored, before.problems]);
      await editor.page.evaluate('RED.history.pop()');
    });

  it('shows what a flow leaves out as it is at runtime, and finds nothing wrong with it', async () => {
    assert.deepEqual((await editor.stored('bare')).problems, []);
    await editor.edit('bare');
    assert.equal(await editor.page.locator('#node-input-initial').isChecked(), false);
    await editor.done('#node-dialog-cancel');
  });

  it('has nothing that axe is against when it is asked', async () => {
    const { page } = editor;
    const button = (name: string) => page.locator('.red-ui-tray').getByRole('button', { name, exact: true });
    const actions: readonly [id: string, action: () => Promise<void>][] = [
      [
        'device',
        async () => {
          await page.locator('#node-config-input-address').fill('http://127.0.0.1:1');
          await page.locator('#node-config-input-auth').selectOption('basic');
          await button('Test').click();
          await page.locator('#algo-device-found li').first().waitFor();
          await button(wording('device:find.button')).click();
          await page.locator('.algo-finder').waitFor();
          // What a button looks like under the pointer or with the focus is core's.
          await page.mouse.move(0, 0);
          await page.evaluate('document.activeElement.blur()');
        },
      ],
      [
        'group',
        async () => {
          await unfold();
          await page.locator('.algo-open').click();
          await page.locator('#algo-group-text').fill('no address at all\nGym,http://a:b@192.0.2.1');
          await page.locator('.algo-paste .algo-findings li').first().waitFor();
        },
      ],
      [
        'bells',
        async () => {
          await page.locator('#node-input-operation').selectOption('ring');
          await page.locator('.algo-add-field button:visible').first().click();
          await page.getByRole('combobox', { name: wording('shared:fields.search') }).waitFor();
        },
      ],
    ];
    for (const [id, action] of actions) {
      const node = ours.find((one) => one.id === id) ?? assert.fail(id);
      await enter(node);
      await action();
      assert.deepEqual((await listen('.red-ui-tray form')).filter(isOurs), []);
      await leave(node);
    }
  });

  it('has nothing that axe is against in the sidebar, as a list and with the details of a device', async () => {
    const { page } = editor;
    await page.evaluate('RED.sidebar.show("algo")');
    const row = page.locator('.algo-sidebar tr[data-id="device"]');
    await row.waitFor();
    assert.deepEqual((await listen('.algo-sidebar')).filter(isOurs), []);
    await row.click();
    await page.locator('.algo-details').waitFor();
    assert.deepEqual((await listen('.algo-sidebar')).filter(isOurs), []);
  });

  async function listenToPanels(): Promise<void> {
    const device = new VirtualDevice({ model: '8301', password: 'hunter2' });
    await device.start();
    const panels = new PanelServer([device]);
    const page = await shared.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    try {
      await page.goto(await panels.start(0));
      await page.locator('#connection[data-state="on"]').waitFor();
      await bringAxe(page);
      for (const model of ['8301', '8063', '8138', '8190S', '8410', '8450']) {
        await device.carryOut('become', { model, firmware: '5.7' });
        await page.locator(`body[data-model="${model}"]`).waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const rules = colorScheme === 'dark' ? ofColors : [];
          assert.deepEqual(await complaintsOf(page, 'html', rules), [], `${model}, ${colorScheme}`);
        }
      }
    } finally {
      await page.close();
      await panels.stop();
      await device.stop();
    }
  }

  // The panel is a page of its own, whichever Node-RED runs.
  if (!isSecond) it('has nothing that axe is against in the panel of a model of each kind', listenToPanels);

  // The last one: it changes the flow.
  if (!isSecond)
    describe('after a deploy', () => {
      it('keeps everything', async () => {
        // The editor asks before it deploys what it knows to have no password, as it does after the dialogs.
        await editor.reload();
        const properties = 'RED.nodes.createCompleteNodeSet().map(({ changed, ...one }) => one)';
        const before = await editor.page.evaluate(properties);
        await editor.edit('door lock');
        await editor.page.locator('#node-input-name').fill('Changed');
        await editor.done();
        await editor.page.evaluate(`RED.actions.invoke('core:deploy-flows')`);
        await editor.page.waitForFunction('!RED.nodes.dirty()');
        await editor.reload();
        const after = await editor.page.evaluate(properties);
        const isChanged = (one: FlowNode) => (one.id === 'door lock' ? { ...one, name: 'Changed' } : one);
        assert.deepEqual(after, (before as FlowNode[]).map(isChanged));
      });
    });
});
