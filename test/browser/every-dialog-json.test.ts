import assert from 'node:assert/strict';
import { checkParameters } from '../../src/catalogue/validate';
import { operationNamed } from '../catalogue/check';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { asked } from './every-form';
import { byForm, device } from './ruled-flow';
import { editorSession } from './session';

const asJson = asked.map((one) => ({
  operationName: one.operationName,
  // Some of what a message may bring is nothing in JSON.
  parameters: JSON.parse(JSON.stringify(one.parameters)) as Readonly<Record<string, unknown>>,
  node: { ...one.node, form: {}, parametersType: 'json', parameters: JSON.stringify(one.parameters) },
}));

const strobe = { ...byForm, type: 'algo-strobe', operation: 'start', parametersType: 'json' };
const schedule = { ...byForm, type: 'algo-scheduler', operation: 'apply', parametersType: 'json' };
const events = [{ evid: 7, enabeld: false }];
const inForm = { parametersType: 'form', form: { events: { type: 'json', value: JSON.stringify(events) } } };
const inJson = { parameters: JSON.stringify({ events }) };
const flow = [
  { id: 'tab', type: 'tab', label: 'JSON' },
  device,
  { ...device, id: 'deciding', letDeviceDecide: true },
  { ...schedule, id: 'record in json', ...inJson },
  { ...schedule, id: 'record in form', ...inForm },
  { ...schedule, id: 'deciding json', ...inJson, device: 'deciding' },
  { ...schedule, id: 'deciding form', ...inForm, device: 'deciding' },
  { ...schedule, id: 'set by message', ...inJson, target: 'msg' },
  ...asJson.map(({ node }) => node),
  { ...strobe, id: 'list', parameters: '[1]' },
  { ...strobe, id: 'broken', parameters: '{' },
  { ...strobe, id: 'elsewhere', parameters: '${STROBE}' },
  { ...strobe, id: 'stop', operation: 'stop', parameters: '[1]' },
  { ...strobe, id: 'chosen', operation: 'msg', parameters: '{"colour":1}' },
  {
    ...strobe,
    id: 'misspelt',
    parameters: '{"pattern":"slow","colour1":"red","color1":"red","ledlvl":"low"}',
  },
];

const misspelt = wording('phrases:unknown', {
  place: 'colour1',
  names: 'pattern, color1, color2, ledlvl, duration',
});

describe('JSON in the place of the fields', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  it('is called wrong where the runtime refuses it, in the same words', async () => {
    const problems: Record<string, string[]> = await editor.page.evaluate(
      `Object.fromEntries(RED.nodes.filterNodes({ z: 'tab' }).map(({ id, validationErrors }) => [id, validationErrors ?? []]))`,
    );
    let [good, bad] = [0, 0];
    for (const { node, operationName, parameters } of asJson) {
      const operation = operationNamed(operationName);
      const checked = checkParameters(operation, parameters);
      const sentences = checked.ok ? [] : checked.findings;
      const problem = problems[node.id] ?? assert.fail(node.id);
      // Of several bodies the dialog has other words, and of parameters that a person names.
      if (operation.variants || operation.others || operation.atLeast) {
        const about = `${operationName} ${JSON.stringify(parameters)}: ${sentences.join('; ')} / ${problem.join('; ')}`;
        assert.equal(problem.length > 0, sentences.length > 0, about);
      } else assert.deepEqual(problem.toSorted(), sentences.toSorted(), operationName);
      if (sentences.length > 0) bad += 1;
      else good += 1;
    }
    assert.ok(good > 150 && bad > 200, `${good}, ${bad}`);
  });

  it('may have unknown keys in the records of a device that decides, as a form may', async () => {
    const isWrong = async (id: string) => String((await editor.stored(id)).problems).includes('enabeld');
    const found: string[] = [];
    for (const id of ['record in json', 'record in form', 'deciding json', 'deciding form', 'set by message'])
      found.push(`${id}: ${await isWrong(id)}`);
    assert.deepEqual(found, [
      'record in json: true',
      'record in form: true',
      'deciding json: false',
      'deciding form: false',
      'set by message: false',
    ]);
    await editor.edit('record in json');
    const error = () => textOf(editor.page.locator('#algo-parameters-error'));
    assert.match(await error(), /events\[0\]\.enabeld/);
    await editor.page.locator('#node-input-device').selectOption('deciding');
    assert.equal(await error(), '');
    await editor.startOver();
  });

  it('is an object, or nothing that anybody reads', async () => {
    const problems = async (id: string) => (await editor.stored(id)).problems;
    assert.deepEqual(await problems('list'), [
      wording('phrases:wrong', {
        place: wording('shared:form.parameters'),
        limits: wording('phrases:object', { names: 'pattern, color1, color2, ledlvl, duration' }),
        got: '[1]',
      }),
    ]);
    assert.deepEqual(await problems('broken'), [`Parameters: ${wording('shared:form.invalid.json')}`]);
    for (const id of ['elsewhere', 'stop', 'chosen']) assert.deepEqual(await problems(id), [], id);
  });

  it('is marked in the dialog while it is written', async () => {
    assert.deepEqual((await editor.stored('misspelt')).problems, [misspelt]);
    await editor.edit('misspelt');
    const box = editor.page.locator('.algo-parameters .red-ui-typedInput-input');
    const problem = editor.page.locator('#algo-parameters-error');
    assert.equal(await textOf(problem), misspelt);
    assert.deepEqual(
      [await box.getAttribute('aria-invalid'), await box.getAttribute('aria-describedby')],
      ['true', 'algo-parameters-error'],
    );
    await box.fill('{"pattern":"slow","color1":"red","ledlvl":"low"}');
    assert.equal(await textOf(problem), '');
    assert.equal(await box.getAttribute('aria-invalid'), 'false');
    await box.fill('{"pattern":"slow","color1":"red"}');
    assert.equal(
      await textOf(problem),
      wording('phrases:missing', { place: 'ledlvl', limits: wording('strobe:field.ledlvl.limits') }),
    );
    await editor.done();
    assert.equal(((await editor.stored('misspelt')).problems as string[]).length, 1);
    await editor.edit('misspelt');
    await box.fill('{"pattern":"slow","color1":"red","ledlvl":"low"}');
    await editor.done();
    assert.deepEqual((await editor.stored('misspelt')).problems, []);
  });
});
