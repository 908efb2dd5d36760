import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession, type Session } from './session';

const place = { z: 'tab', x: 200, y: 100, wires: [[], []] };
const usual = { name: '', path: '', auth: 'standard', tolerance: '30', from: [], cooldown: '0' };
const hook = (id: string, more: object = {}): FlowNode => ({
  ...place,
  ...usual,
  id,
  type: 'algo-webhook',
  ...more,
});

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Webhooks' },
  { id: 'virtual', type: 'algo-virtual-device', name: 'Panel', model: '8450', auth: 'none', port: '0' },
  { id: 'console', type: 'algo-device', name: 'Console', virtual: 'virtual' },
  {
    ...{ id: 'horn', type: 'algo-device', name: 'Horn', address: '127.0.0.9', auth: 'standard' },
    credentials: { password: 'sesame' },
  },
  hook('usual'),
  hook('same', { credentials: { password: 'sesame' } }),
  hook('basic', { auth: 'basic', path: '/bell', from: ['console'] }),
  hook('token', { auth: 'token', path: '/a b' }),
  hook('open', { auth: 'none', path: '/' }),
  hook('of-environment', {
    auth: '${AUTH}',
    path: '${BELL}',
    tolerance: '${TOLERANCE}',
    cooldown: '${COOLDOWN}',
  }),
  hook('wrong', { path: '/a/../b', auth: 'digest', tolerance: '0', cooldown: '-1', from: ['gone'] }),
  { ...place, id: 'bare', type: 'algo-webhook' },
  hook('no-callers', { from: [''] }),
  // The editor uses these paths, and goes on working.
  hook('settings', { auth: 'none', path: '/settings' }),
  hook('flows', { auth: 'none', path: '/flows' }),
  hook('algo', { auth: 'none', path: '/algo' }),
  {
    ...{
      ...place,
      id: 'schedule',
      type: 'algo-scheduler',
      name: 'Schedule',
      target: 'device',
      device: 'console',
    },
    ...{
      operation: 'apply',
      parametersType: 'form',
      form: { events: { type: 'json', value: '[]' } },
      wires: [[]],
    },
  },
];

