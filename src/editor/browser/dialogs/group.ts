import type { ValidationResult } from '../node/validate';
import { same } from '../operations/entry';
import { button } from '../page/button';
import { current, showStoredText } from '../page/inputs';
import { type Finding, sentenceOfFinding } from '../table/findings';
import { Paste } from '../table/paste';
import { Table } from '../table/table';
import { hasApiPath, hasPath } from '../targets/address';
import {
  type Column,
  columns,
  findingsIn,
  type GroupRow,
  groupTable,
  isBlank,
  keptPassword,
  listIn,
  type PlacedRow,
  type RowContext,
  rowOf,
  rowsOf,
  storedRow,
} from '../targets/group-rows';
import { everyDevice, type KnownDevice, rowsOfOthers, tagsIn } from '../targets/known-devices';
import { type Member, membersOf } from '../targets/members';
import { Picker } from '../targets/picker';
import { withTools } from '../tools/load';
import { openAccess } from './device';
import { warnOfWeakness } from './device-warnings';
import { type Credentials, storePasswords } from './row-passwords';
import { isPlainHttp } from './weak-choices';

const maxListed = 200;

/** Maximum number of sentences that fit into the editor's tooltip. */
const maxSentences = 5;

/** Validates the rows of a group. A group must have at least one row, device or tag. */
export function validateRows(node: EditorNode, rows: unknown): ValidationResult {
  const translate = node._def._;
  const list = listIn(rows);
  if (!list) return translate('invalid.rows');
  const picked = idsIn(node.devices);
  if (list.length + picked.length + tagsIn(current(node, 'tags', 'config-input')).length === 0) {
    return translate('invalid.empty');
  }
  const isPinned = current(node, 'certificate', 'config-input') === 'pin';
  const findings = findingsIn(
    placed(rowsOf(list)),
    contextOf(everyDevice(), new Set(picked), isPinned, 'inRow'),
  );
  const lines = findings
    .slice(0, maxSentences)
    .map((finding) => sentenceOfFinding(translate, finding, 'row'));
  // Core inserts the text into a tooltip as HTML, so the text must not contain a `<`.
  return lines.length === 0 || lines.map((line) => line.replaceAll('<', '‹'));
}

function idsIn(devices: unknown): string[] {
  return Array.isArray(devices) ? devices.map(String) : [];
}

function placed(rows: readonly PlacedRow['row'][]): PlacedRow[] {
  return rows.map((row, index) => ({ row, line: index + 1 }));
}

function withoutAddress(rows: readonly PlacedRow[]): Finding[] {
  const blank = rows.filter(({ row }) => isBlank(row));
  return blank.map(({ line }) => ({ line, what: 'noAddress', words: {} }));
}

function contextOf(
  devices: readonly KnownDevice[],
  picked: ReadonlySet<string>,
  isPinned: boolean,
  place: RowContext['place'],
): RowContext {
  const members = devices.filter(({ id }) => picked.has(id));
  const taken = members.map(({ name, address }) => ({ name, address, by: 'ofDevice', words: { name } }));
  return { isPinned, place, taken };
}

export class GroupDialog {
  readonly root = $('#node-config-input-maxParallel').closest('form');
  private readonly translate: Translate;
  private readonly tags = $('#node-config-input-tags');
  private readonly devices = everyDevice();
  private readonly others: readonly KnownDevice[];
  private readonly picker: Picker;
  private readonly table: Table<Column>;
  private readonly warn: () => void;
  private hasRows = false;

  constructor(readonly node: EditorNode) {
    this.translate = node._def._;
    this.others = rowsOfOthers(node);
    openAccess(node);
    this.root.find('.algo-without-plugin').remove();
    showStoredText($('#node-config-input-dryRun'), node.dryRun);
    const changed = () => this.refresh();
    this.picker = new Picker(
      this.root.find('.algo-picker'),
      this.devices,
      idsIn(node.devices),
      this.translate,
      changed,
    );
    const known = [...this.devices, ...this.others].flatMap(({ tags }) => tags);
    openChips(
      this.root.find('.algo-chips'),
      this.tags,
      [...new Set(known)].sort(),
      this.translate('tags.existing'),
    );
    this.table = new Table(
      this.root.find('.algo-table'),
      rowsOf(node.rows),
      { columns, secret: { column: 'password', kept: keptPassword } },
      this.translate,
      changed,
    );
    new Paste<Column>(this.root.find('.algo-table'), this.table.buttons, this.translate, {
      kind: groupTable,
      id: 'algo-group',
      check: (rows) => [...findingsIn(rows, this.pasteContext()), ...withoutAddress(rows)],
      taken: (rows) => this.table.replace([...this.table.rows.filter((row) => !isBlank(row)), ...rows]),
    });
    const finding = $('#algo-group-find').on('click', () =>
      withTools(({ find, knownPlaces }) =>
        find(finding, {
          known: () => knownPlaces(node, this.table.rows),
          take: (addresses) => {
            const rows = addresses.map((address) => rowOf({ address }));
            this.table.replace([...this.table.rows.filter((row) => !isBlank(row)), ...rows]);
          },
        }),
      ),
    );
    const testing = $('#algo-group-test').on('click', () =>
      withTools(
        ({ testRows }) =>
          void testRows(testing, {
            group: node.id,
            rows: () => this.table.rows,
            fill: (cellsOf) =>
              this.table.replace(this.table.rows.map((row) => ({ ...row, ...cellsOf(row) }))),
          }),
      ),
    );
    this.warn = warnOfWeakness(node, () => this.kindsOfAddress());
    this.tags.add('#node-config-input-certificate, #node-config-input-auth').on('change input', changed);
    for (const fold of this.root.find('details').get()) this.openFold(fold);
    this.refresh();
  }

