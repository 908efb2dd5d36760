import { daysAndHoursIn } from '../../../catalogue/duration';
import { editorLanguage } from '../language/editor-language';
import { isVariable } from '../operations/check';
import { templateOf } from '../operations/definition';
import { shownIn, showStoredText } from '../page/inputs';
import { operationOf, type ValidationResult } from './validate';

/**
 * Delivery data of one operation, as the build writes the data into the page. The default limits are in
 * seconds; 0 means no expiry or no retry.
 */
interface DeliveryDefaults {
  readonly ttl: number;
  readonly retryFor: number;
  readonly end?: { readonly by: string; readonly field?: string };
  readonly held?: true;
}

type Operations = Readonly<Record<string, DeliveryDefaults>>;

const flags = ['split', 'duringAlert'] as const;
const texts = ['ttl', 'retryFor', 'endAfter', 'rolling', 'maxFailures'] as const;
type TextProperty = (typeof texts)[number];

export function validateDelivery(node: EditorNode, property: TextProperty, value: unknown): ValidationResult {
  const operation = operationOf(node);
  const form = (node.parametersType ?? 'form') === 'form' ? Object.keys(Object(node.form)) : [];
  const state = { operations: operationsOf(node.type), operation, given: form };
  const translate = node._def._;
  const finding = findingIn(translate, property, String(value ?? ''), state);
  return finding === undefined || `${translate(`delivery.${property}`)}${translate('colon')}${finding}`;
}

interface State {
  readonly operations: Operations;
  readonly operation: string;
  /** Names of the parameters that will be sent, as far as the dialog knows the names. */
  readonly given: readonly string[];
}

function findingIn(
  translate: Translate,
  property: TextProperty,
  text: string,
  state: State,
): string | undefined {
  if (text.trim() === '') return undefined;
  const findingText = (finding: string, words: Readonly<Record<string, string>> = {}) =>
    translate(`delivery.invalid.${finding}`, words);
  if (property === 'rolling')
    return isVariable(text) || isRollingSize(text) ? undefined : findingText('rolling');
  if (property === 'maxFailures')
    return isVariable(text) || /^\s*\d+\s*$/.test(text) ? undefined : findingText('maxFailures');
  const seconds = secondsIn(text);
  const isPositive = property === 'endAfter';
  if (Number.isNaN(seconds) || (isPositive && seconds === 0))
    return findingText(isPositive ? 'positive' : 'seconds');
  if (!isPositive || state.operation === 'msg' || state.operation === '') return undefined;
  const end = defaultsOf(state.operations, state.operation)?.end;
  if (!end) return findingText('noEnd');
  const { field } = end;
  return field && state.given.includes(field) ? findingText('twice', { field }) : undefined;
}

function defaultsOf(operations: Operations, id: string): DeliveryDefaults | undefined {
  return Object.hasOwn(operations, id) ? operations[id] : undefined;
}

/**
 * Returns the auto-stop time of a node as text, in seconds or as an environment variable. Undefined if the
 * node has no auto-stop time, or if the operation supports no auto-stop.
 */
export function endOf({ type, endAfter }: EditorNode, operation: string): string | undefined {
  const isEnded = endAfter !== undefined && endAfter !== '' && defaultsOf(operationsOf(type), operation)?.end;
  return isEnded ? String(endAfter) : undefined;
}

/** Cache: the delivery data of each node type. A template does not change while the editor is open. */
const known = new Map<string, Operations>();

function operationsOf(type: string): Operations {
  const operations = known.get(type) ?? readFrom(templateOf(type)?.querySelector('.algo-delivery') ?? null);
  known.set(type, operations);
  return operations;
}

function readFrom(fold: Element | null): Operations {
  return fold instanceof HTMLElement ? JSON.parse(fold.dataset.delivery ?? '{}') : {};
}

export class Delivery {
  private readonly fold: JQuery;
  private readonly operations: Operations;
  private readonly translate: Translate;
  private operation = '';
  private given: readonly string[] = [];

  constructor(
    root: JQuery,
    private readonly node: EditorNode,
  ) {
    this.translate = node._def._;
    this.fold = root.find('.algo-delivery').prop('hidden', false);
    this.operations = readFrom(this.fold.get(0) ?? null);
    this.fold.append($('#algo-delivery-rows').html() ?? '');
    for (const part of this.fold.find('[data-words]').get()) {
      part.textContent = this.translate(part.dataset.words ?? '');
    }
    this.fill();
    this.fold.on('input change', 'input', () => this.review());
  }

