import { openExtension } from '../form/dialog-extension';
import type { Row } from '../form/row';
import { Section } from '../form/section';
import { UnknownFields } from '../form/unknown-fields';
import { Delivery } from '../node/delivery';
import { operationOf } from '../node/validate';
import { entriesOf, type Stored, same } from '../operations/entry';
import { JsonFindings } from '../operations/json-parameters';
import { keepOption } from '../page/inputs';
import { nameTypedInput, whileDetached } from '../page/typed-input';
import { isUntried, nowTried } from '../page/untried';
import { openPreview } from '../pictures/load';
import { openSupportMarks } from '../support/load';
import type { Marks } from '../support/marks';
import { letDevicesDecide, modelOf } from '../targets/target';
import { openTry } from '../tools/load';
import type { DialogValues } from '../tools/try-blocker';
import { Options } from './options';
import { Targets } from './targets';

const parameterSources = ['msg', 'jsonata', 'flow', 'global', 'json'];

export class Dialog {
  readonly root: JQuery;
  readonly translate: Translate;
  private readonly operations = $('#node-input-operation');
  private readonly parameters = $('#node-input-parameters');
  private readonly stored: Stored;
  private readonly sections = new Map<string, Section | undefined>();
  private readonly targets: Targets;
  private readonly options: Options;
  private readonly delivery: Delivery;
  private readonly json: JsonFindings;
  private marks: Marks | undefined;
  private unknownFields: UnknownFields | undefined;
  private shownOperation = '';
  private sources: readonly InputType[] = parameterSources;
  /**
   * Value of the parameters field when the dialog opened. The field keeps this value while the form is the
   * source of the parameters.
   */
  private place = '';
  private formWanted = false;

  constructor(readonly node: EditorNode) {
    this.translate = node._def._;
    this.root = $('#node-input-target').closest('form');
    this.stored = entriesOf(node.form);
    this.options = new Options(this.root, node);
    this.delivery = new Delivery(this.root, node);
    this.json = new JsonFindings(this.parameters, node);
    this.targets = new Targets(this.root, node, () => this.refresh());
    this.open();
  }

  private open(): void {
    if (this.operations.length > 0) keepOption(this.operations, this.node.operation);
    this.shownOperation = this.operation();
    const section = this.section(this.shownOperation);
    const { stored, translate } = this;
    const changed = () => this.refresh();
    if (section) this.unknownFields = new UnknownFields(this.root, section, stored, { translate, changed });
    this.openParameters();
    this.operations.on('change', () => this.changeOperation());
    this.root.on('change input', '.algo-field', () => this.review());
    this.refresh();
    openSupportMarks(this, (marks) => {
      this.marks = marks;
    });
    openExtension(this);
    if (this.node.type === 'algo-screen') openPreview(this);
    openTry(({ askToTry }) => askToTry(this.node, this.tried(), () => this.now()));
    openTry(
      (tools) => void tools.compareSettings(this.node, this.tried(), this.picked, () => this.now()),
      this.compareButton,
    );
  }

  /** No button in the dialogs of other nodes than `algo-settings`. */
  private get compareButton(): JQuery {
    return this.root.find('#algo-compare');
  }

  private now(): DialogValues {
    return { operation: this.operation(), form: this.form() };
  }

  private tried(): DialogValues {
    nowTried(this.root, this.node);
    this.section(this.operation())?.try();
    return this.now();
  }

  private openParameters(): void {
    const typeField = $('#node-input-parametersType');
    const type = String(typeField.val() || 'form');
    typeField.val(type);
    const isKnown = type === 'form' || parameterSources.includes(type);
    if (!isKnown) this.sources = [...parameterSources, { value: type, label: type }];
    this.place = String(this.parameters.val());
    const types = this.parameterTypes();
    whileDetached(this.parameters, () => this.parameters.typedInput({ default: type, types, typeField }));
    nameTypedInput(this.parameters);
    this.parameters.on('typedinputtypechange', (_, newType: string) => this.changeSource(newType));
    this.json.open(
      () => this.operation(),
      () => letDevicesDecide(this.node),
    );
  }

