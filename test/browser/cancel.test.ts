import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import { flow as everyDialog, isConfig, ours } from './axe-flow';
import type { Editor } from './editor';
import { editorSession } from './session';

/** Every dialog, with devices that answer at once: a virtual one, and an address where nobody listens. */
const flow = everyDialog.map((node): FlowNode => {
  if (node.type === 'algo-device' && node.address !== '') return { ...node, address: 'http://127.0.0.1:1' };
  return node.device === 'device' ? { ...node, device: 'simulated' } : node;
});

/** The form of the dialog on top that has its properties. */
const form = `[...document.querySelectorAll('.red-ui-tray form')].findLast((one) =>
  one.querySelector('#node-input-name, #node-config-input-name'))`;

/**
 * Presses the buttons of the dialog, and those that appear, until each label was pressed twice: first all once. Buttons
 * inside a typed input are core's. A label that was pressed twice in `counts` is left alone.
 */
const pressButtons = `(async (counts) => {
  const textOf = (one) => one.getAttribute('aria-labelledby') || one.getAttribute('aria-label') || one.textContent.trim();
  const labelOf = (one) => textOf(one).replace(/^\\w+, \\w+ \\d+, \\d{4}$/, 'a day').replace(/\\d+/g, '0');
  const countOf = (one) => counts[labelOf(one)] ?? 0;
  const isOpen = (one) => countOf(one) < 2 && !one.disabled && one.checkVisibility();
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

/** What would be exported and deployed, byte for byte, and whether there is anything to deploy. */
const exported = 'JSON.stringify([RED.nodes.createCompleteNodeSet(), RED.nodes.dirty()], null, 1)';

describe('Cancel', () => {
  let editor: Editor;
  const met = new Set<string>();
  editorSession(flow, (opened) => {
    editor = opened;
  });

  before(() => editor.page.evaluate('window.open = () => null'));

  /** @param isSending whether the question of "Try it" is answered with yes, too, which takes the device a while */
  async function pressAll(isSending = false): Promise<void> {
    let counts: Record<string, number> = isSending ? {} : { [wording('device:try.send')]: 2 };
    for (let pressed = 1; pressed > 0; ) {
      const seen: { counts: typeof counts; pressed: number } = await editor.page.evaluate(
        `${pressButtons}(${JSON.stringify(counts)})`,
      );
      ({ counts, pressed } = seen);
      // All that a dialog asks goes through jQuery.
      await editor.page.waitForFunction('$.active === 0', undefined, { timeout: 120_000 });
    }
    for (const label of Object.keys(counts)) met.add(label);
  }

  /** The operations that a dialog offers, beside the one that it shows. */
  const operations = (): Promise<string[]> =>
    editor.page.evaluate(
      `[...document.querySelectorAll('#node-input-operation option:not(:checked)')].map(({ value }) => value)`,
    );

  const seen = new Set<string>();
  for (const { id, type } of ours) {
    const isFirst = !seen.has(type);
    seen.add(type);
    it(`leaves "${id}" (${type}) as it was, whatever was pressed, chosen and filled in`, async () => {
      const { page } = editor;
      const before = await page.evaluate(exported);
      const config = isConfig({ id, type });
      await (config ? editor.editConfig(type, id) : editor.edit(id));
      await pressAll(type !== 'algo-system');
      for (const operation of isFirst ? await operations() : []) {
        await page.locator('#node-input-operation').selectOption(operation);
        await pressAll();
      }
      await page.evaluate(changeEverything);
      await pressAll();
      await editor.done(config ? '#node-config-dialog-cancel' : '#node-dialog-cancel');
      assert.equal(await page.evaluate(exported), before);
    });
  }

  it('was pressed after the buttons that do most', () => {
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
      wording('alert:deed.asText'),
      wording('alert:deed.asList'),
    ];
    assert.deepEqual(
      [...most, ...own].filter((label) => !met.has(label)),
      [],
    );
  });
});