  private openFold(fold: HTMLElement): void {
    const { queueLimit, maxParallel, dryRun } = this.node;
    const isDelivery = fold.classList.contains('algo-delivery');
    if (isDelivery) $(fold).prop('open', Boolean(queueLimit || maxParallel || dryRun));
    $(fold).on('toggle', () => this.refresh());
  }

  /**
   * Returns one address for each kind of address in the rows: with plain HTTP or HTTPS, and without a path,
   * with a path, or with the path of the API. The warnings depend only on this kind.
   */
  private kindsOfAddress(): string[] {
    const rows = this.table.rows.filter((row) => !isBlank(row));
    const kindOf = ({ address }: GroupRow) => {
      const path = hasApiPath(address) ? '/api' : hasPath(address) ? '/path' : '';
      return `${isPlainHttp(address) ? 'http://' : ''}host${path}`;
    };
    return [...new Set(rows.map(kindOf))];
  }

  private context(place: RowContext['place']): RowContext {
    const isPinned = $('#node-config-input-certificate').val() === 'pin';
    const isSecret = $('#node-config-input-auth').val() !== 'none';
    const credentials = isSecret ? (this.node.credentials as Credentials | undefined) : undefined;
    return { ...contextOf(this.devices, this.picker.picked, isPinned, place), credentials };
  }

  private pasteContext(): RowContext {
    const context = this.context('inLine');
    const rows = placed(this.table.rows).filter(({ row }) => !isBlank(row));
    const taken = rows.map(({ row: { name, address }, line }) => ({
      name: name || address,
      address,
      by: 'inRow',
      words: { line: String(line) },
    }));
    return { ...context, taken: [...context.taken, ...taken] };
  }

  private openAccess(): void {
    const hadRows = this.hasRows;
    this.hasRows = this.table.rows.some((row) => !isBlank(row));
    if (this.hasRows && !hadRows) this.root.find('.algo-access').prop('open', true);
  }

  private refresh(): void {
    const { rows } = this.table;
    this.openAccess();
    const written = rows.filter((row) => !isBlank(row));
    const needShared = written.length === 0 || written.some(({ password }) => password === '');
    this.root.find('.algo-password-error').toggle(needShared);
    this.root.find('#algo-group-test, #algo-group-test-hint').toggle(written.length > 0);
    this.warn();
    this.table.review(findingsIn(placed(rows), this.context('inRow')));
    const members = membersOf({
      picked: [...this.picker.picked],
      rows,
      tags: String(this.tags.val()),
      devices: this.devices,
      rowsOfOthers: this.others,
    });
    const count = (why: Member['why']) => String(members.filter((member) => member.why === why).length);
    const words = {
      count: String(members.length),
      devices: count('device'),
      rows: count('row'),
      tagged: count('tag'),
    };
    const fold = this.root.find('.algo-members');
    fold.find('summary').text(this.translate('members.title', words));
    if (fold.prop('open')) this.list(members);
  }

  private list(members: readonly Member[]): void {
    const items = members.slice(0, maxListed).map(({ name, why }) => {
      const about = $('<span class="algo-about">').text(this.translate(`members.${why}`));
      return $('<li>').append($('<span>').text(name), ' ', about);
    });
    const hidden = members.length - items.length;
    if (hidden > 0) items.push($('<li>').text(this.translate('members.more', { count: String(hidden) })));
    this.root.find('.algo-members ol').empty().append(items);
  }

  save(): void {
    const devices = [...this.picker.picked];
    if (!same(devices, idsIn(this.node.devices))) this.node.devices = devices;
    const rows = this.table.rows.filter((row) => !isBlank(row));
    const before = rowsOf(this.node.rows);
    if (same(rows, before)) return;
    const credentials = (this.node.credentials ?? {}) as Credentials;
    Object.assign(this.node, { credentials });
    this.node.rows = storePasswords(rows, before, credentials).map(storedRow);
  }
}

function openChips(root: JQuery, box: JQuery, existing: readonly string[], title: string): void {
  if (existing.length === 0) return;
  root.attr({ role: 'group', 'aria-label': title });
  const toggle = (tag: string) => {
    const tags = tagsIn(box.val());
    const others = tags.filter((one) => one !== tag);
    box.val((others.length < tags.length ? others : [...tags, tag]).join(', ')).trigger('change');
  };
  const chips = existing.map((tag) => button(tag, () => toggle(tag)).addClass('algo-chip'));
  root.append(chips);
  const show = () => {
    const tags = tagsIn(box.val());
    for (const chip of chips) {
      const isIn = tags.includes(chip.text());
      chip.attr('aria-pressed', String(isIn));
    }
  };
  box.on('input change', show);
  show();
}