  /**
   * If a message sets the operation, the form cannot be the source of the parameters, since each form belongs
   * to one operation.
   */
  private parameterTypes(): readonly InputType[] {
    const form = { value: 'form', label: this.translate('form.below'), hasValue: false };
    return this.operation() === 'msg' ? this.sources : [form, ...this.sources];
  }

  private changeSource(type: string): void {
    if (type === 'form') this.parameters.typedInput('value', this.place);
    const value = this.parameters.typedInput('value');
    if (type === 'msg' && value === '') this.parameters.typedInput('value', 'payload');
    // Replaces `payload`, the default path of a message property, since `payload` is not JSON.
    if (type === 'json' && ['', 'payload'].includes(value)) {
      this.parameters.typedInput('value', this.section(this.operation())?.skeleton() ?? '{}');
    }
    this.refresh();
  }

  private changeOperation(): void {
    const before = this.parameters.typedInput('type');
    if (before === 'form') this.formWanted = true;
    this.parameters.typedInput('types', this.parameterTypes());
    if (this.formWanted && this.operation() !== 'msg') this.parameters.typedInput('type', 'form');
    this.carryOver();
    this.refresh();
  }

  private carryOver(): void {
    const section = this.section(this.operation());
    const before = this.section(this.shownOperation);
    if (!section) return;
    if (before && before !== section) {
      section.adopt({
        names: before.names(),
        entries: before.entries(),
        rows: [],
        others: before.otherEntries(),
      });
    }
    this.shownOperation = this.operation();
  }

  operation(): string {
    return this.operations.length > 0 ? String(this.operations.val() ?? '') : operationOf(this.node);
  }

  private section(operation: string): Section | undefined {
    if (!this.sections.has(operation)) {
      const elements = this.root.children('[data-operation]').get();
      const element = elements.find(({ dataset }) => dataset.operation === operation);
      const isOwn = operation === operationOf(this.node);
      const isFresh = !isOwn || isUntried(this.node);
      const changed = () => this.refresh();
      const isOpen = () => letDevicesDecide(this.node);
      const beginning = { stored: this.stored, isOwn, isFresh, changed, isOpen };
      // While the section is being created, its rows report changes, which must not create the section again.
      this.sections.set(operation, undefined);
      if (element) this.sections.set(operation, new Section(element, this.translate, beginning));
    }
    return this.sections.get(operation);
  }

  row(name: string): Row | undefined {
    const isForm = this.parameters.typedInput('type') === 'form';
    return isForm ? this.section(this.operation())?.row(name) : undefined;
  }

  private given(): string[] {
    const isForm = this.parameters.typedInput('type') === 'form';
    return isForm ? Object.keys(this.section(this.operation())?.entries() ?? {}) : [];
  }

  /** Checks the form again, except while rows are being created: new rows also report changes. */
  private review(): void {
    const section = this.sections.get(this.operation());
    if (!section || section.isMaking) return;
    section.review();
    this.delivery.show(this.operation(), this.given());
  }

  get picked(): readonly string[] {
    return this.targets.picked;
  }

  refresh(): void {
    const operation = this.operation();
    const form = this.parameters.typedInput('type') === 'form';
    for (const hint of this.root.find('[data-help]').get()) hint.hidden = hint.dataset.help !== operation;
    this.root.children('[data-operation]').prop('hidden', true);
    const compared = String(this.compareButton.data('operations') ?? '').split(' ');
    this.compareButton.prop('hidden', !compared.includes(operation));
    this.options.show(operation);
    this.delivery.show(operation, this.given());
    const section = this.section(operation);
    if (section) section.element.hidden = !form;
    section?.offer(modelOf(this.node) ?? this.marks?.runtimeModel);
    section?.review();
    const remaining = this.unknownFields?.show(section, form) ?? 0;
    const isAsked = !form || remaining > 0 || section?.asks();
    this.root.find('.algo-parameters').prop('hidden', !isAsked);
    this.json.show();
    this.root.trigger('algo-shown');
  }

  save(): void {
    this.options.save();
    this.delivery.save();
    this.targets.save();
    const form = this.form();
    if (form && !same(form, this.stored)) this.node.form = form;
  }

  form(): Record<string, unknown> | undefined {
    const section = this.section(this.operation());
    if (this.parameters.typedInput('type') !== 'form' || !section) return undefined;
    return { ...section.entries(), ...this.unknownFields?.entries(section) };
  }
}
