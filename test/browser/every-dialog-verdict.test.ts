import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import type { Operation } from '../../src/catalogue/operation';
import { checkParameters } from '../../src/catalogue/validate';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { asked } from './every-form';
import { device, ruled } from './ruled-flow';
import { editorSession } from './session';

const tab = { id: 'tab', type: 'tab', label: 'Verdicts' };
const flow = [tab, device, ruled, ...asked.map(({ node }) => node)];

/** The sentences with which the runtime refuses parameters. */
function refusal(operationName: string, parameters: Readonly<Record<string, unknown>>): readonly string[] {
  const [resource = '', id = resource] = operationName.split('/');
  const operations: readonly Operation[] =
    everyGroup.find((one) => one.resource === resource)?.operations ?? [];
  const operation = operations.find((one) => one.id === id);
  assert.ok(operation, operationName);
  const checked = checkParameters(operation, parameters);
  return checked.ok ? [] : checked.findings;
}

describe('every dialog', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  it('calls wrong what the runtime refuses, and nothing else, before it was ever opened', async () => {
    const problems: Record<string, string[]> = await editor.page.evaluate(
      `Object.fromEntries(RED.nodes.filterNodes({ z: 'tab' }).map(({ id, validationErrors }) => [id, validationErrors ?? []]))`,
    );
    let [good, bad] = [0, 0];
    for (const { node, operationName, parameters } of asked) {
      const problem = problems[node.id];
      const sentences = refusal(operationName, parameters);
      const about = `${operationName} ${JSON.stringify(parameters)}: ${sentences.join('; ')} / ${problem?.join('; ')}`;
      assert.ok(problem, about);
      assert.equal(problem.length > 0, sentences.length > 0, about);
      if (sentences.length > 0) bad += 1;
      else good += 1;
    }
    assert.ok(good > 150 && bad > 200, `${good}, ${bad}`);
  });

  it('says a rule at the row that breaks it, with the labels of the dialog, for as long as it is broken', async () => {
    const missing = (name: 'Color' | 'Ledlvl') =>
      wording('phrases:missingBecause', {
        place: wording(`screen:field.strobe${name}.label`),
        because: wording('phrases:flashing', { strobeFlash: wording('screen:field.strobeFlash.label') }),
        limits: wording(`screen:field.strobe${name}.limits`),
      });
    assert.deepEqual((await editor.stored('ruled')).problems, [missing('Color'), missing('Ledlvl')]);
    await editor.edit('ruled');
    const [pattern, color] = [
      editor.row(wording('screen:field.strobeFlash.label')),
      editor.row(wording('screen:field.strobeColor.label')),
    ];
    const message = color.first().locator('.algo-error');
    assert.equal(await textOf(message), missing('Color'));
    await editor.choose(pattern.locator('.red-ui-typedInput-option-trigger'), 'Off');
    await color.first().waitFor({ state: 'hidden' });
    await editor.choose(pattern.locator('.red-ui-typedInput-option-trigger'), 'steady');
    assert.equal(await textOf(message), missing('Color'));
    await editor.choose(pattern.locator('.red-ui-typedInput-type-select'), 'msg.');
    await color.first().waitFor({ state: 'hidden' });
    const path = editor.page.getByRole('textbox', { name: wording('screen:field.strobeFlash.label') });
    assert.equal(await path.inputValue(), 'payload');
    await path.fill('');
    assert.equal(await textOf(pattern.locator('.algo-error')), wording('shared:form.invalid.empty'));
    await editor.page
      .getByRole('textbox', { name: wording('screen:field.strobeFlash.label') })
      .fill('payload.pattern');
    await editor.done();
    assert.deepEqual((await editor.stored('ruled')).problems, []);
  });
});
