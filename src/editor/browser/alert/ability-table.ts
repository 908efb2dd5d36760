import { alertActions } from '../../../catalogue/alert-actions';
import { Requirements } from '../../../catalogue/compatibility';
import { firmwareIn, modelIn } from '../../../catalogue/identity';
import { givenIn, requirementsOf } from '../operations/requirements';
import { whenInPage } from '../page/load';
import { markDisabled } from '../support/disabled-targets';
import { type KnownMember, RuntimeModels } from '../support/runtime-models';
import { findingsRegion, showInRegion } from '../table/findings';
import { type TargetMember, targetMembers } from '../targets/target-members';
import type { AlertParts } from './parts';

/**
 * `unknown`: an alert cannot start the action, or support depends on the model or firmware and the model is
 * unknown.
 */
type Ability = 'yes' | 'model' | 'firmware' | 'unknown';

interface AlertActionSpec {
  readonly operation?: unknown;
  readonly form?: unknown;
}

function abilitiesFor(action: unknown, members: readonly TargetMember[]): Ability[] {
  const { operation: name, form } = Object(action) as AlertActionSpec;
  const operation = requirementsOf(String(name));
  const isOperation = alertActions.some((action) => action.operation === name);
  if (!operation || !isOperation) return members.map(() => 'unknown');
  const needs = new Requirements(operation, givenIn(operation, form));
  return members.map((member) => abilityOf(needs, member));
}

function abilityOf(needs: Requirements, member: TargetMember): Ability {
  if (member.letDeviceDecide) return 'yes';
  const [model, firmware] = [modelIn(member.model), firmwareIn(member.firmware)];
  const identity = { ...(model && { model }), ...(firmware && { firmware }) };
  const unsupported = needs.findUnsupported(identity);
  if (unsupported) return unsupported.because;
  return model === undefined && needs.dependOnIdentity ? 'unknown' : 'yes';
}

const maxListed = 100;
const maxNamed = 5;

const unsupported: readonly Ability[] = ['model', 'firmware'];

interface TableOptions {
  readonly translate?: Translate;
  /** Called with the members that might support each action; undefined if a message sets the targets. */
  readonly onShown?: (support: readonly Support[] | undefined) => void;
}

/** Numbers of members. */
export interface Support {
  /** Members that might support the action. */
  readonly possible: number;
  /** Members of these whose model is unknown. */
  readonly unknown: number;
}

interface AbilityRow {
  readonly members: KnownMember[];
  readonly abilities: readonly Ability[];
}

export class AbilityTable {
  private readonly fold: JQuery;
  private readonly translate: Translate;
  private readonly onShown: (support: readonly Support[] | undefined) => void;
  private readonly warnings = findingsRegion();
  private readonly table = $('<table class="algo-grid algo-abilities-grid">');
  private readonly more = $('<div class="algo-hint">');
  private readonly models = new RuntimeModels(() => this.showAgain());
  private actions: readonly unknown[] = [];

  constructor(
    private readonly root: JQuery,
    private readonly node: EditorNode,
    private readonly parts: AlertParts,
    { translate = node._def._, onShown = () => {} }: TableOptions = {},
  ) {
    this.translate = translate;
    this.onShown = onShown;
    this.fold = root.find('.algo-abilities').prop('hidden', false);
    this.fold.find('.algo-abilities-place').empty().append(this.warnings, this.table, this.more);
  }

  close(): void {
    this.fold.prop('hidden', true);
  }

  private showAgain(): void {
    whenInPage(this.root, () => this.show(this.actions));
  }

