import type { LocalizedText, Tried, TriedReceipt } from '../../../runtime/answers';
import { sentenceOf } from '../language/sentences';
import { ask, Refusal, words } from './ask';
import { Report } from './report';
import { type DialogValues, type TryBlocker, tryBlockerAt, type Wanted, wantedOf } from './try-blocker';

const good = ['accepted', 'confirmed', 'dry-run'];

/**
 * @param values the values when the user pressed the button
 * @param now returns the current values
 */
export function askToTry(node: EditorNode, values: DialogValues, now: () => DialogValues): void {
  const container = $('#algo-tried');
  // While a command is being sent, a new question would replace the receipt of this command.
  if (container.attr('aria-busy') === 'true') return;
  const isAsBefore = followDialog(container, now);
  const report = new Report(container);
  const isOne = $('#node-input-target').val() === 'device';
  const device = isOne ? RED.nodes.node($('#node-input-device').val()) : null;
  const wanted = tryBlockerAt(device) ?? wantedOf(node, values);
  if (!device || 'sentence' in wanted) {
    if ('sentence' in wanted) reportBlocker(report, wanted);
    return;
  }
  const { operation } = values;
  const title = node._def._(`operation.${operation}.title`);
  report.add(
    'weak',
    words('try.sure', { operation: title, device: RED.utils.getNodeLabel(device, device.id) }),
  );
  for (const note of values.notes ?? []) report.detail(note);
  const send = report.button(words('try.send'), () => {
    const request = requestOf(node, operation, wanted);
    void tryIt({ container, device: device.id, request, stop: values.stop }, isAsBefore);
  });
  report.button(words('try.cancel'), () => {
    container.empty();
    $('#algo-try').trigger('focus');
  });
  report.done();
  send.trigger('focus');
}

export function reportBlocker(report: Report, { sentence, lines = [] }: TryBlocker): void {
  report.add(lines.length > 0 ? 'bad' : 'weak', sentence);
  for (const line of lines) report.detail(line);
  report.done();
}

/**
 * Clears the shown result when the user changes the command, except the button that ends what was started.
 * @returns a function that returns whether the command is unchanged
 */
export function followDialog(container: JQuery, now: () => DialogValues): () => boolean {
  const shown = () => JSON.stringify([now(), ...surroundings()]);
  const triedValues = shown();
  const isAsBefore = () => shown() === triedValues;
  const forget = () => {
    if (container.attr('aria-busy') !== 'true' && !isAsBefore())
      container.children(':not(.algo-kept)').remove();
  };
  const events = ['input', 'change', 'algo-shown'].map((name) => `${name}.algoTried`).join(' ');
  container.closest('form').off('.algoTried').on(events, forget);
  return isAsBefore;
}

function surroundings(): unknown[] {
  const parameters = $('#node-input-parameters');
  const targets = ['target', 'device'].map((name) => $(`#node-input-${name}`).val());
  return [...targets, parameters.typedInput('type'), parameters.typedInput('value'), propertiesShown()];
}

function propertiesShown(): Readonly<Record<string, unknown>> {
  const options = $('[data-option]')
    .get()
    .map(({ dataset }) => [dataset.option, $(`#algo-option-${dataset.option}`).prop('checked') === true]);
  return { ...Object.fromEntries(options), endAfter: $('#algo-delivery-endAfter').val() };
}

function requestOf(node: EditorNode, operation: string, wanted: Wanted): object {
  const { id, name, type } = node;
  const properties = propertiesShown();
  return { resource: type.replace('algo-', ''), operation, ...wanted, id, name, properties };
}

/** The result of a command that Node-RED sent. */
export type TriedTargets = Extract<Tried, { readonly untried?: undefined }>;

interface Command {
  readonly container: JQuery;
  readonly device: string;
  readonly request: object;
  /** The label of a button that ends what the command starts. */
  readonly stop?: string | undefined;
}

async function tryIt(command: Command, isAsBefore: () => boolean): Promise<void> {
  const { container, device, request, stop } = command;
  // The focused button disappears with the question, so the focus moves to "Try it".
  $('#algo-try').trigger('focus');
  await runCommand(command, isAsBefore, (report, { receipts }) => {
    for (const receipt of receipts) reportReceipt(report, receipt);
    if (stop === undefined || !receipts.some(mightHaveStarted)) return;
    const stopping = { container, device, request: { ...request, operation: 'stop' } };
    const button = report.button(stop, () => void tryIt(stopping, isAsBefore));
    button.parent().addClass('algo-kept');
  });
}

/** Sends a command, and reports its result even if the dialog has changed, since the command might have been sent. */
export async function runCommand(
  { container, device, request }: Command,
  isAsBefore: () => boolean,
  show: (report: Report, tried: TriedTargets) => void,
): Promise<void> {
  container.text(words('test.asking')).attr('aria-busy', 'true');
  try {
    const tried = await ask<Tried>(`algo/devices/${encodeURIComponent(device)}/try`, request).finally(() =>
      container.removeAttr('aria-busy'),
    );
    const report = new Report(container);
    if (!isAsBefore()) report.add('weak', words('try.meanwhile'));
    if (tried.untried) report.add('weak', words(`try.${tried.untried}`, { names: tried.names.join(', ') }));
    else show(report, tried);
    report.done();
    // On this event, the dialog for bells updates its preview of the coming bells.
    container.trigger('algo-sent');
  } catch (error) {
    new Report(container).add('bad', error instanceof Refusal ? error.message : String(error)).done();
  }
}

function mightHaveStarted({ outcome }: TriedReceipt): boolean {
  return good.includes(outcome) || outcome === 'unknown';
}

function reportReceipt(
  report: Report,
  { device, outcome, latencyMs, response, note, error, localized: its }: TriedReceipt,
): void {
  const isGood = good.includes(outcome);
  const receiptValues = { device, outcome: words(`try.outcome.${outcome}`), ms: String(latencyMs) };
  report.add(isGood ? 'good' : 'bad', words('try.receipt', receiptValues));
  if (error) {
    report.detail(words(`test.code.${error.code}`)).detail(sentenceOf(error.message, its.sentence));
    report.help(error.code);
  }
  if (note) report.detail(sentenceOf(note, its.note));
  if (response === undefined) return;
  // The response is not parsed, since the response is JSON that might be cut.
  const inWords = (text: string, [english, made]: readonly [string, LocalizedText]) =>
    text.replaceAll(JSON.stringify(english), () => JSON.stringify(sentenceOf(english, made)));
  report.detail((its.inside ?? []).reduce(inWords, response));
}
