import type { RestrictedOperation } from '../../../catalogue/compatibility';
import { firmwareIn, modelIn } from '../../../catalogue/identity';
import type { ExtensibleDialog } from '../form/dialog-extension';
import { readRow } from '../operations/definition';
import { shown } from '../operations/entry';
import type { RowField } from '../operations/field';
import { requirementsOf } from '../operations/requirements';
import { current } from '../page/inputs';
import { whenInPage } from '../page/load';
import { say } from '../page/status-below';
import { targetMembers } from '../targets/target-members';
import { markDisabled } from './disabled-targets';
import { RuntimeModels } from './runtime-models';
import { SupportFindings } from './support-findings';

export interface MarkedDialog extends ExtensibleDialog {
  /** Selected targets of a node whose target is `several`. */
  readonly picked: readonly string[];
  form(): Record<string, unknown> | undefined;
  refresh(): void;
}

interface FormRow {
  readonly element: HTMLElement;
  readonly name: string;
  readonly field: RowField;
}

/**
 * Warnings about targets that do not support the operation or a field. Updating the warnings sends no
 * requests to devices.
 */
export class Marks {
  private readonly runtime: RuntimeModels;
  /** Cache: the rows of each operation that was shown. The rows of an operation do not change. */
  private readonly places = new Map<string, readonly FormRow[]>();
  private findings: SupportFindings;
  private isDue = false;
  private isOfOthers = false;

  constructor(private readonly dialog: MarkedDialog) {
    const { root } = dialog;
    this.runtime = new RuntimeModels(() => whenInPage(root, () => dialog.refresh()));
    this.findings = this.look();
    root.on('algo-shown', () => this.later(true));
    root.on('change input', ({ target }) => this.later($(target).closest('.algo-field').length === 0));
    this.show();
  }

  /** Model of the single target device, as the runtime has read it; undefined if unknown. */
  get runtimeModel(): string | undefined {
    const { node } = this.dialog;
    if ((current(node, 'target') || 'device') !== 'device') return undefined;
    return this.runtime.of(targetMembers(node) ?? [])[0]?.model;
  }

  private look(): SupportFindings {
    const { root, node, picked, translate } = this.dialog;
    markDisabled(root, node, picked);
    const targets = this.runtime.of(targetMembers(node, picked) ?? []).map((member) => {
      const [model, firmware] = [modelIn(member.model), firmwareIn(member.firmware)];
      return { ...member, identity: { ...(model && { model }), ...(firmware && { firmware }) } };
    });
    return new SupportFindings(targets, translate);
  }

  /**
   * Several changes lead to one update, since rows report many changes while they are created.
   * @param isOfOthers whether a part of the dialog outside the form changed, such as the target
   */
  private later(isOfOthers: boolean): void {
    this.isOfOthers ||= isOfOthers;
    if (this.isDue) return;
    this.isDue = true;
    const review = () => {
      this.isDue = false;
      if (this.isOfOthers) this.findings = this.look();
      this.isOfOthers = false;
      this.show();
    };
    queueMicrotask(() => whenInPage(this.dialog.root, review));
  }

  private show(): void {
    const { dialog, findings } = this;
    const operation = operationOf(dialog);
    const text = operation ? findings.ofOperation(operation) : '';
    const head = dialog.root.find('.algo-unsupported');
    say(head, text);
    const form = operation && dialog.form();
    if (!form) return;
    const places = this.placesOf(operation.id);
    for (const { element, name, field } of places) {
      const { value } = shown(form[name]);
      const sentences = [findings.ofField(operation, name, form[name]), findings.ofValue(field, value)];
      put(element, sentences.filter(Boolean).join(' '));
    }
    // The warnings about fields without a row, such as fields that the variant sets, are shown below the
    // select of the variant.
    const [choice] = this.section(operation.id).children('.algo-variant').get();
    const chosen = Object.keys(form).filter((name) => !places.some((place) => place.name === name));
    const sentences = new Set(chosen.map((name) => findings.ofField(operation, name, form[name])));
    if (choice) put(choice, [...sentences].filter(Boolean).join(' '));
  }

  private section(operation: string): JQuery {
    return this.dialog.root.children(`[data-operation="${CSS.escape(operation)}"]`);
  }

  private placesOf(operation: string): readonly FormRow[] {
    const known = this.places.get(operation);
    if (known) return known;
    const elements = this.section(operation).find('.algo-field[data-field]').get();
    const places = elements.map((element) => {
      const [name, field] = readRow(element);
      return { element, name, field };
    });
    this.places.set(operation, places);
    return places;
  }
}

function operationOf(dialog: MarkedDialog): RestrictedOperation | undefined {
  return requirementsOf(`${dialog.node.type.replace(/^algo-/, '')}/${dialog.operation()}`);
}

function put(row: HTMLElement, text: string): void {
  let mark = row.querySelector<HTMLElement>(':scope > .algo-field-unsupported');
  if (!mark && text === '') return;
  if (!mark) {
    mark = document.createElement('div');
    mark.className = 'algo-warning algo-field-unsupported';
    mark.id = `${row.id || row.querySelector('select')?.id}-unsupported`;
    mark.setAttribute('role', 'status');
    row.append(mark);
  }
  if (mark.textContent !== text) mark.textContent = text;
  for (const box of row.querySelectorAll('.red-ui-typedInput-input, select')) {
    const described = box.getAttribute('aria-describedby') ?? '';
    if (!described.split(' ').includes(mark.id)) {
      box.setAttribute('aria-describedby', `${described} ${mark.id}`.trim());
    }
  }
}