  show(actions: readonly unknown[]): void {
    this.actions = actions;
    const { translate } = this;
    markDisabled(this.root, this.node, this.parts.picked());
    const targets = targetMembers(this.node, this.parts.picked());
    const members = targets && this.models.of(targets);
    const isShown = members !== undefined && members.length > 0 && actions.length > 0;
    this.table.prop('hidden', !isShown);
    showInRegion(this.warnings, []);
    this.more.text('');
    if (!isShown) {
      const why = members === undefined ? 'byMessage' : actions.length === 0 ? 'noActions' : 'noMembers';
      this.fold.find('summary').text(translate('ability.title'));
      this.more.text(translate(`ability.${why}`));
      this.onShown(members && actions.map(() => ({ possible: 0, unknown: 0 })));
      return;
    }
    const abilities = actions.map((action) => abilitiesFor(action, members));
    this.onShown(abilities.map(supportIn));
    this.warn(members, actions, abilities);
    const head = actions.map((action, index) => {
      const words = { place: String(index + 1), title: this.parts.titleOf(action) };
      return $('<th scope="col">').text(translate('ability.action', words));
    });
    const all = rowsOf(members, abilities);
    const rows = all.slice(0, maxListed);
    const body = rows.map(({ members: alike, abilities: of }) =>
      $('<tr>').append(
        this.nameOf(alike),
        of.map((ability) => this.cell(ability)),
      ),
    );
    const corner = $('<th scope="col">').text(translate('ability.member'));
    this.table.empty().append($('<thead>').append($('<tr>').append(corner, head)), $('<tbody>').append(body));
    const hidden = all.slice(maxListed).flatMap(({ members: alike }) => alike).length;
    if (hidden > 0) this.more.text(translate('ability.more', { count: String(hidden) }));
    if (!rows.some(({ abilities: of }) => of.includes('unknown'))) return;
    this.more.append($('<div>').text(translate('ability.setModel')));
  }

  private nameOf(members: readonly KnownMember[]): JQuery {
    const { translate } = this;
    const [{ model, isFromRuntime } = {} as Partial<KnownMember>] = members;
    const modelText =
      isFromRuntime && model !== undefined ? translate('ability.runtimeModel', { model }) : model;
    const about = $('<span class="algo-about">').text(modelText ?? translate('ability.noModel'));
    const name = this.named(members.map(({ name }) => name));
    return $('<th scope="row">').append($('<span>').text(name), ' ', about);
  }

  private named(names: readonly string[]): string {
    const hidden = names.length - maxNamed;
    const more = hidden > 0 ? ` ${this.translate('ability.more', { count: String(hidden) })}` : '';
    return `${names.slice(0, maxNamed).join(', ')}${more}`;
  }

  private cell(ability: Ability): JQuery {
    const cell = $('<td>').text(this.translate(`ability.${ability}`));
    return cell
      .toggleClass('algo-other-kind', ability === 'model')
      .toggleClass('algo-unsupported', ability === 'firmware');
  }

  private warn(
    members: readonly TargetMember[],
    actions: readonly unknown[],
    abilities: readonly (readonly Ability[])[],
  ): void {
    const { translate } = this;
    const hasNone = (index: number) => abilities.every((of) => unsupported.includes(of[index] ?? 'unknown'));
    const idle = members.filter((_, index) => hasNone(index)).map(({ name }) => name);
    const undone = actions.filter((_, index) => abilities[index]?.every((of) => unsupported.includes(of)));
    const warning = (words: string, names: readonly string[]) =>
      names.length === 0 ? [] : [$('<li>').text(translate(words, { names: this.named(names) }))];
    const titles = undone.map((action) => this.parts.titleOf(action));
    showInRegion(this.warnings, [...warning('ability.noneOf', idle), ...warning('ability.nobody', titles)]);
    const counts = { count: String(members.length), none: String(idle.length) };
    this.fold.find('summary').text(translate(idle.length > 0 ? 'ability.some' : 'ability.all', counts));
  }
}

function supportIn(abilities: readonly Ability[]): Support {
  const possible = abilities.filter((ability) => !unsupported.includes(ability));
  return { possible: possible.length, unknown: possible.filter((ability) => ability === 'unknown').length };
}

function rowsOf(members: readonly KnownMember[], abilities: readonly (readonly Ability[])[]): AbilityRow[] {
  const rows = new Map<string, AbilityRow>();
  for (const [place, member] of members.entries()) {
    const own = abilities.map((of) => of[place] ?? 'unknown');
    const key = JSON.stringify([member.model, member.model !== undefined && member.isFromRuntime, own]);
    const row = rows.get(key);
    if (row) row.members.push(member);
    else rows.set(key, { members: [member], abilities: own });
  }
  return [...rows.values()];
}