describe('the dialog of a webhook', () => {
  let editor: Editor;
  const session = editorSession(flow, (opened) => {
    editor = opened;
  });
  const form = () => editor.page.locator('#dialog-form');
  const field = (name: string) => form().getByLabel(name, { exact: true });
  const copy = (key: string) => field(wording(`webhook:guide.${key}`));
  /** The values to copy, as soon as Node-RED has told its address. */
  const values = async () => {
    await editor.page.waitForFunction(() => {
      const box = document.querySelector<HTMLInputElement>('#algo-webhook-copy-target');
      return box !== null && box.value !== '';
    });
    const keys = ['method', 'target', 'path', 'header', 'payload'];
    return Promise.all(keys.map((key) => copy(key).inputValue()));
  };
  const targetOf = ({ nodeRed }: Session) => new URL(nodeRed.url).host;
  const weak = () => textOf(form().locator('#algo-webhook-weak'));

  for (const { id } of flow.slice(4, -1)) {
    it(`leaves "${id}" as it was`, async () => {
      const before = await editor.stored(id);
      await editor.edit(id);
      await values();
      assert.deepEqual(await cutIn(editor.page), []);
      assert.deepEqual(namelessIn(await snapshotOf(form())), []);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
      assert.equal(before.changed, false);
    });
  }

  it('says what is wrong, and nothing of what an environment variable brings', async () => {
    assert.equal(((await editor.stored('wrong')).problems as string[]).length, 5);
    for (const id of ['usual', 'basic', 'token', 'open', 'of-environment', 'bare'])
      assert.deepEqual((await editor.stored(id)).problems, [], id);
  });

  it('needs a caller where callers are selected', async () => {
    const problems = [wording('webhook:invalid.from')];
    assert.deepEqual((await editor.stored('no-callers')).problems, problems);
    await editor.edit('no-callers');
    assert.equal(await field(wording('webhook:label.from')).inputValue(), 'some');
    await editor.done('#node-dialog-cancel');
    await editor.edit('token');
    await field(wording('webhook:label.from')).selectOption('some');
    await form().locator('.algo-picker').waitFor();
    await editor.done();
    const stored = await editor.stored('token');
    assert.deepEqual([stored.from, stored.problems], [[''], problems]);
    await editor.edit('token');
    await field(wording('webhook:label.from')).selectOption('any');
    await editor.done();
    assert.deepEqual((await editor.stored('token')).from, []);
  });

  it('shows what to enter at the device', async () => {
    const target = targetOf(session);
    await editor.edit('usual');
    assert.deepEqual(await values(), ['POST', target, '/algo/usual', '%DEVICE_HEADERS%', '{}']);
    await field(wording('webhook:label.path')).fill('/north');
    assert.deepEqual((await values())[2], '/north');
    const entry = JSON.parse(await copy('entry').inputValue());
    const header = '%DEVICE_HEADERS%';
    assert.deepEqual(entry, { method: 'POST', target, path: '/north', header, payload: '{}' });
    // They must not look as what is only suggested.
    const color = (key: string) => copy(key).evaluate((box) => getComputedStyle(box).color);
    const typed = await field(wording('webhook:label.path')).evaluate((box) => getComputedStyle(box).color);
    assert.deepEqual([await color('target'), await color('entry')], [typed, typed]);
    await editor.done('#node-dialog-cancel');
    await editor.edit('token');
    assert.deepEqual((await values()).slice(2, 4), [
      '/a%20b',
      'Authorization: Bearer <token>\\r\\nContent-Type: application/json',
    ]);
    await editor.done('#node-dialog-cancel');
    await editor.edit('open');
    assert.deepEqual((await values()).slice(2, 4), [
      '/api/controls/strobe/start',
      'Content-Type: application/json',
    ]);
    await editor.done('#node-dialog-cancel');
  });

  it('shows a password in the header only if it was typed', async () => {
    await editor.edit('basic');
    assert.match((await values())[3] ?? '', /^Authorization: Basic <base64>/);
    await field(wording('webhook:label.password')).fill('sésame');
    const encoded = Buffer.from('admin:sésame').toString('base64');
    assert.equal((await values())[3], `Authorization: Basic ${encoded}\\r\\nContent-Type: application/json`);
    await editor.done('#node-dialog-cancel');
  });

  it('names what is weak', async () => {
    await editor.edit('open');
    await values();
    assert.match(await weak(), new RegExp(wording('webhook:weak.none')));
    await field(wording('webhook:label.auth')).selectOption('standard');
    assert.doesNotMatch(await weak(), new RegExp(wording('webhook:weak.none')));
    await field(wording('webhook:label.password')).fill('algo');
    assert.match(await weak(), new RegExp(wording('webhook:weak.factory')));
    await editor.done('#node-dialog-cancel');
  });

  it('warns when a device has the same password', async () => {
    const warned = (isShown: boolean) =>
      editor.page.waitForFunction(
        ([text, shown]) =>
          document.querySelector('#algo-webhook-weak')?.textContent?.includes(String(text)) === shown,
        [wording('webhook:weak.same', { device: 'Horn' }), isShown] as const,
      );
    await editor.edit('same');
    await warned(true);
    const password = field(wording('webhook:label.password'));
    await password.fill('another');
    await password.blur();
    await warned(false);
    await password.fill('sesame');
    await password.blur();
    await warned(true);
    await editor.done('#node-dialog-cancel');
  });

  it('is offered as a target by the builder of a schedule', async () => {
    await editor.edit('schedule');
    const calls = form().locator('.algo-calls');
    await calls.locator('summary').click();
    const add = async (webhook: string) => {
      await calls.getByLabel(wording('scheduler:calls.device')).selectOption({ label: webhook });
      await calls.getByRole('button', { name: wording('scheduler:calls.add') }).click();
    };
    const waitForText = (words: string) => calls.getByText(words, { exact: true }).waitFor();
    await calls.getByLabel(wording('scheduler:calls.parameters')).fill('{"bell":1}');
    await add('webhook');
    await waitForText(wording('scheduler:calls.added', { name: 'webhook' }));
    await add('/bell');
    await waitForText(wording('scheduler:calls.noPassword'));
    await calls.getByLabel(wording('scheduler:calls.password')).fill('sesame');
    await add('/bell');
    await waitForText(wording('scheduler:calls.added', { name: '/bell' }));
    await editor.done();
    const { form: stored } = (await editor.stored('schedule')) as { form: { events: { value: string } } };
    const [event] = JSON.parse(stored.events.value) as { event_type: string; api_call: object[] }[];
    const call = { method: 'POST', target: targetOf(session), payload: '{"bell":1}' };
    const basic = `Authorization: Basic ${Buffer.from('admin:sesame').toString('base64')}`;
    assert.equal(event?.event_type, 'api_call');
    assert.deepEqual(event?.api_call, [
      { ...call, name: 'webhook', path: '/algo/usual', header: '%DEVICE_HEADERS%' },
      { ...call, name: '/bell', path: '/bell', header: `${basic}\r\nContent-Type: application/json` },
    ]);
  });

  it('stores what a person chooses, and shows it again', async () => {
    await editor.edit('usual');
    await field(wording('webhook:label.from')).selectOption('some');
    await form().locator('.algo-picker').getByText('Console', { exact: true }).click();
    await field(wording('webhook:label.auth')).selectOption('token');
    await editor.done();
    const stored = await editor.stored('usual');
    assert.deepEqual([stored.from, stored.auth, stored.problems], [['console'], 'token', []]);
    await editor.edit('usual');
    assert.equal(await field(wording('webhook:label.from')).inputValue(), 'some');
    await field(wording('webhook:label.from')).selectOption('any');
    await editor.done();
    assert.deepEqual((await editor.stored('usual')).from, []);
  });
});
