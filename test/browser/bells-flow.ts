import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';

const base = { z: 'tab', wires: [[]], target: 'device', device: 'bells', group: '' };
const byForm = { type: 'algo-scheduler', parametersType: 'form', parameters: 'payload', ...base };
export const lesson = {
  name: 'Lesson',
  time: '08:00',
  days: 'mon-fri',
  audio: 'bell-na.wav',
  from: '2020-09-01',
  except: ['2020-10-03', { start: '2020-12-21', end: '2020-12-24' }],
};
export const lunch = {
  name: 'Lunch',
  time: '12:00',
  days: ['mon', 'wed'],
  audio: 'chime.wav',
  zone: 2,
  from: '2020-09-02',
};
const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) });
const tag = { type: 'str', value: 'school' };

export const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Bells' },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual',
    model: '8301',
    firmware: '5.7',
    auth: 'none',
    port: 0,
  },
  { id: 'bells', type: 'algo-device', name: 'Bells', virtual: 'virtual', auth: 'none', tags: '' },
  {
    ...byForm,
    id: 'sync',
    name: 'Sync',
    operation: 'sync',
    x: 200,
    y: 60,
    form: { tag, bells: json([lesson, lunch]) },
  },
  { id: 'hall', type: 'algo-device', name: 'Hall', address: '192.0.2.9', auth: 'standard', tags: '' },
  { id: 'yard', type: 'algo-device', name: 'Yard', address: 'http://192.0.2.10', auth: 'basic', tags: '' },
  { ...byForm, id: 'change', name: 'Change', operation: 'apply', x: 200, y: 340, form: {} },
  { ...byForm, id: 'empty', name: 'Empty', operation: 'sync', x: 200, y: 100, form: {} },
  {
    ...byForm,
    ...{ id: 'clear', name: 'Clear', operation: 'sync', x: 200, y: 380 },
    form: { tag, bells: json([]) },
  },
  {
    ...byForm,
    ...{ id: 'message', name: 'Message', operation: 'sync', x: 200, y: 140 },
    form: { tag: { type: 'env', value: 'TAG' }, bells: { type: 'msg', value: 'payload.bells' } },
  },
  {
    ...byForm,
    ...{ id: 'variable', name: 'Variable', operation: 'sync', x: 200, y: 180 },
    form: { tag, bells: { type: 'json', value: '${BELLS}' } },
  },
  {
    ...byForm,
    ...{ id: 'odd', name: 'Odd', operation: 'sync', x: 200, y: 220 },
    form: { tag, bells: { type: 'json', value: '[1, {"name": "x"}]' } },
  },
  {
    ...byForm,
    ...{ id: 'skip', name: 'Skip', operation: 'skip', x: 200, y: 260 },
    form: { dates: json(['2030-05-01', { start: '2030-05-06', end: '2030-05-10' }]) },
  },
  {
    ...byForm,
    ...{ id: 'unskip', name: 'Restore', operation: 'unskip', x: 200, y: 300 },
    form: { dates: { type: 'msg', value: 'payload' } },
  },
];

/** A scheduler's dialog, as a person uses it. */
export class BellsDialog {
  constructor(readonly editor: Editor) {}

  readonly form = () => this.editor.page.locator('form:has(#node-input-target)');

  readonly open = async (id: string) => {
    await this.editor.edit(id);
    await this.form().locator('.algo-ahead').waitFor();
  };

  readonly cancel = async () => {
    await this.editor.done('#node-dialog-cancel');
  };

  readonly cell = (column: string, row: number) =>
    this.form().getByLabel(wording('rows:rows.cell', { column, row }), { exact: true });

  readonly formOf = async (id: string) =>
    (await this.editor.stored(id)).form as Record<string, { type: string; value: string }>;

  readonly bellsOf = async (id: string) => JSON.parse((await this.formOf(id)).bells?.value ?? 'null');
}
