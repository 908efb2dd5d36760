import type { ValidationResult } from '../node/validate';
import { isVariable } from '../operations/check';
import { same } from '../operations/entry';
import { asText, keepOption, UnsetProperties } from '../page/inputs';
import { offerPanelOfDevice } from '../page/panel-button';
import { hideUntriedMarks } from '../page/untried';
import { Table } from '../table/table';
import { SeveralTargets } from './several-targets';

type Cells<Column extends string> = Record<Column, string>;
type Setting = Cells<'setting' | 'expected'>;
type File = Cells<'path' | 'md5'>;

/** Matches the names of settings with secret values, which a flow must not contain as plain text. */
const secretName = /pwd|password|secret|key/i;

function settingsIn(value: unknown): Setting[] | undefined {
  if (value === undefined || value === '') return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([setting, expected]) => ({ setting, expected: String(expected) }));
}

function filesIn(value: unknown): File[] | undefined {
  if (value === undefined || value === '') return [];
  if (!Array.isArray(value)) return undefined;
  return value.map((file) => {
    const { path = file, md5 = '' } = Object(file) as Readonly<Record<string, unknown>>;
    return { path: String(path), md5: String(md5) };
  });
}

/**
 * Validates the expected settings of a node. The value of a secret setting must be an environment variable.
 */
export function validateExpectedSettings(node: EditorNode, value: unknown): ValidationResult {
  const rows = settingsIn(value);
  if (!rows || rows.some(({ setting }) => setting === '' || setting.includes('/')))
    return node._def._('invalid.settings');
  const bare = rows.find(({ setting, expected }) => secretName.test(setting) && !isVariable(expected));
  return bare === undefined || node._def._('invalid.secret', { name: bare.setting });
}

export function validateExpectedFiles(node: EditorNode, value: unknown): ValidationResult {
  const rows = filesIn(value);
  const isWrong = ({ path, md5 }: File) =>
    path.split('/').some((part) => /^\.{0,2}$/.test(part)) || !/^([\da-f]{32})?$/i.test(md5);
  return (rows !== undefined && !rows.some(isWrong)) || node._def._('invalid.files');
}

export class SupervisionDialog {
  readonly root = $('#node-input-certificateDays').closest('form');
  private readonly targets = $('#node-input-target');
  private readonly several: SeveralTargets;
  private readonly unset: UnsetProperties;
  private readonly settings: Table<keyof Setting> | undefined;
  private readonly files: Table<keyof File> | undefined;

  constructor(readonly node: EditorNode) {
    const { root, targets } = this;
    root.addClass('algo-form').find('.algo-without-plugin').remove();
    hideUntriedMarks(root, node);
    offerPanelOfDevice();
    this.several = new SeveralTargets(node, targets);
    keepOption(targets, node.target || 'device');
    // A missing property means the default of the runtime; an empty property switches the check off.
    if (node.clock === undefined) $('#node-input-clock').val('15');
    if (node.certificateDays === undefined) $('#node-input-certificateDays').val('30');
    if (typeof node.sip === 'string') asText($('#node-input-sip'), node.sip);
    this.unset = new UnsetProperties(node);
    this.settings = this.table('.algo-expected-settings', settingsIn(node.settings), ['setting', 'expected']);
    this.files = this.table('.algo-expected-files', filesIn(node.files), ['path', 'md5']);
    targets.on('change', () => this.refresh());
    this.refresh();
  }

  save(): void {
    const { node, settings, files } = this;
    this.unset.spare();
    this.several.save();
    const expected = settings?.rows.filter(({ setting }) => setting !== '');
    if (expected && !same(expected, settingsIn(node.settings)))
      node.settings = Object.fromEntries(expected.map((row) => [row.setting, row.expected]));
    const paths = files?.rows.filter(({ path }) => path !== '');
    if (paths && !same(paths, filesIn(node.files)))
      node.files = paths.map(({ path, md5 }) => (md5 === '' ? path : { path, md5 }));
  }

  private table<Column extends string>(
    place: string,
    rows: Cells<Column>[] | undefined,
    columns: readonly Column[],
  ): Table<Column> | undefined {
    if (!rows) return undefined;
    return new Table(this.root.find(place), rows, { columns }, this.node._def._, () => {});
  }

  private refresh(): void {
    const target = this.targets.val();
    for (const row of this.root.find('[data-target]').get()) row.hidden = row.dataset.target !== target;
    this.several.show();
  }
}