  private fill(): void {
    for (const property of flags) {
      this.box(property).prop('checked', this.node[property] === true);
      showStoredText(this.box(property), this.node[property]);
    }
    for (const property of texts) this.box(property).val(String(this.node[property] ?? ''));
    const isSet =
      flags.some((property) => Boolean(this.node[property])) ||
      texts.some((property) => this.text(property) !== '');
    this.fold.prop('open', isSet);
  }

  show(operation: string, given: readonly string[]): void {
    this.operation = operation;
    this.given = given;
    const defaults = defaultsOf(this.operations, operation);
    this.box('ttl').attr('placeholder', this.placeholder(defaults?.ttl, 'noLimit'));
    this.box('retryFor').attr('placeholder', this.placeholder(defaults?.retryFor, 'notAgain'));
    this.box('endAfter').attr('placeholder', this.translate('delivery.usual.never'));
    this.box('rolling').attr('placeholder', this.translate('delivery.usual.all'));
    this.box('maxFailures').attr('placeholder', '0');
    this.fold.find('#algo-delivery-endAfter-hint').text(this.endHint(defaults));
    this.review();
  }

  private placeholder(seconds: number | undefined, none: string): string {
    if (seconds === undefined) return this.translate('delivery.usual.byOperation');
    return this.translate(`delivery.usual.${seconds === 0 ? none : 'seconds'}`, { seconds: String(seconds) });
  }

  private endHint(defaults: DeliveryDefaults | undefined): string {
    const translate = this.translate;
    const general = translate('delivery.endAfterHelp');
    if (!defaults?.end) return general;
    const { by, field } = defaults.end;
    const words = { end: translate(`operation.${by}.title`), field: field ?? '' };
    return `${translate(field ? 'delivery.endsItself' : 'delivery.endedBy', words)} ${general}`;
  }

  private review(): void {
    const { operations, operation, given, translate } = this;
    const canEnd = operation === 'msg' || defaultsOf(operations, operation)?.end !== undefined;
    const isEndShown = canEnd && Object.values(operations).some(({ end }) => end);
    this.row('endAfter').prop('hidden', !isEndShown && this.text('endAfter') === '');
    const isHeld = operation === 'msg' || defaultsOf(operations, operation)?.held === true;
    const isHeldShown = isHeld && Object.values(operations).some(({ held }) => held);
    this.row('duringAlert').prop('hidden', !isHeldShown && !shownIn(this.box('duringAlert')));
    this.row('maxFailures').prop('hidden', this.text('rolling') === '' && this.text('maxFailures') === '');
    for (const property of texts) {
      const finding = findingIn(translate, property, this.text(property), { operations, operation, given });
      this.row(property)
        .find('.algo-error')
        .text(finding ?? '');
      this.box(property)
        .toggleClass('input-error', finding !== undefined)
        .attr('aria-invalid', String(finding !== undefined));
    }
    const time = daysAndHoursIn(editorLanguage(), secondsIn(this.text('endAfter')) ?? 0);
    this.fold
      .find('#algo-delivery-endAfter-time')
      .text(time === undefined ? '' : translate('delivery.endsInDays', { time }));
  }

  save(): void {
    for (const property of flags) {
      const value = shownIn(this.box(property));
      if (value !== (this.node[property] ?? false)) this.node[property] = value;
    }
    for (const property of texts) {
      const text = this.text(property);
      if (text !== String(this.node[property] ?? '')) this.node[property] = text;
    }
  }

  private text(property: TextProperty): string {
    return String(this.box(property).val() ?? '').trim();
  }

  private row(property: string): JQuery {
    return this.fold.find(`[data-row="${property}"]`);
  }

  private box(property: string): JQuery {
    return this.fold.find(`#algo-delivery-${property}`);
  }
}

/** Whether a text is a number of targets from 1, or a share from 1 % to 100 %. */
function isRollingSize(text: string): boolean {
  const [, number, percent] = /^\s*(\d+)\s?(%?)\s*$/.exec(text) ?? [];
  return Number(number) >= 1 && (percent !== '%' || Number(number) <= 100);
}

/** Maximum of each delivery limit, in seconds: one year, as in the runtime. */
const maxSeconds = 31_536_000;

export function secondsIn(text: string): number | undefined {
  if (isVariable(text)) return undefined;
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  return seconds >= 0 && seconds <= maxSeconds ? seconds : Number.NaN;
}
