import { isPasswordName } from '../../../catalogue/describe';
import type { ValidationResult } from '../node/validate';
import { isVariable } from '../operations/check';
import { same } from '../operations/entry';
import { showStoredText, UnsetProperties } from '../page/inputs';
import { Table } from '../table/table';
import { Targets } from './targets';

type Cells<Column extends string> = Record<Column, string>;
type Setting = Cells<'setting' | 'expected'>;
type File = Cells<'path' | 'md5'>;

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
  const bare = rows.find(({ setting, expected }) => isPasswordName(setting) && !isVariable(expected));
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
  private readonly targets: Targets;
  private readonly unset: UnsetProperties;
  private readonly settings: Table<keyof Setting> | undefined;
  private readonly files: Table<keyof File> | undefined;

  constructor(readonly node: EditorNode) {
    this.targets = new Targets(this.root, node, () => {});
    // A missing property means the default of the runtime; an empty property switches the check off.
    if (node.clock === undefined) $('#node-input-clock').val('15');
    if (node.certificateDays === undefined) $('#node-input-certificateDays').val('30');
    for (const property of ['sip', 'initial']) showStoredText($(`#node-input-${property}`), node[property]);
    this.unset = new UnsetProperties(node);
    this.settings = this.table('.algo-expected-settings', settingsIn(node.settings), ['setting', 'expected']);
    this.files = this.table('.algo-expected-files', filesIn(node.files), ['path', 'md5']);
  }

  save(): void {
    const { node, settings, files } = this;
    this.unset.spare();
    this.targets.save();
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
}
