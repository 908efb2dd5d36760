import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const settings = { type: 'algo-settings', z: 'tab', x: 200, wires: [[]] };
const profile = (more: object): FlowNode => ({
  ...settings,
  ...{ id: 'profile', y: 100, target: 'group', group: 'all', operation: 'apply', parametersType: 'form' },
  ...more,
});
const text = (value: string) => ({ type: 'str', value });

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Profiles', env: [{ name: 'HALL_VOLUME', type: 'str', value: '-3dB' }] },
  ...['hall', 'gate'].flatMap((id) => [
    { id: `v-${id}`, type: 'algo-virtual-device', model: '8301', firmware: '5.7', auth: 'none', port: '0' },
    { id, type: 'algo-device', name: `The ${id}`, virtual: `v-${id}` },
  ]),
  { id: 'all', type: 'algo-group', name: 'All', devices: ['hall', 'gate'] },
  profile({
    form: {
      'audio.page.vol': text('-12dB'),
      'audio.ring.vol': text('${HALL_VOLUME}'),
      'api.admin.pwd': text('another'),
      'no.such.setting': text('1'),
    },
  }),
  profile({
    id: 'json',
    y: 200,
    target: 'device',
    device: 'hall',
    parametersType: 'json',
    parameters: '{"audio.page.vol":"-18dB"}',
  }),
  profile({ id: 'empty', y: 300, form: {} }),
  profile({ id: 'other', y: 500, form: {} }),
  profile({ id: 'none', y: 400, target: 'msg', form: { 'a.b': text('1') } }),
];

describe('the dialog of settings', () => {
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  const tried = () => editor.page.locator('#algo-tried');
  const compare = async () => {
    await editor.page.locator('#algo-compare').press('Enter');
    await tried().locator('li').first().waitFor();
  };
  const rows = () =>
    editor.page
      .locator('.algo-compared tbody tr')
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent ?? '')));
  const put = async (table: string) => {
    const section = editor.page.locator('.algo-others:visible');
    await section.getByRole('button', { name: wording('rows:rows.paste') }).click();
    await section.locator('textarea').fill(table);
    return section.locator('.algo-take');
  };
  const entered = async () => {
    const section = editor.page.locator('.algo-others:visible');
    return section
      .locator('li.algo-field')
      .evaluateAll((lines) =>
        lines.map((line) =>
          [...line.querySelectorAll<HTMLInputElement>('.algo-name, .red-ui-typedInput-input')].map(
            ({ value }) => value,
          ),
        ),
      );
  };

  it('shows what differs at each device, and writes nothing', async () => {
    await editor.edit('profile');
    await compare();
    assert.match(await textOf(tried()), new RegExp(wording('device:compare.found', { count: '8' })));
    const each = (device: string) => [
      [device, 'audio.page.vol', '-18dB', '-12dB'],
      [device, 'audio.ring.vol', '-18dB', '${HALL_VOLUME}'],
      [device, 'api.admin.pwd', '***', '***'],
      [device, 'no.such.setting', wording('device:compare.unknown'), '1'],
    ];
    assert.deepEqual(await rows(), [...each('The hall'), ...each('The gate')]);
    assert.doesNotMatch(String(await editor.page.locator('#dialog-form').textContent()), /-3dB/);
    assert.doesNotMatch(shared.nodeRed.log(), /PUT/);
    if (process.env.ALGO_SHOT)
      await editor.page.screenshot({
        path: process.env.ALGO_SHOT,
        style: 'html body { opacity: 1 !important; }',
      });
    assert.deepEqual(namelessIn(await snapshotOf(editor.page.locator('#dialog-form'))), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.done('#node-dialog-cancel');
    assert.equal((await editor.stored('profile')).changed, false);
  });

  it('compares JSON, and forgets the result when the profile changes', async () => {
    await editor.edit('json');
    await compare();
    assert.match(await textOf(tried()), new RegExp(wording('device:compare.same')));
    await editor.page.locator('#node-input-device').selectOption('gate');
    await tried().locator('li').waitFor({ state: 'detached' });
    await editor.done('#node-dialog-cancel');
  });

  it('says why it cannot compare: a message names the targets', async () => {
    await editor.edit('none');
    await compare();
    assert.match(await textOf(tried()), new RegExp(wording('device:compare.noTarget')));
    await editor.done('#node-dialog-cancel');
  });

  for (const [what, table] of [
    [
      'semicolons, a header and a byte order mark',
      '\uFEFFvalue;name\n-12dB;audio.page.vol\n"a;b";sip.proxy\n',
    ],
    ['commas, without a header', 'audio.page.vol,-12dB\nsip.proxy,a;b'],
    ['tabs', 'Setting\tWanted\naudio.page.vol\t-12dB\nsip.proxy\ta;b'],
    ['a backup that the csv node has written', 'audio.page.vol,sip.proxy\n-12dB,a;b\n'],
  ] as const)
    it(`takes a pasted table: ${what}`, async () => {
      await editor.edit('empty');
      const take = await put(table);
      await take.filter({ hasText: '(2)' }).click();
      assert.deepEqual(await entered(), [
        ['audio.page.vol', '-12dB'],
        ['sip.proxy', 'a;b'],
      ]);
      await editor.done('#node-dialog-cancel');
    });

  it('replaces the value of a name by the pasted one, and refuses stars', async () => {
    await editor.edit('profile');
    const take = await put('audio.page.vol;-6dB\napi.admin.pwd;***\nsip.new;1');
    await editor.page.locator('.algo-others >> text=/\\*\\*\\*/ >> visible=true').first().waitFor();
    await take.filter({ hasText: '(2)' }).click();
    const found = await entered();
    assert.deepEqual(
      found.filter(([name]) => /vol|new/.test(String(name))),
      [
        ['audio.ring.vol', '${HALL_VOLUME}'],
        ['audio.page.vol', '-6dB'],
        ['sip.new', '1'],
      ],
    );
    await editor.done('#node-dialog-cancel');
  });

  it('takes a table of 500 settings, as JSON', async () => {
    await editor.edit('empty');
    const lines = Array.from({ length: 500 }, (_, index) => `a.b${index};${index}`);
    const take = await put(lines.join('\n'));
    await take.filter({ hasText: '(500)' }).click();
    await editor.done();
    const { parametersType, parameters } = await editor.stored('empty');
    const values = Object.entries(JSON.parse(String(parameters)));
    assert.deepEqual([parametersType, values.length, values[499]], ['json', 500, ['a.b499', '499']]);
  });

  it('keeps the rows when another operation on profiles is selected', async () => {
    await editor.edit('other');
    const take = await put('audio.page.vol;-6dB');
    await take.click();
    await editor.page.locator('#node-input-operation').selectOption('compare');
    assert.deepEqual(await entered(), [['audio.page.vol', '-6dB']]);
    await editor.done();
    assert.deepEqual(Object((await editor.stored('other')) as object).form, {
      'audio.page.vol': text('-6dB'),
    });
  });
});
